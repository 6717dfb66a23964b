import * as l10n from '@vscode/l10n';

interface ActionFacts {
  /** The label of its button. */
  readonly label: string;
  /** The action's command; none if whoever has failed does it. */
  readonly command?: string;
  /** What the command is about: an agent, whose id it gets, or the session of the active tab. */
  readonly about?: 'agent' | 'session';
  /** Instead of a command: the page of the guide, and its heading, that says what to do. */
  readonly page?: string;
}

const learnMore = l10n.t('Learn More');

/** The user's options after a failure, each with its button. A failure offers them in this order: what helps, the log, a page. */
export const failureActions = {
  retry: { label: l10n.t('Retry') },
  showLog: { label: l10n.t('Show Log'), command: 'acpSessions.agent.showLog' },
  editAgents: { label: l10n.t('Edit Agents'), command: 'acpSessions.agent.edit' },
  manageTrust: { label: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
  diagnose: { label: l10n.t('Diagnose'), command: 'acpSessions.agent.diagnose', about: 'agent' },
  signIn: { label: l10n.t('Sign In…'), command: 'acpSessions.agent.signIn', about: 'agent' },
  locateFolder: {
    label: l10n.t('Locate Folder…'),
    command: 'acpSessions.session.locateFolder',
    about: 'session',
  },
  forgetSession: {
    label: l10n.t('Forget Session…'),
    command: 'acpSessions.session.delete',
    about: 'session',
  },
  learnAbilities: { label: learnMore, page: 'agents.md#what-an-agent-must-support' },
  learnProtocol: { label: learnMore, page: 'agent-settings.md#the-version-of-the-protocol' },
  learnRecording: { label: learnMore, page: 'review.md#what-is-recorded' },
  learnRemote: { label: learnMore, page: 'remote.md#use-an-agent-on-another-machine' },
  learnSettings: { label: learnMore, page: 'agent-settings.md#all-keys-of-an-entry' },
  learnSignIn: { label: learnMore, page: 'agents.md#sign-in' },
  learnTrust: { label: learnMore, page: 'privacy.md#what-an-agent-cant-do' },
} as const satisfies Readonly<Record<string, ActionFacts>>;

export type FailureAction = keyof typeof failureActions;

type OfSession = {
  [Action in FailureAction]: (typeof failureActions)[Action] extends { readonly about: 'session' }
    ? Action
    : never;
}[FailureAction];

/** Whether an action is about one session, so that only its transcript can offer it. */
export function isOfSession(action: FailureAction): action is OfSession {
  const { about }: ActionFacts = failureActions[action];
  return about === 'session';
}

type OfGuide = {
  [Action in FailureAction]: (typeof failureActions)[Action] extends { readonly page: string }
    ? Action
    : never;
}[FailureAction];

/** Whether an action opens a page of the guide. */
export function isOfGuide(action: FailureAction): action is OfGuide {
  const { page }: ActionFacts = failureActions[action];
  return page !== undefined;
}

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
  /** The model's provider takes no prompt of the session any more, because of an image in it. */
  | 'imageRefused'
  /** Something else than an agent, in the words of its own error. */
  | 'told'
  | 'internal';

/** A failure in words for the user: what happened, what it means, what to do. Details are in the log. */
export interface Failure {
  readonly code: FailureCode;
  /** A short sentence without a full stop, fit for a tree row. */
  readonly title: string;
  /** What it means and what to do, one or two sentences. */
  readonly detail: string;
  readonly actions: readonly FailureAction[];
  /** The agent's message about it: one cleaned line, which `detail` also quotes. */
  readonly said?: string;
  /** When the limit ends because of which it has failed, in ms since the epoch. */
  readonly resetsAt?: number;
}

/** An error that says itself what the user is told. */
export class UserError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failureText(failure), options);
  }
}

/** A failure as the text of a message. */
export function failureText({ title, detail }: Pick<Failure, 'title' | 'detail'>): string {
  return detail === '' ? title : `${title}. ${detail}`;
}
