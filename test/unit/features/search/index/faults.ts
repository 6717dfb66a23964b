import { inProject } from '../../../../support/project';

/** A fault in a worker of the index. */
export interface Fault {
  /** The name of a `node:fs` function. */
  readonly operation: string;
  /** The number of calls that succeed first. */
  readonly after: number;
  /**
   * An error code, a delay in ms, or how the call fails: it ends the worker, hangs, writes only half, or stops the
   * whole process and succeeds afterwards.
   */
  readonly does: string | number;
  readonly once?: boolean;
  /** Throws an uncaught error when the worker has started. */
  readonly asUncaught?: boolean;
  /** The fault ends when this file is deleted. */
  readonly file: string;
}

/** The environment variable that holds a fault as JSON. */
export const faultVariable = 'ACP_SESSIONS_TEST_FAULT';
export const faultyProgram = inProject('out/unit/features/search/index/faultyWorker.main.mjs');
