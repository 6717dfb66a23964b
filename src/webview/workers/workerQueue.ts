import { setNewest } from '../../util/setNewest';

/** What a worker of the page answers: once that its script has loaded, and then to each job, in order. */
export type WorkerAnswer<Result> =
  | { readonly type: 'ready' }
  /** `undefined` if the worker couldn't do the job. */
  | { readonly type: 'done'; readonly result: Result | undefined };

/** A worker that does one kind of job. */
export interface PageWorker<Job, Result> {
  /** Replaces the previous listeners. */
  listen(onAnswer: (answer: WorkerAnswer<Result>) => void, onFailure: () => void): void;
  ask(job: Job): void;
  end(): void;
}

export interface WorkerQueueOptions<Job, Result> {
  readonly start: () => Promise<PageWorker<Job, Result>>;
  /** Time limit for one job, in milliseconds. */
  readonly maxMs: number;
  /** Whether a job is small enough to be tried. */
  readonly accepts: (job: Job) => boolean;
  /** Identifies a job's result. */
  readonly keyOf: (job: Job) => string;
  /** The number of results that are kept. */
  readonly kept: number;
  /** The kind of a job: a kind that takes too long several times isn't tried again. */
  readonly kindOf: (job: Job) => string;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly signal: AbortSignal;
  readonly resolve: (result: Result | undefined) => void;
}

/** A kind that timed out this often isn't tried again; after this many timeouts in all, none is. */
const maxTimeoutsPerKind = 3;
const maxTimeouts = 9;

/**
 * Does one job at a time in a worker, and keeps the latest results. Text from an agent can make a
 * grammar or a layout run practically forever: then the worker is terminated and the text stays as
 * it is.
 */
export class WorkerQueue<Job, Result> {
  readonly #options: WorkerQueueOptions<Job, Result>;
  readonly #late: string[] = [];
  readonly #results = new Map<string, Result>();
  #waiting: Waiting<Job, Result>[] = [];
  #worker: Promise<PageWorker<Job, Result>> | undefined;
  #isRunning = false;

  constructor(options: WorkerQueueOptions<Job, Result>) {
    this.#options = options;
  }

  /** A kept result, so that a row that scrolls back in is drawn at once. */
  known(job: Job): Result | undefined {
    return this.#results.get(this.#options.keyOf(job));
  }

  /**
   * Resolves to `undefined` if the job isn't accepted, fails, takes too long, or `signal` is aborted
   * before its turn.
   */
  async run(job: Job, signal: AbortSignal): Promise<Result | undefined> {
    if (!this.#options.accepts(job)) {
      return undefined;
    }
    const result = await this.#wait(job, signal);
    if (result !== undefined) {
      setNewest(this.#results, this.#options.keyOf(job), result, this.#options.kept);
    }
    return result;
  }

  #wait(job: Job, signal: AbortSignal): Promise<Result | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ job, signal, resolve });
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const all = this.#waiting;
      this.#waiting = [];
      for (const { job, signal, resolve } of all) {
        const isWanted = !signal.aborted && !this.#isGivenUp(this.#options.kindOf(job));
        resolve(isWanted ? await this.#do(job).catch(() => undefined) : undefined);
      }
    }
    this.#isRunning = false;
  }

  #isGivenUp(kind: string): boolean {
    const ofKind = this.#late.filter((late) => late === kind).length;
    return ofKind >= maxTimeoutsPerKind || this.#late.length >= maxTimeouts;
  }

  async #do(job: Job): Promise<Result | undefined> {
    // A worker that failed to start isn't started again.
    this.#worker ??= this.#options.start().then(isReady);
    const worker = await this.#worker;
    const answer = await this.#getAnswer(worker, job);
    if (answer === 'late') {
      worker.end();
      this.#worker = undefined;
      this.#late.push(this.#options.kindOf(job));
      return undefined;
    }
    return answer;
  }

  #getAnswer(worker: PageWorker<Job, Result>, job: Job): Promise<Result | 'late' | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('late'), this.#options.maxMs);
      const settle = (result: Result | undefined): void => {
        clearTimeout(timer);
        resolve(result);
      };
      worker.listen(
        (answer) => settle(answer.type === 'done' ? answer.result : undefined),
        () => settle(undefined),
      );
      worker.ask(job);
    });
  }
}

/** Waits for the worker's script to load, so that the time limit covers only the job. */
function isReady<Job, Result>(worker: PageWorker<Job, Result>): Promise<PageWorker<Job, Result>> {
  return new Promise((resolve, reject) => {
    worker.listen(
      () => resolve(worker),
      () => reject(new Error('A worker of the page could not be started')),
    );
  });
}
