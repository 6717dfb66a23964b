import { type ReadonlySignal, signal } from '@preact/signals';

/** How long the first press counts, in milliseconds. */
const patience = 4000;

/** Stops a turn only on the second press of Escape, since a single press is easily made by mistake. */
export class StopKey {
  readonly #armed = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the next press stops the turn. */
  get armed(): ReadonlySignal<boolean> {
    return this.#armed;
  }

  /** Returns `true` when the turn should be stopped now; otherwise arms the key for the next press. */
  press(): boolean {
    clearTimeout(this.#timer);
    const isSecond = this.#armed.peek();
    this.#armed.value = !isSecond;
    if (!isSecond) {
      this.#timer = setTimeout(() => this.disarm(), patience);
    }
    return isSecond;
  }

  /** Call when the turn has ended. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#armed.value = false;
  }
}
