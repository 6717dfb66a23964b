import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { type UnpackRequest, unpack } from './unpack';
import { UnpackError, type UnpackProblem } from './unpackError';

/** The entry point of the thread that unpacks an archive: a separate bundle. It has one task, and ends with it. */

/** What the thread says at its end. */
export type UnpackAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly problem: UnpackProblem; readonly message: string };

// seek-bzip allocates in a way that is deprecated: https://github.com/cscott/seek-bzip/issues/9
process.noDeprecation = true;

async function run(): Promise<UnpackAnswer> {
  try {
    await unpack(workerData as UnpackRequest);
    return { kind: 'done' };
  } catch (error) {
    const { problem, message } =
      error instanceof UnpackError ? error : new UnpackError('failed', String(error));
    return { kind: 'refused', problem, message };
  }
}

void run().then((answer) => parentPort?.postMessage(answer));
