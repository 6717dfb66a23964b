import { deferred } from '../../util/async';

/** A pending read of a list, with its `AbortController`. */
export class ListTask {
  readonly kind: 'first' | 'more';
  readonly abort = new AbortController();
  readonly #done = deferred<undefined>();

  constructor(kind: ListTask['kind']) {
    this.kind = kind;
  }

  /** Resolves when the read is over; never rejects. */
  get promise(): Promise<void> {
    return this.#done.promise;
  }

  /** `ended` runs before `promise` resolves. */
  run(work: (signal: AbortSignal) => Promise<void>, ended: () => void): Promise<void> {
    void work(this.abort.signal).finally(() => {
      ended();
      this.#done.resolve(undefined);
    });
    return this.promise;
  }
}
