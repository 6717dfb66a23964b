/** A problem that VS Code shows, in a file of this path. Lines and columns are 1-based. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  /** The program that found it, and its code, such as `ts 2304`. */
  readonly source: string;
}

/** The most severe first, as VS Code counts them. */
export const severities = ['error', 'warning', 'info', 'hint'] as const;
type Severity = (typeof severities)[number];
