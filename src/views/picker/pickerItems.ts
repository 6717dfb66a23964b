import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionList, SessionRow } from '../../model/agent';
import { isTitledByPrompt } from '../../model/list/promptTitles';
import type { SessionMarks } from '../../model/marks/marks';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import type { Failure } from '../../shared/failure';
import type { Attention } from '../attention/attention';
import { getStanding, type Standing } from '../attention/standing';
import { relativeTime } from '../dates';
import { plainLabel } from '../plainLabel';
import { isRemembered } from '../sessions/nodes/appearance';
import { metaLines } from '../sessions/nodes/tooltips';
import type { SessionCandidate } from './sessionRanking';

/** A session in the picker, with the list and row that it comes from. */
export interface PickerCandidate extends SessionCandidate {
  readonly list: SessionList;
  readonly row: SessionRow;
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly standing: Standing;
}

export interface SessionItem extends vscode.QuickPickItem {
  readonly session?: PickerCandidate;
}

/** Local state of the listed sessions. */
export interface LocalSessionState {
  readonly sessions: Pick<Sessions, 'find'>;
  readonly attention: Pick<Attention, 'isUnread'>;
  readonly marks: Pick<SessionMarks, 'get'>;
}

const ranks: Readonly<Record<Standing, number>> = {
  needsYou: 4,
  running: 3,
  asksElsewhere: 3,
  unread: 3,
  loading: 2,
  failed: 2,
  open: 2,
  idle: 0,
};

const words: Readonly<Record<Standing, string>> = {
  needsYou: l10n.t('needs you'),
  running: l10n.t('running'),
  asksElsewhere: l10n.t('asks elsewhere'),
  unread: l10n.t('unread'),
  loading: l10n.t('loading'),
  failed: l10n.t('failed'),
  open: l10n.t('open'),
  idle: '',
};

/** The candidate for a row; `before`, the row's previous candidate, is returned if it is still accurate. */
export function getCandidate(
  list: SessionList,
  row: SessionRow,
  { sessions, attention, marks }: LocalSessionState,
  before: PickerCandidate | undefined,
): PickerCandidate {
  const { info } = row;
  const session = sessions.find(list.agent.id, info.sessionId);
  const standing = getStanding(session, session !== undefined && attention.isUnread(session));
  const { alias, pinned, ...mark } = marks.get(list.agent.id, info.sessionId);
  const archived = mark.archived || info.archived === true;
  const title = alias ?? row.title;
  if (
    before?.row === row &&
    before.list === list &&
    before.standing === standing &&
    before.pinned === pinned &&
    before.archived === archived &&
    before.title === title
  ) {
    return before;
  }
  return {
    list,
    row,
    pinned,
    archived,
    standing,
    title,
    otherTitle: alias === undefined ? '' : row.title,
    agent: list.agent.title,
    folder: cleanText(list.folder?.name ?? info.cwd, 120),
    sessionId: cleanText(info.sessionId, 120),
    facts: metaLines(info._meta).join(' '),
    updatedAt: row.updatedAt,
    // Archived sessions sort last; searching ignores a negative rank.
    rank: archived ? -1 : ranks[standing] + (pinned ? 1 : 0),
  };
}

export const buttons = {
  side: { iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: l10n.t('Open to the Side') },
  pin: { iconPath: new vscode.ThemeIcon('pin'), tooltip: l10n.t('Pin') },
  unpin: { iconPath: new vscode.ThemeIcon('pinned'), tooltip: l10n.t('Unpin') },
  delete: { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete…') },
  /** The button for a session that only this window lists and its agent can't delete. */
  forget: { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Forget…') },
} as const satisfies Readonly<Record<string, vscode.QuickInputButton>>;

/**
 * `alwaysShow`: the rows are filtered here. VS Code would filter them again by the label alone, which can't be
 * turned off (https://github.com/microsoft/vscode/issues/83425).
 */
export function toItem(
  candidate: PickerCandidate,
  shows: { readonly folder: boolean; readonly buttons: boolean },
  now: number,
): SessionItem {
  const { list, row, title, pinned, archived, standing, updatedAt, folder } = candidate;
  const description = [
    list.agent.title,
    ...(shows.folder ? [folder] : []),
    ...(updatedAt === undefined ? [] : [relativeTime(updatedAt, now)]),
    ...(words[standing] === '' ? [] : [words[standing]]),
    ...(archived ? [l10n.t('archived')] : []),
    ...(title === row.title && isTitledByPrompt(row.info)
      ? [l10n.t('from your first prompt')]
      : []),
  ];
  return {
    label: `${pinned ? '$(pinned) ' : ''}${plainLabel(title)}`,
    description: plainLabel(description.join(' · ')),
    alwaysShow: true,
    session: candidate,
    ...(shows.buttons && {
      buttons: [buttons.side, pinned ? buttons.unpin : buttons.pin, ...getRemoveButtons(list)],
    }),
    ...(row.title !== title && { detail: plainLabel(row.title) }),
  };
}

function getRemoveButtons(list: SessionList): readonly vscode.QuickInputButton[] {
  if (list.agent.supports('delete')) {
    return [buttons.delete];
  }
  return isRemembered(list) ? [buttons.forget] : [];
}

/** Whether both lists look the same to the user. */
export function sameItems(some: readonly SessionItem[], others: readonly SessionItem[]): boolean {
  return (
    some.length === others.length &&
    some.every((item, index) => {
      const other = others[index];
      return (
        item.session?.row.key === other?.session?.row.key &&
        item.label === other?.label &&
        item.description === other.description &&
        item.detail === other.detail &&
        item.buttons?.length === other.buttons?.length
      );
    })
  );
}

/** A row for the failure that left a list incomplete. */
export function problemItem(list: SessionList): SessionItem | undefined {
  const failure = findFailure(list);
  return (
    failure && {
      label: `$(error) ${plainLabel(failure.title)}`,
      detail: plainLabel(failure.detail),
      alwaysShow: true,
    }
  );
}

function findFailure({ state, more, stale }: SessionList): Failure | undefined {
  if (state.kind === 'failed') {
    return state.failure;
  }
  return more.kind === 'failed' ? more.failure : stale;
}
