/** The user's options after a failure; the view turns each into a button. */
export type FailureAction =
  | 'retry'
  | 'showLog'
  | 'editAgents'
  | 'manageTrust'
  | 'diagnose'
  | 'signIn'
  | 'locateFolder'
  | 'forgetSession';

export type FailureCode =
  | 'notFound'
  | 'notExecutable'
  | 'exited'
  | 'timeout'
  | 'version'
  | 'authRequired'
  | 'gone'
  | 'held'
  | 'folderGone'
  | 'unsupported'
  | 'cancelled'
  | 'protocol'
  | 'config'
  | 'untrusted'
  | 'internal';

/** A failure in words for the user: what happened, what it means, what to do. Details are in the log. */
export interface Failure {
  readonly code: FailureCode;
  /** One short sentence without a full stop, fit for a tree row. */
  readonly title: string;
  /** What it means and what to do, one or two sentences. */
  readonly detail: string;
  readonly actions: readonly FailureAction[];
  /** The agent's message about it: one cleaned line, which `detail` also quotes. */
  readonly said?: string;
}
