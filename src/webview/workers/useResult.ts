import { useEffect, useState } from 'preact/hooks';
import type { WorkerQueue } from './workerQueue';

/**
 * The result of a job, which starts after `pause` milliseconds without another one; `undefined`
 * until it is there, and if it fails.
 */
export function useResult<Job, Result>(
  queue: WorkerQueue<Job, Result>,
  job: Job,
  pause: number,
): Result | undefined {
  const [found, setFound] = useState<{ job: Job; result: Result }>();
  const result = queue.known(job) ?? (found?.job === job ? found.result : undefined);
  const isMissing = result === undefined;
  useEffect(() => {
    if (!isMissing) {
      return;
    }
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      const done = await queue.run(job, abort.signal);
      if (done !== undefined && !abort.signal.aborted) {
        setFound({ job, result: done });
      }
    };
    const timer = setTimeout(() => void run(), pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [queue, job, pause, isMissing]);
  return result;
}
