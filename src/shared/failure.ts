/** What a person can do about a failure; the view turns each into a button. */
export type FailureAction =
  | 'retry'
  | 'showLog'
  | 'editAgents'
  | 'manageTrust'
  | 'signIn'
  | 'locateFolder'
  | 'forgetSession';

/** A failure in words for a person: what happened, what it means, what to do. Details are in the log. */
export interface Failure {
  readonly code:
    | 'notFound'
    | 'notExecutable'
    | 'exited'
    | 'timeout'
    | 'version'
    | 'authRequired'
    | 'gone'
    | 'folderGone'
    | 'unsupported'
    | 'cancelled'
    | 'protocol'
    | 'config'
    | 'untrusted'
    | 'internal';
  /** One short sentence without a final stop, fit for a tree row. */
  readonly title: string;
  /** What it means and what to do, one or two sentences. */
  readonly detail: string;
  readonly actions: readonly FailureAction[];
  /** What the agent itself has said of it: one clean line, which `detail` quotes, too. */
  readonly said?: string;
}
