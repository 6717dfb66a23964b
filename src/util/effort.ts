/** A budget of steps: work that has spent it stops, and continues later or is left out. */
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
