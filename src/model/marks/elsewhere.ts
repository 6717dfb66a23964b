import { timestampOf } from '../text/timestamps';

/** What happened within this time of something here is taken for its consequence, in ms. */
const tolerance = 15_000;

/** The person's clock, which can jump, and one that can't, in ms. */
export interface Clocks {
  wall(): number;
  steady(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * Whether an open session went on without this window: its agent says that it changed, later than anything
 * that happened here. In doubt it didn't: a clock that jumps, or an agent with another clock, is no news.
 */
export class Elsewhere {
  readonly #clocks: Clocks;
  /** The newest time that was heard of. */
  #heard = -Infinity;
  /** Something happened here since then. */
  #wasActive = true;
  #activeWall = -Infinity;
  #activeSteady = -Infinity;
  #wentOn = false;

  constructor(clocks: Clocks = systemClocks) {
    this.#clocks = clocks;
  }

  get wentOn(): boolean {
    return this.#wentOn;
  }

  /** Something of the session happened here. */
  active(): void {
    this.#wasActive = true;
    this.#activeWall = this.#clocks.wall();
    this.#activeSteady = this.#clocks.steady();
  }

  /** All that the agent has was read. */
  read(updatedAt: string | undefined): void {
    this.active();
    this.#heard = Math.max(this.#heard, timestampOf(updatedAt) ?? -Infinity);
    this.#wentOn = false;
  }

  /**
   * When the session changed last, as its agent says; whether that is news. `isIdle`: nothing is under way
   * here.
   */
  hear(updatedAt: string | undefined, isIdle: boolean): boolean {
    const time = timestampOf(updatedAt);
    if (time === undefined || time <= this.#heard) {
      return false;
    }
    const wasActive = this.#wasActive;
    this.#heard = time;
    this.#wasActive = false;
    const isNews = isIdle && (this.#isOfAnotherClock(time) ? !wasActive : this.#isLater(time));
    this.#wentOn ||= isNews;
    return isNews;
  }

  #isOfAnotherClock(time: number): boolean {
    return time > this.#clocks.wall() + tolerance;
  }

  /** Whichever way the clock has jumped since: the later of what it said then, and would have said now. */
  #isLater(time: number): boolean {
    const elapsed = this.#clocks.steady() - this.#activeSteady;
    const active = Math.max(this.#activeWall, this.#clocks.wall() - elapsed);
    return time > active + tolerance;
  }
}
