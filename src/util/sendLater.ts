/** How often the clock is read: timers stand still while the machine sleeps. */
const stepMs = 30_000;
/** Clocks differ by a little. */
const marginMs = 5_000;

/** Does things once their times have come, as long as the window is open. */
export class SendLater {
  readonly #waiting = new Set<{ readonly at: number; readonly send: () => void }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(at: number, send: () => void): void {
    this.#waiting.add({ at: at + marginMs, send });
    this.#wait();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...[...this.#waiting].map(({ at }) => at - Date.now()));
    if (this.#waiting.size > 0) {
      this.#timer = setTimeout(() => this.#look(), Math.min(stepMs, Math.max(0, next)));
      // The timer must not keep the process alive.
      this.#timer.unref();
    }
  }

  #look(): void {
    for (const each of this.#waiting) {
      if (each.at <= Date.now()) {
        this.#waiting.delete(each);
        each.send();
      }
    }
    this.#wait();
  }
}
