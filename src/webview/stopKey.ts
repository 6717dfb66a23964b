import { type ReadonlySignal, signal } from '@preact/signals';

/** How long the first press counts, in ms. */
const patience = 4000;

/** Escape stops a turn only when it is pressed once more: one press too many is easily made. */
export class StopKey {
  readonly #armed = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The next press stops the turn. */
  get armed(): ReadonlySignal<boolean> {
    return this.#armed;
  }

  /** Whether the turn is to be stopped now; else the next press does it. */
  press(): boolean {
    clearTimeout(this.#timer);
    const isSecond = this.#armed.peek();
    this.#armed.value = !isSecond;
    if (!isSecond) {
      this.#timer = setTimeout(() => this.disarm(), patience);
    }
    return isSecond;
  }

  /** The turn that was meant has ended. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#armed.value = false;
  }
}
