/** What is made once it is needed. If that fails, whoever needs it next has it made again. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** `undefined` if it wasn't needed yet, or couldn't be made. */
  get made(): Promise<T> | undefined {
    return this.#made;
  }

  get(): Promise<T> {
    this.#made ??= this.#begin();
    return this.#made;
  }

  async #begin(): Promise<T> {
    try {
      return await this.#make();
    } catch (error) {
      this.#made = undefined;
      throw error;
    }
  }
}
