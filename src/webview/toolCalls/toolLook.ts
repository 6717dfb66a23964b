import * as l10n from '@vscode/l10n';
import type { ToolKind } from '../../shared/transcript/content';
import type { DrawnToolCall } from '../../shared/transcript/drawn';
import type { ToolCallState } from '../../shared/transcript/entries';

export const toolIcons: Readonly<Record<ToolKind, string>> = {
  read: 'file',
  edit: 'edit',
  delete: 'trash',
  move: 'file-symlink-file',
  search: 'search',
  execute: 'terminal',
  think: 'lightbulb',
  fetch: 'globe',
  switch_mode: 'arrow-swap',
  other: 'tools',
};

interface StatusLook {
  readonly icon: string;
  readonly label: string;
}

/**
 * `interrupted`: it will never end, because the agent that ran it is gone (T-16); `rejected`: it
 * wasn't allowed.
 */
const statusLooks: Readonly<Record<ToolCallState, StatusLook>> = {
  pending: { icon: 'circle-outline', label: l10n.t('Pending') },
  in_progress: { icon: 'loading', label: l10n.t('Running') },
  paused: { icon: 'debug-pause', label: l10n.t('Paused') },
  completed: { icon: 'check', label: l10n.t('Completed') },
  failed: { icon: 'error', label: l10n.t('Failed') },
  cancelled: { icon: 'circle-slash', label: l10n.t('Canceled') },
  rejected: { icon: 'circle-slash', label: l10n.t('Rejected') },
  interrupted: { icon: 'debug-disconnect', label: l10n.t('Interrupted') },
};

const asked: StatusLook = { icon: 'bell-dot', label: l10n.t('Waiting for your answer') };

/** What a call says of its status: it doesn't run while it waits for the user. */
export function statusLook(call: Pick<DrawnToolCall, 'status' | 'asked'>): StatusLook {
  return call.asked ? asked : statusLooks[call.status];
}
