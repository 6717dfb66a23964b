/** A budget of steps: once it is spent, work stops, to be continued later or skipped. */
export class Effort {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}
