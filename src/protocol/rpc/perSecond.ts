/** Allows up to a fixed number of events per second. */
export class PerSecond {
  readonly #most: number;
  #second = 0;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  allows(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    return ++this.#count <= this.#most;
  }
}
