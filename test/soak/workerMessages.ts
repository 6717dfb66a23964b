/** The messages between the soak test and a process that runs its checks. */

export interface CheckOrder {
  readonly part: string;
  readonly name: string;
  readonly seed: number;
  readonly small: boolean;
  /** The time for checks that last. */
  readonly minutes: number;
}

/** The available checks; sent once, when the process is ready. */
export interface Ready {
  readonly type: 'ready';
  readonly checks: readonly Offered[];
}

export interface Offered {
  readonly part: string;
  readonly name: string;
  readonly wholeOnly: boolean;
  readonly repeats: boolean;
  readonly lasts: boolean;
  readonly seconds: number;
}

export interface Done {
  readonly type: 'done';
  /** The check's note on its counts. */
  readonly note: string;
  /** Absent if everything held. */
  readonly failure?: string;
  /** The peak memory of the process so far, in bytes. */
  readonly peak: number;
  /** Processor time of the longest stretch without a turn of the event loop, in ms. */
  readonly stretch: number;
}
