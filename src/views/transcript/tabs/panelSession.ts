import type * as vscode from 'vscode';
import type { Agent } from '../../../model/agent';
import type { ProvidedReviews } from '../../../model/changes/providedReviews';
import type { KeptWork } from '../../../model/kept/keptWork';
import type { TablessSessions } from '../../../model/kept/tablessSessions';
import type { SessionMarks } from '../../../model/marks/marks';
import type { KnownWorktrees } from '../../../model/places/knownWorktrees';
import type { Log } from '../../../model/ports';
import type { SessionReach } from '../../../model/requests/sessionReach';
import type { ProvidedContext } from '../../../model/session/providedContext';
import type { Session } from '../../../model/session/session';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import type { SendKey } from '../../../platform/settings/sendKey';
import type { TerminalViews } from '../../../platform/terminals/terminalViews';
import type { LastEditor } from '../../../platform/ui/lastEditor';
import type { FirstChoiceKind, FirstChoices } from '../../../shared/transcript/firstChoices';
import type { Draft } from '../../../shared/transcript/prompt';
import type { Event } from '../../../util/emitter';
import type { Attention } from '../../attention/attention';
import type { TonePages } from '../../attention/tonePages';
import type { SignInDialog } from '../../dialogs/signInDialog';
import type { FileSearch } from '../composer/fileSearch';
import type { SavedPrompts } from '../composer/savedPrompts';
import type { ProvidedBranches } from './providedBranches';
import type { ProvidedHeaderFacts } from './providedHeaderFacts';
import type { SameNames } from './sameNames';

/** The part of a session that a tab needs; also implemented for sessions that can't be opened, or haven't begun. */
export type PanelSession = Pick<
  Session,
  | 'info'
  | 'title'
  | 'phase'
  | 'writable'
  | 'onDidChange'
  | 'onDidChangeState'
  | 'onNotice'
  | 'takeNoticesBefore'
  | 'load'
  | 'cancelLoad'
  | 'reload'
  | 'close'
  | 'setMode'
  | 'fallenMode'
  | 'goOnInMode'
  | 'setConfigOption'
  | 'stopSubagent'
> & {
  readonly tasks: Pick<Session['tasks'], 'all' | 'stop'>;
  readonly shown: Pick<
    Session['shown'],
    'entries' | 'at' | 'getEntries' | 'onDidChange' | 'onDidChangeNested'
  > &
    Partial<Pick<Session['shown'], 'isCached' | 'cachedAt' | 'checklist'>>;
  readonly agent: Pick<Agent, 'id' | 'title' | 'isOnly' | 'supports'>;
  readonly turns: Pick<
    Session['turns'],
    | 'current'
    | 'background'
    | 'queue'
    | 'submit'
    | 'removeQueued'
    | 'sendQueued'
    | 'sendNow'
    | 'moveQueued'
    | 'cancel'
    | 'forceFinish'
    | 'sendAgain'
    | 'sendWhenReset'
  > &
    Partial<Pick<Session['turns'], 'tokens'>>;
  readonly requests: Pick<
    Session['requests'],
    'waiting' | 'answerPermission' | 'offered' | 'answerElicitation'
  >;
  readonly facts: Pick<
    Session['facts'],
    'commands' | 'configOptions' | 'modes' | 'usage' | 'limit' | 'suggestedPrompts' | 'systemPrompt'
  >;
  readonly elsewhere: Pick<Session['elsewhere'], 'wentOn'>;
  readonly changes: Pick<Session['changes'], 'files' | 'filesIn' | 'onDidChange'>;
  readonly terminals: Pick<Session['terminals'], 'get'>;
  readonly acts: { readonly reach: Pick<SessionReach, 'has'> };
  /** Present as long as the session hasn't begun. */
  readonly first?: Beginning;
};

/** How a session begins, as long as it hasn't. */
export interface Beginning {
  readonly choices: FirstChoices;
  /** A prompt couldn't begin the session, and goes back to the composer. */
  readonly onDidReturn: Event<Draft>;
  /** The user has chosen an agent or a place, or changes a fact of it; anything that isn't offered is ignored. */
  choose(kind: FirstChoiceKind, value: string): Promise<void>;
  /** What its composer holds has changed. */
  wrote(): void;
  /** Begins it without a prompt. `undefined` if it can't begin: the phase says why. Never rejects. */
  begin(): Promise<Session | undefined>;
}

/** Prompts written in editors. */
export interface PromptEditing {
  /** Opens a draft in an editor beside the session's tab. */
  edit(session: PanelSession, draft: Draft): Promise<void>;
  /** A saved prompt with its placeholders filled in; `undefined` if the user cancels. */
  fill(session: PanelSession, prompt: string): Promise<Draft | undefined>;
}

export interface PanelServices {
  readonly extensionUri: vscode.Uri;
  readonly documents: ReadOnlyDocuments;
  readonly terminalViews: TerminalViews;
  readonly fileSearch: Pick<FileSearch, 'search'>;
  readonly promptContext: Pick<ProvidedContext, 'read' | 'suggest'>;
  readonly savedPrompts: Pick<SavedPrompts, 'all' | 'onDidChange'>;
  readonly prompts: PromptEditing;
  readonly sendKey: Pick<SendKey, 'needsCtrl' | 'onDidChange'>;
  readonly lastEditor: Pick<LastEditor, 'name' | 'onDidChange' | 'insert'>;
  readonly attention: Attention;
  readonly tonePages: TonePages;
  readonly names: SameNames;
  readonly reviews: ProvidedReviews;
  readonly marks: Pick<SessionMarks, 'get' | 'onDidChange'>;
  readonly work: Pick<KeptWork, 'read' | 'isRead' | 'getDraft' | 'setDraft'>;
  readonly tabless: Pick<TablessSessions, 'tabOpened' | 'tabClosed'>;
  readonly signIn: Pick<SignInDialog, 'signInTo'>;
  readonly branches: Pick<ProvidedBranches, 'current' | 'onDidProvide'>;
  readonly headerFacts: Pick<ProvidedHeaderFacts, 'of' | 'open' | 'onDidChange'>;
  readonly worktrees: Pick<KnownWorktrees, 'at' | 'onDidChange'>;
  readonly log: Log;
}
