/** How often it is looked. */
const beatMs = 20;

/**
 * Measures the longest stretch in which nothing else got its turn, by processor time: a machine that is busy
 * with other things makes it no longer.
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
