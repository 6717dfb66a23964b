/** What can be wrong with an archive, or with unpacking it. */
export type UnpackProblem =
  | 'unsafe'
  | 'tooLarge'
  | 'broken'
  | 'otherKind'
  | 'noProgram'
  | 'noRoom'
  | 'failed';

/** An archive that isn't unpacked; the message is for the log. */
export class UnpackError extends Error {
  readonly problem: UnpackProblem;

  constructor(problem: UnpackProblem, message: string) {
    super(message);
    this.name = 'UnpackError';
    this.problem = problem;
  }
}
