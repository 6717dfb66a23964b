import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailureAction } from '../../shared/failure';
import { literal } from '../../shared/literal';
import type { DrawnTurn } from '../../shared/transcript/drawn';
import type { TurnOutcome } from '../../shared/transcript/entries';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';
import { FailureActions } from './failureActions';

/** PR-6: how a turn ended, if it didn't end normally. */
export function TurnEnd({ turn: { outcome } }: { readonly turn: DrawnTurn }): VNode {
  return outcome.type === 'failed' ? (
    <Failed outcome={outcome} />
  ) : (
    <Stopped stopReason={outcome.stopReason} />
  );
}

const reasons = new Map([
  ['max_tokens', l10n.t('The answer reached the model’s limit')],
  ['max_turn_requests', l10n.t('The turn reached the limit of model requests')],
  ['refusal', l10n.t('The agent refused, and dropped the dimmed entries from its context')],
  ['cancelled', l10n.t('Stopped by you')],
  ['end_turn', l10n.t('The agent answered nothing')],
]);

function Stopped({ stopReason }: { readonly stopReason: string }): VNode {
  return (
    <div class="entry turn-end">
      <div class="divider">
        <span class="divider-label">
          {reasons.get(stopReason) ?? l10n.t('The turn ended: {0}', literal(stopReason))}
        </span>
      </div>
    </div>
  );
}

interface FailedProps {
  readonly outcome: Extract<TurnOutcome, { type: 'failed' }>;
}

function Failed({ outcome: { failure, canResend } }: FailedProps): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  // Send Again replaces Retry.
  const actions = failure.actions.filter((action) => !canResend || action !== 'retry');
  // Without the login, sending again can't help.
  const isFirst = (action: FailureAction): boolean =>
    action === 'signIn' && failure.code === 'authRequired';
  const first = actions.filter(isFirst);
  const rest = actions.filter((action) => !isFirst(action));
  return (
    <div class="entry turn-end">
      <div class="turn-failed">
        <Icon name="error" class="notice-icon" />
        <div class="notice-text">
          <p class="notice-title">{failure.title}</p>
          <p class="notice-detail">{failure.detail}</p>
        </div>
        <div class="notice-actions">
          <FailureActions actions={first} />
          {canResend && (
            <button
              type="button"
              class={first.length > 0 ? 'button button-secondary' : 'button'}
              onClick={() => post({ type: 'sendAgain', index })}
            >
              {l10n.t('Send Again')}
            </button>
          )}
          <FailureActions actions={rest} secondary={canResend || first.length > 0} />
        </div>
      </div>
    </div>
  );
}
