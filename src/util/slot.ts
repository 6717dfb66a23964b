/** What a feature provides. Whoever needs it before the features are there has them loaded, and waits for them. */
export class Slot<T> {
  readonly #features: () => Promise<unknown>;
  #provided: T | undefined;

  /** `features` resolves when all that there are have been registered. */
  constructor(features: () => Promise<unknown>) {
    this.#features = features;
  }

  provide(provided: T): void {
    this.#provided = provided;
  }

  /** `undefined` if nothing is provided yet. */
  protected get provided(): T | undefined {
    return this.#provided;
  }

  /** `undefined` if no feature provides it. Rejects if the features can't be loaded; the next call has them loaded anew. */
  protected async awaited(): Promise<T | undefined> {
    if (this.#provided === undefined) {
      await this.#features();
    }
    return this.#provided;
  }
}
