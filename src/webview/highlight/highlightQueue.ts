import type { HighlightAnswer, HighlightJob, HighlightNode } from './job';
import type { LanguageName } from './languages';

/** A worker that highlights code. */
export interface HighlightWorker {
  /** Replaces the previous listeners. */
  listen(onAnswer: (answer: HighlightAnswer) => void, onFailure: () => void): void;
  ask(job: HighlightJob): void;
  end(): void;
}

type Nodes = readonly HighlightNode[] | undefined;

interface Waiting extends HighlightJob {
  readonly signal: AbortSignal;
  readonly resolve: (nodes: Nodes) => void;
}

/**
 * A language that timed out this often isn't tried again; after this many timeouts in total, no
 * language is.
 */
const maxTimeoutsPerLanguage = 3;
const maxTimeouts = 9;

/**
 * Highlights one piece of code at a time in a worker. Grammars are regular expressions, and crafted
 * code can make them run practically forever: then the worker is terminated and the code stays
 * plain.
 */
export class HighlightQueue {
  readonly #start: () => Promise<HighlightWorker>;
  readonly #longest: number;
  readonly #late: LanguageName[] = [];
  #waiting: Waiting[] = [];
  #worker: Promise<HighlightWorker> | undefined;
  #isRunning = false;

  /** `longest`: time limit for one piece of code, in milliseconds. */
  constructor(start: () => Promise<HighlightWorker>, longest: number) {
    this.#start = start;
    this.#longest = longest;
  }

  /** Resolves to `undefined` if the job takes too long or `signal` is aborted before its turn. */
  highlight(job: HighlightJob, signal: AbortSignal): Promise<Nodes> {
    return new Promise((resolve) => {
      this.#waiting.push({ ...job, signal, resolve });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      for (const job of jobs) {
        const isWanted = !job.signal.aborted && !this.#isGivenUp(job.language);
        job.resolve(isWanted ? await this.#highlight(job).catch(() => undefined) : undefined);
      }
    }
    this.#isRunning = false;
  }

  #isGivenUp(language: LanguageName): boolean {
    const ofLanguage = this.#late.filter((late) => late === language).length;
    return ofLanguage >= maxTimeoutsPerLanguage || this.#late.length >= maxTimeouts;
  }

  async #highlight({ code, language }: HighlightJob): Promise<Nodes> {
    // A worker that failed to start isn't started again.
    this.#worker ??= this.#start().then(isReady);
    const worker = await this.#worker;
    const answer = await this.#getAnswer(worker, { code, language });
    if (answer === 'late') {
      worker.end();
      this.#worker = undefined;
      this.#late.push(language);
      return undefined;
    }
    return answer;
  }

  #getAnswer(worker: HighlightWorker, job: HighlightJob): Promise<Nodes | 'late'> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('late'), this.#longest);
      const settle = (nodes: Nodes): void => {
        clearTimeout(timer);
        resolve(nodes);
      };
      worker.listen(
        (answer) => settle(answer.type === 'done' ? answer.nodes : undefined),
        () => settle(undefined),
      );
      worker.ask(job);
    });
  }
}

/** Waits for the worker's script to load, so that the time limit covers only the highlighting. */
function isReady(worker: HighlightWorker): Promise<HighlightWorker> {
  return new Promise((resolve, reject) => {
    worker.listen(
      () => resolve(worker),
      () => reject(new Error('The highlighter could not be started')),
    );
  });
}
