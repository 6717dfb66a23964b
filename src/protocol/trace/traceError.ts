/**
 * Why a file can't be opened as a trace: `notATrace`, also if it is empty; `newer`: its format is that of a later
 * version; `empty`: it has no messages; `tooLarge`, `tooLong`: it has more bytes or lines than a trace may have;
 * `changed`: it isn't as it was when it was opened.
 */
export type TraceProblem = 'notATrace' | 'newer' | 'empty' | 'tooLarge' | 'tooLong' | 'changed';

export class TraceError extends Error {
  readonly problem: TraceProblem;

  constructor(problem: TraceProblem) {
    super(`The file can't be used as a trace: ${problem}`);
    this.problem = problem;
  }
}
