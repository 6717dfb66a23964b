import { findTimestamp } from '../text/timestamps';

/** A change within this time of local activity is attributed to that activity, in ms. */
const tolerance = 15_000;

/** The wall clock, which can jump, and a monotonic one, in ms. */
export interface Clocks {
  wall(): number;
  steady(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * Tracks whether an open session went on outside of this window: its agent reports a change later
 * than any activity here. Doubtful changes don't count, such as after a clock jump or from an agent
 * with a different clock.
 */
export class ActivityElsewhere {
  readonly #clocks: Clocks;
  /** The latest `updatedAt` that the agent reported. */
  #heard = -Infinity;
  /** Whether there was activity here since that report. */
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

  /** Records activity of the session in this window. */
  active(): void {
    this.#wasActive = true;
    this.#activeWall = this.#clocks.wall();
    this.#activeSteady = this.#clocks.steady();
  }

  /** Everything that the agent has of the session was read. */
  read(updatedAt: string | undefined): void {
    this.active();
    this.#heard = Math.max(this.#heard, findTimestamp(updatedAt) ?? -Infinity);
    this.#wentOn = false;
  }

  /**
   * Takes in the `updatedAt` that the agent reports; returns whether it shows activity elsewhere.
   * `isIdle`: nothing is in progress here.
   */
  hear(updatedAt: string | undefined, isIdle: boolean): boolean {
    const time = findTimestamp(updatedAt);
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

  /**
   * Whichever way the clock has jumped since the last activity: compares with the later of its
   * recorded time and the time that the clock would show for it now.
   */
  #isLater(time: number): boolean {
    const elapsed = this.#clocks.steady() - this.#activeSteady;
    const active = Math.max(this.#activeWall, this.#clocks.wall() - elapsed);
    return time > active + tolerance;
  }
}
