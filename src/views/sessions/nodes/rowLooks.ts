import * as l10n from '@vscode/l10n';
import type { SessionRow } from '../../../model/agent';
import { cleanText } from '../../../model/text/titles';
import type { Standing } from '../../attention/standing';
import type { RowFacts } from './arrange';

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
type Look = Standing | 'interrupted' | 'runsElsewhere';

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

export function lookOf(
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
const longestBranch = 200;
/** Nearly every session is on one of these: to name them would only take room from the titles. */
const usualBranches: ReadonlySet<string> = new Set(['main', 'master', 'HEAD']);

/** The Git branch that the agent names, unless it is the usual one. */
export function gitMark({ info }: SessionRow): string | undefined {
  const branch = cleanText(info.gitBranch ?? '', longestBranch);
  return branch === '' || usualBranches.has(branch) ? undefined : branch;
}
