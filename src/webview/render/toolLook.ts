import type { ToolKind } from '../../shared/content';
import type { ToolCallState } from '../../shared/entries';

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

/** `interrupted`: it will never end, because the agent that ran it is gone (T-16). */
export const statusLooks: Readonly<Record<ToolCallState, StatusLook>> = {
  pending: { icon: 'circle-outline', label: 'Pending' },
  in_progress: { icon: 'loading', label: 'Running' },
  completed: { icon: 'check', label: 'Completed' },
  failed: { icon: 'error', label: 'Failed' },
  cancelled: { icon: 'circle-slash', label: 'Cancelled' },
  interrupted: { icon: 'debug-disconnect', label: 'Interrupted' },
};
