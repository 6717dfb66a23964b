/** What goes between the soak and a process that runs its checks. */

export interface Order {
  readonly part: string;
  readonly name: string;
  readonly seed: number;
  readonly small: boolean;
}

/** What there is to run; sent once, when the process is ready. */
export interface Ready {
  readonly type: 'ready';
  readonly checks: readonly Offered[];
}

export interface Offered {
  readonly part: string;
  readonly name: string;
  readonly wholeOnly: boolean;
  readonly repeats: boolean;
  readonly seconds: number;
}

export interface Done {
  readonly type: 'done';
  /** What was counted. */
  readonly note: string;
  /** Absent when all held. */
  readonly failure?: string;
  /** Bytes at the peak of the process's life so far. */
  readonly peak: number;
  /** Processor time of the longest stretch without a turn for anything else, in ms. */
  readonly stretch: number;
}
