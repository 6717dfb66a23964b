import { deferred } from '../../util/async';

/** A request under way for a list, and the way to give it up. */
export class ListTask {
  readonly kind: 'first' | 'more';
  readonly abort = new AbortController();
  readonly #done = deferred<undefined>();

  constructor(kind: ListTask['kind']) {
    this.kind = kind;
  }

  /** Settles when it is over; never rejects. */
  get promise(): Promise<void> {
    return this.#done.promise;
  }

  /** `ended` runs before those go on who wait for the end. */
  run(work: (signal: AbortSignal) => Promise<void>, ended: () => void): Promise<void> {
    void work(this.abort.signal).finally(() => {
      ended();
      this.#done.resolve(undefined);
    });
    return this.promise;
  }
}
