import type { WorkerAnswer } from './workerQueue';

/**
 * Makes the worker that this runs in answer each job with the result of `perform`; a job that
 * throws has none.
 */
export function answerJobs(perform: (job: never) => unknown): void {
  const answer = (message: WorkerAnswer<unknown>): void => postMessage(message);
  const attempt = (job: never): unknown => {
    try {
      return perform(job);
    } catch {
      // The text is readable as it is, so a failure isn't reported.
      return undefined;
    }
  };
  addEventListener('message', ({ data }) => {
    answer({ type: 'done', result: attempt(data as never) });
  });
  answer({ type: 'ready' });
}
