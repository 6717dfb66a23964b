import path from 'node:path';

/** What goes wrong in a worker of the index. */
export interface Fault {
  /** Function of `node:fs`. */
  readonly operation: string;
  /** So many calls go well. */
  readonly after: number;
  /** An error's code; or how many ms it takes; or the end of the worker; or no end at all. */
  readonly does: string | number;
  readonly once?: boolean;
  /** An error that nobody catches, when the worker has started. */
  readonly asUncaught?: boolean;
  /** The trouble is over when it is gone. */
  readonly file: string;
}

/** The environment's variable that holds one, as JSON. */
export const faultVariable = 'ACP_SESSIONS_TEST_FAULT';
export const faultyProgram = path.resolve('out/unit/platform/search/faultyWorker.main.mjs');
