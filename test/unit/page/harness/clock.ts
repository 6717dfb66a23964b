import { setImmediate } from 'node:timers/promises';

/** Milliseconds between two frames. */
const frame = 16;

interface Timer {
  readonly due: number;
  readonly run: () => void;
  /** The time between the runs of an interval. */
  readonly every?: number;
}

/**
 * The clock of a page: its timers and frames, which come only when the test waits for something, and then at once. What
 * a page does after half a second costs a test nothing that way, and never comes by chance.
 */
export class PageClock {
  /** Called after each frame, when a browser would have laid out the page. */
  afterFrame: () => void = () => undefined;
  #began = Date.now();
  #now = 0;
  #last = 0;
  readonly #timers = new Map<number, Timer>();
  #frames = new Map<number, (now: number) => void>();

  /** Milliseconds since the page was opened. */
  get now(): number {
    return this.#now;
  }

  /** Milliseconds since 1970. */
  get time(): number {
    return this.#began + this.#now;
  }

  set time(time: number) {
    this.#began = time - this.#now;
  }

  /** Gives a window these timers and frames instead of its own. */
  install(window: Window): void {
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => this.#add(run, ms),
      clearTimeout: (id?: number) => this.#timers.delete(id ?? 0),
      setInterval: (run: () => void, ms = 1) => this.#add(run, ms, ms),
      clearInterval: (id?: number) => this.#timers.delete(id ?? 0),
      requestAnimationFrame: (run: (now: number) => void) => {
        this.#frames.set(++this.#last, run);
        return this.#last;
      },
      cancelAnimationFrame: (id: number) => this.#frames.delete(id),
    });
    Object.defineProperty(window.performance, 'now', { value: () => this.#now });
    const { Date: PageDate } = window as unknown as { Date: DateConstructor };
    const time = (): number => this.time;
    Object.assign(window, {
      Date: class extends PageDate {
        constructor(...given: readonly unknown[]) {
          super(...((given.length > 0 ? given : [time()]) as [number]));
        }

        static override now(): number {
          return time();
        }
      },
    });
  }

  /** Runs what is due in this time, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await setImmediate();
    for (let next = this.#nextDue(); next <= end; next = this.#nextDue()) {
      this.#now = Math.max(this.#now, next);
      this.#runDue();
      this.afterFrame();
      await setImmediate();
    }
    this.#now = end;
    this.afterFrame();
    await setImmediate();
  }

  #add(run: () => void, ms = 0, every?: number): number {
    const due = this.#now + Math.max(1, ms);
    this.#timers.set(++this.#last, { due, run, ...(every !== undefined && { every }) });
    return this.#last;
  }

  #nextDue(): number {
    const timers = [...this.#timers.values()].map(({ due }) => due);
    const nextFrame = Math.floor(this.#now / frame + 1) * frame;
    return Math.min(...timers, this.#frames.size > 0 ? nextFrame : Infinity);
  }

  #runDue(): void {
    if (this.#now % frame === 0) {
      const frames = this.#frames;
      this.#frames = new Map();
      for (const run of frames.values()) {
        run(this.#now);
      }
    }
    const due = [...this.#timers].filter(([, timer]) => timer.due <= this.#now);
    for (const [id, { run, every }] of due.sort(([, a], [, b]) => a.due - b.due)) {
      if (this.#timers.delete(id)) {
        if (every !== undefined) {
          this.#timers.set(id, { due: this.#now + Math.max(1, every), run, every });
        }
        run();
      }
    }
  }
}
