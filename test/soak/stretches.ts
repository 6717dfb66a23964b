/** The sampling interval. */
const beatMs = 20;

/**
 * Measures the longest stretch without a turn of the event loop, in processor time, so that other load on the machine
 * doesn't lengthen it.
 */
export class Stretches {
  readonly #timer: ReturnType<typeof setInterval>;
  #last = process.cpuUsage();
  #longest = 0;

  constructor() {
    this.#timer = setInterval(() => this.#beat(), beatMs);
  }

  /** Milliseconds. */
  end(): number {
    clearInterval(this.#timer);
    this.#beat();
    return Math.round(this.#longest);
  }

  #beat(): void {
    const { user, system } = process.cpuUsage(this.#last);
    this.#last = process.cpuUsage();
    this.#longest = Math.max(this.#longest, (user + system) / 1000);
  }
}
