import type { Random } from './random';

/** The parameters of a check's run. */
export interface CheckRun {
  /** The seed, which generates the same input each time. */
  readonly seed: number;
  readonly random: Random;
  /** The short form, which is part of the unit tests. */
  readonly small: boolean;
  /** Returns the count for the whole or for the short form. */
  readonly size: (whole: number, small: number) => number;
  /** How long a check runs that `lasts`. */
  readonly minutes: number;
}

/** A property that must hold. A check runs in a separate process and may do anything to it. */
export interface Check {
  readonly name: string;
  /** Left out of the short form because it is too slow or needs a machine to itself. */
  readonly wholeOnly?: true;
  /** Repeated with one seed after the other while there is time. */
  readonly repeats?: true;
  /** Runs for the given minutes. */
  readonly lasts?: true;
  /** Seconds until the check counts as hanging, beside the minutes for which it `lasts`; default 60. */
  readonly seconds?: number;
  /** Resolves with a note on the counts; rejects with what is wrong. */
  run(run: CheckRun): Promise<string>;
}
