import type { Random } from './random';

/** What a check may know of its run. */
export interface Run {
  /** The same seed makes the same input. */
  readonly seed: number;
  readonly random: Random;
  /** The short form, as part of the unit tests. */
  readonly small: boolean;
  /** As many as the whole or the short form asks for. */
  readonly size: (whole: number, small: number) => number;
}

/** One thing that must hold. It runs in a process of its own and may do anything to that. */
export interface Check {
  readonly name: string;
  /** Left out of the short form: too slow, or a machine of its own is needed. */
  readonly wholeOnly?: true;
  /** Run with one seed after the other as long as there is time. */
  readonly repeats?: true;
  /** Seconds after which it counts as hanging; 60 without it. */
  readonly seconds?: number;
  /** Rejects with what is wrong; resolves with what was counted. */
  run(run: Run): Promise<string>;
}
