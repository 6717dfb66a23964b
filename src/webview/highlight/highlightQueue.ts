import type { HighlightAnswer, HighlightJob, HighlightNode } from './job';
import type { LanguageName } from './languages';

/** A program beside the page. */
export interface HighlightWorker {
  /** Instead of whoever has listened before. */
  listen(onAnswer: (answer: HighlightAnswer) => void, onFailure: () => void): void;
  ask(job: HighlightJob): void;
  end(): void;
}

type Nodes = readonly HighlightNode[] | undefined;

interface Waiting extends HighlightJob {
  readonly signal: AbortSignal;
  readonly resolve: (nodes: Nodes) => void;
}

/** A language whose rules took too long this often isn't tried again; nor is any, after so many in all. */
const mostOfLanguage = 3;
const mostInAll = 9;

/**
 * Highlights one code after the other in a worker. The rules of a language are regular expressions, and code can
 * be made that they never come to an end with: the worker is ended then, and the code stays plain.
 */
export class HighlightQueue {
  readonly #start: () => Promise<HighlightWorker>;
  readonly #longest: number;
  readonly #late: LanguageName[] = [];
  #waiting: Waiting[] = [];
  #worker: Promise<HighlightWorker> | undefined;
  #isRunning = false;

  /** `longest`: time for one code, in milliseconds. */
  constructor(start: () => Promise<HighlightWorker>, longest: number) {
    this.#start = start;
    this.#longest = longest;
  }

  /** Nothing comes of a job that takes too long, or whose `signal` is aborted before its turn. */
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
    return ofLanguage >= mostOfLanguage || this.#late.length >= mostInAll;
  }

  async #highlight({ code, language }: HighlightJob): Promise<Nodes> {
    // One that couldn't be started isn't started again.
    this.#worker ??= this.#start().then(isReady);
    const worker = await this.#worker;
    const answer = await this.#answerOf(worker, { code, language });
    if (answer === 'late') {
      worker.end();
      this.#worker = undefined;
      this.#late.push(language);
      return undefined;
    }
    return answer;
  }

  #answerOf(worker: HighlightWorker, job: HighlightJob): Promise<Nodes | 'late'> {
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

/** The time to read its script isn't the code's. */
function isReady(worker: HighlightWorker): Promise<HighlightWorker> {
  return new Promise((resolve, reject) => {
    worker.listen(
      () => resolve(worker),
      () => reject(new Error('The highlighter could not be started')),
    );
  });
}
