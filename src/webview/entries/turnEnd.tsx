import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FailureAction } from '../../shared/failure';
import { literal } from '../../shared/literal';
import type { DrawnTurn } from '../../shared/transcript/drawn';
import { endsTurn, type TurnOutcome } from '../../shared/transcript/entries';
import { silentTurnWords } from '../../shared/transcript/silentTurnWords';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';
import { FailureActions } from './failureActions';

/** PR-6: how a turn ended, if it didn't end normally. */
export function TurnEnd({ turn: { outcome } }: { readonly turn: DrawnTurn }): VNode {
  return outcome.type === 'failed' ? (
    <Failed outcome={outcome} />
  ) : endsTurn(outcome) ? (
    <Silent canResend={outcome.canResend} />
  ) : (
    <Ending
      text={
        reasons.get(outcome.stopReason) ??
        l10n.t('The turn ended: {0}', literal(outcome.stopReason))
      }
    />
  );
}

const reasons = new Map([
  ['max_tokens', l10n.t('The answer reached the model’s limit')],
  ['max_turn_requests', l10n.t('The turn reached the limit of model requests')],
  ['refusal', l10n.t('The agent refused, and dropped the dimmed entries from its context')],
  ['cancelled', l10n.t('Stopped by you')],
]);

function Ending({ text }: { readonly text: string }): VNode {
  return (
    <div class="entry turn-end">
      <div class="divider">
        <span class="divider-label">{text}</span>
      </div>
    </div>
  );
}

/** The agent has answered nothing. What helps is offered until the next prompt. */
function Silent({ canResend = false }: { readonly canResend: boolean | undefined }): VNode {
  const { state } = useTranscript();
  const title = silentTurnWords(state.agentTitle.value);
  return canResend ? (
    <div class="entry turn-end">
      <div class="turn-failed turn-silent">
        <Icon name="info" class="notice-icon" />
        <div class="notice-text">
          <p class="notice-title">{title}</p>
          <p class="notice-detail">{l10n.t('It reported no error. The log may say why.')}</p>
        </div>
        <div class="notice-actions">
          <SendAgain />
          <FailureActions actions={['diagnose', 'showLog']} secondary />
        </div>
      </div>
    </div>
  ) : (
    <Ending text={title} />
  );
}

/** Sends the prompt of the turn again. */
function SendAgain({ secondary = false }: { readonly secondary?: boolean }): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <button
      type="button"
      class={secondary ? 'button button-secondary' : 'button'}
      onClick={() => post({ type: 'sendAgain', index })}
    >
      {l10n.t('Send Again')}
    </button>
  );
}

/** Goes on in a session that begins before the image that this one can't get rid of. */
function ContinueWithoutImage(): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <button
      type="button"
      class="button"
      onClick={() => post({ type: 'branch', act: 'withoutImage', index })}
    >
      {l10n.t('Continue Without the Image')}
    </button>
  );
}

/** Keeps the prompt of a turn that a limit has ended until that is reset. */
function SendWhenReset(): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <button type="button" class="button" onClick={() => post({ type: 'sendWhenReset', index })}>
      {l10n.t('Send When Reset')}
    </button>
  );
}

interface FailedProps {
  readonly outcome: Extract<TurnOutcome, { type: 'failed' }>;
}

function Failed({ outcome: { failure, canResend } }: FailedProps): VNode {
  const { state } = useTranscript();
  // Send Again replaces Retry.
  const actions = failure.actions.filter((action) => !canResend || action !== 'retry');
  // Without the login, sending again can't help.
  const isFirst = (action: FailureAction): boolean =>
    action === 'signIn' && failure.code === 'authRequired';
  const first = actions.filter(isFirst);
  const canLeave = failure.code === 'imageRefused' && state.session.value?.branches !== undefined;
  const canWait = canResend && (failure.resetsAt ?? 0) > Date.now();
  const helps = first.length > 0 || canWait || canLeave;
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
          {canWait && <SendWhenReset />}
          {canLeave && <ContinueWithoutImage />}
          {canResend && <SendAgain secondary={helps} />}
          <FailureActions actions={rest} secondary={canResend || helps} />
        </div>
      </div>
    </div>
  );
}
