interface SilenceHost {
  /** After how long without a word of the agent it is silent, in ms. */
  readonly silentMs: number;
  /** Whether a turn runs. */
  isAtWork(): boolean;
  /** Whether the agent waits for something that isn't its own: an answer of the user, a command that runs here. */
  isWaiting(): boolean;
  changed(): void;
}

/** Notices when an agent that is at work says and asks nothing for long (T-171). It has one timer, and only during a turn. */
export class Silence {
  readonly #host: SilenceHost;
  #heard = 0;
  #since: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: SilenceHost) {
    this.#host = host;
  }

  /** Since when there has been nothing, in ms since the epoch; `undefined` if that isn't long. */
  get since(): number | undefined {
    return this.#since;
  }

  /** The agent has said or asked something, what it waited for has gone on, or a turn begins. Called for each update. */
  heard(): void {
    this.#heard = Date.now();
    if (this.#since !== undefined) {
      this.#since = undefined;
      this.#host.changed();
    }
    if (this.#timer === undefined && this.#host.isAtWork()) {
      this.#lookIn(this.#host.silentMs);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookIn(time: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, time);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }

  #look(): void {
    const { silentMs } = this.#host;
    if (!this.#host.isAtWork()) {
      return;
    }
    if (this.#host.isWaiting()) {
      this.heard();
      return;
    }
    const left = this.#heard + silentMs - Date.now();
    if (left > 0) {
      this.#lookIn(left);
    } else {
      this.#since = this.#heard;
      this.#host.changed();
    }
  }
}
