import * as l10n from '@vscode/l10n';
import type { SubagentState } from '../../shared/transcript/entries';

interface SubagentLook {
  readonly icon: string;
  readonly label: string;
  /** The state that gives its color. */
  readonly is: 'working' | 'asking' | 'done' | 'stopped' | 'failed' | 'unknown';
  /** What went wrong, if the agent says. */
  readonly error?: string;
}

/** How a subagent's state is shown. */
export function subagentLook(state: SubagentState): SubagentLook {
  switch (state.kind) {
    case 'running':
      return { icon: 'loading', label: l10n.t('Running'), is: 'working' };
    case 'requires_action':
      return { icon: 'bell-dot', label: l10n.t('Needs an answer'), is: 'asking' };
    case 'unknown':
      return { icon: 'debug-disconnect', label: l10n.t('Not known'), is: 'unknown' };
    case 'idle':
      return idleLook(state);
  }
}

function idleLook({ stopReason, error }: Extract<SubagentState, { kind: 'idle' }>): SubagentLook {
  if (error !== undefined) {
    return {
      icon: 'error',
      label: l10n.t('Failed'),
      is: 'failed',
      ...(error !== '' && { error }),
    };
  }
  switch (stopReason) {
    case undefined:
    case 'end_turn':
      return { icon: 'check', label: l10n.t('Done'), is: 'done' };
    case 'cancelled':
      return { icon: 'circle-slash', label: l10n.t('Stopped'), is: 'stopped' };
    case 'max_tokens':
    case 'max_turn_requests':
      return { icon: 'warning', label: l10n.t('Stopped at a limit'), is: 'stopped' };
    case 'refusal':
      return { icon: 'circle-slash', label: l10n.t('Refused'), is: 'stopped' };
    default:
      return { icon: 'check', label: l10n.t('Ended: {0}', stopReason), is: 'done' };
  }
}
