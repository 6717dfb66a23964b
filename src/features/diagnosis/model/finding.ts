import type { FailureAction } from '../../../shared/failure';

/** What the user can do about a finding with one click. */
export type Remedy =
  | Extract<FailureAction, 'editAgents' | 'signIn' | 'showLog' | 'manageTrust'>
  | 'installNode'
  | 'useProtocol1'
  | 'useProtocol2';

/** Something that the user should know, as Markdown: what others have written is code in it. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  readonly title: string;
  readonly detail: string;
  readonly remedy?: Remedy;
}
