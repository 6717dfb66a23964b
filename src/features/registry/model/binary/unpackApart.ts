import { Worker } from 'node:worker_threads';
import { withTimeout } from '../../../../util/async';
import type { UnpackRequest } from './unpack';
import { UnpackError } from './unpackError';
import type { UnpackAnswer } from './unpackWorker';

/** Limit of the thread's heap; the files pass through it in pieces. */
const maxHeapMb = 256;

/**
 * Unpacks in a thread of its own, which is ended when `signal` aborts, or after `patience` ms: what an archive does to
 * its unpacker stays there. Rejects with an `UnpackError`, or with the signal's reason.
 */
export async function unpackApart(
  program: string,
  request: UnpackRequest,
  patience: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(program, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  try {
    const answer = await withTimeout(
      awaitAnswer(worker, signal),
      patience,
      () => new UnpackError('tooLarge', `not unpacked in ${patience} ms`),
    );
    if (answer.kind === 'refused') {
      throw new UnpackError(answer.problem, answer.message);
    }
  } finally {
    await worker.terminate();
  }
}

function awaitAnswer(worker: Worker, signal: AbortSignal): Promise<UnpackAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => reject(new UnpackError('failed', String(error))));
    worker.once('exit', (code) => reject(new UnpackError('failed', `it ended with ${code}`)));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
