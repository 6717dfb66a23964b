import { withTimeout } from '../../../util/async';
import { ToolRefusal } from './tool';

interface PatienceOptions {
  /** How long an answer may take, in ms. Asked anew each time. */
  readonly ms: () => number;
  /** Tells the user that something doesn't answer. */
  readonly tell: () => void;
}

/** Answers in a row that didn't come, until the user is told. */
const maxMissing = 3;

/** Waits for answers of programs that may hang, and that nobody can cancel. */
export class Patience {
  readonly #options: PatienceOptions;
  #missing = 0;
  #isTold = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** The answer; gives it up after a time. Once three in a row were given up, the user is told, and not again. */
  async waitFor<T>(answer: PromiseLike<T>): Promise<T> {
    const { tell } = this.#options;
    const ms = this.#options.ms();
    const late = new ToolRefusal(
      `The language server did not answer within ${ms / 1000} seconds. Search the text instead.`,
    );
    try {
      const given = await withTimeout(Promise.resolve(answer), ms, () => late);
      this.#missing = 0;
      return given;
    } catch (error) {
      this.#missing = error === late ? this.#missing + 1 : 0;
      if (this.#missing >= maxMissing && !this.#isTold) {
        this.#isTold = true;
        tell();
      }
      throw error;
    }
  }
}
