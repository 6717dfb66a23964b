import * as l10n from '@vscode/l10n';
import type { Agent, SessionRow } from '../../../model/agent';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import type { Standing } from '../../attention/standing';
import type { RowFacts } from './rowFacts';

/** A codicon and, with an ID of VS Code's, its color. */
export interface Icon {
  readonly id: string;
  readonly color?: string;
  /** The agent's own icon, which is shown instead. */
  readonly own?: string;
}

export const warningIcon: Icon = { id: 'warning', color: 'list.warningForeground' };
export const errorIcon: Icon = { id: 'error', color: 'list.errorForeground' };
export const busyIcon: Icon = { id: 'loading~spin' };

/**
 * The look of a row: the state of its session here, that its turn was interrupted with its window, or what its agent
 * says of a session that isn't open here.
 */
export type Look = Standing | 'interrupted' | 'runsElsewhere';

export const sessionIcons: Readonly<Record<Look, Icon>> = {
  idle: { id: 'comment' },
  loading: busyIcon,
  open: { id: 'comment-discussion', color: 'textLink.foreground' },
  running: busyIcon,
  needsYou: { id: 'bell-dot', color: 'list.warningForeground' },
  unread: { id: 'circle-filled', color: 'textLink.foreground' },
  failed: errorIcon,
  interrupted: warningIcon,
  runsElsewhere: { id: 'sync', color: 'textLink.foreground' },
  asksElsewhere: { id: 'bell', color: 'list.warningForeground' },
};
export const spokenStates: Readonly<Record<Look, string>> = {
  idle: '',
  loading: l10n.t('loading'),
  open: l10n.t('open'),
  running: l10n.t('running'),
  needsYou: l10n.t('needs your answer'),
  unread: l10n.t('not read yet'),
  failed: l10n.t('couldn’t be opened'),
  interrupted: l10n.t('interrupted'),
  runsElsewhere: l10n.t('runs elsewhere'),
  asksElsewhere: l10n.t('needs an answer elsewhere'),
};
/** The states that the row names besides showing the icon. */
export const shownStates: Partial<Readonly<Record<Look, string>>> = {
  running: l10n.t('running'),
  needsYou: l10n.t('needs you'),
  interrupted: l10n.t('interrupted'),
  runsElsewhere: l10n.t('runs elsewhere'),
  asksElsewhere: l10n.t('asks elsewhere'),
};

export function getLook(
  state: Standing,
  { unread, interrupted }: RowFacts,
  told: SessionRow['info']['state'],
): Look {
  if (state !== 'idle' && state !== 'open') {
    return state;
  }
  if (state === 'idle' && (told === 'running' || told === 'requires_action')) {
    return told === 'running' ? 'runsElsewhere' : 'asksElsewhere';
  }
  return interrupted ? 'interrupted' : unread ? 'unread' : state;
}

/** Far more than any row shows, in characters: VS Code cuts it where the row ends. */
const maxBranchLength = 200;
/** Nearly every session is on one of these: to name them would only take room from the titles. */
const usualBranches: ReadonlySet<string> = new Set(['main', 'master', 'HEAD']);

/** The Git branch that the agent names, unless it is the usual one. */
export function gitMark({ info }: SessionRow): string | undefined {
  const branch = cleanText(info.gitBranch ?? '', maxBranchLength);
  return branch === '' || usualBranches.has(branch) ? undefined : branch;
}

const atWork: ReadonlySet<Standing> = new Set<Standing>(['running', 'needsYou', 'asksElsewhere']);

/**
 * The possible actions on a session, as far as its running agent supports them (LOAD-1, RES-1,
 * DEL-1, CLOSE-1).
 */
export function sessionWords(
  agent: Pick<Agent, 'supports'>,
  state: Standing,
  may: { readonly open: boolean; readonly delete: boolean },
): readonly NodeWord[] {
  const words: readonly [NodeWord, boolean][] = [
    [nodeWords.session, true],
    [nodeWords.openable, may.open],
    [nodeWords.resumable, state === 'idle' && agent.supports('resume')],
    [nodeWords.forkable, agent.supports('fork')],
    [nodeWords.deletable, may.delete],
    [nodeWords.open, state !== 'idle'],
    [nodeWords.closable, state !== 'idle' && agent.supports('close')],
    [nodeWords.stoppable, atWork.has(state)],
  ];
  return words.flatMap(([word, holds]) => (holds ? [word] : []));
}

/** The possible actions on a session that don't depend on its agent. */
export function markWords(facts: RowFacts): readonly NodeWord[] {
  const { pinned, archived, alias, unread, review, origin } = facts;
  return [
    pinned ? nodeWords.pinned : nodeWords.pinnable,
    archived ? nodeWords.archived : nodeWords.archivable,
    unread ? nodeWords.unread : nodeWords.readable,
    ...(alias === undefined ? [] : [nodeWords.named]),
    ...(review ? [nodeWords.reviewable] : []),
    ...(origin === undefined ? [] : [nodeWords.branch]),
  ];
}

/** The columns of a row in a side bar 300 pixels wide: a longer row pushes the time out of view. */
const rowColumns = 33;
/** A title keeps at least this many columns, however long the description. */
const leastColumns = 18;
/** A title is cut after a whole word if that drops at most this many characters more. */
const maxRestLength = 9;

/** Characters that are two columns wide. */
const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u;
/** Characters that belong to the one before. */
const attached = /[\p{M}\u200d\ufe0e\ufe0f]+$/u;

/**
 * Shortens a title to leave room for the row's description. Without one, VS Code cuts the title to
 * the width.
 */
export function rowLabel(title: string, description: string): string {
  const room = Math.max(leastColumns, rowColumns - description.length);
  // No character is wider than two columns.
  if (description === '' || title.length * 2 <= room) {
    return title;
  }
  let columns = 0;
  let end = 0;
  for (const letter of title) {
    columns += wide.test(letter) ? 2 : 1;
    if (columns > room) {
      return `${wholeWords(title.slice(0, end), title[end] ?? '')}…`;
    }
    end += letter.length;
  }
  return title;
}

function wholeWords(text: string, next: string): string {
  const space = text.lastIndexOf(' ');
  const cutsWord = next !== ' ' && space >= text.length - maxRestLength && space > 0;
  return (cutsWord ? text.slice(0, space) : text).replace(attached, '').trimEnd();
}
