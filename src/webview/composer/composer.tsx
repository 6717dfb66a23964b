import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { canStop } from '../../shared/transcript/prompt';
import { findSendKeys, keyLabel, type SendKeys } from '../keys/sendKeys';
import { Icon, IconButton } from '../parts/icon';
import { isLow } from '../parts/lowWindow';
import { useCanSteer, useSessionPart, useTranscript } from '../state/context';
import { BackgroundTasks } from './above/backgroundTasks';
import { Checklist } from './above/checklist';
import { LimitLine } from './above/limitLine';
import { Queue } from './above/queue';
import { TurnStatus } from './above/turnStatus';
import { UnknownOptions } from './above/unknownOptions';
import { Attachments } from './attachments/attachments';
import { DropZone } from './attachments/dropZone';
import type { ComposerState } from './draft/composerState';
import { CompletionList } from './input/completionList';
import { PromptInput } from './input/promptInput';
import { SuggestionList } from './input/suggestionList';
import { AskedAgents } from './options/askedAgents';
import { OptionsMenu } from './options/optionsMenu';
import { OptionsInWords, Pickers } from './options/pickers';
import { UsageMeter } from './options/usageMeter';

interface ComposerProps {
  readonly composer: ComposerState;
}

/** The field in which the user writes to the agent, or the reason why that isn't possible. */
export function Composer({ composer }: ComposerProps): VNode | null {
  const writable = useSessionPart('writable');
  if (!writable) {
    return null;
  }
  return (
    <section class="composer" aria-label={l10n.t('Composer')}>
      <div class="composer-content">
        <TurnStatus />
        <LimitLine />
        {writable.kind === 'yes' && <SuggestionList composer={composer} />}
        <BackgroundTasks />
        <UnknownOptions />
        <Checklist />
        <Queue composer={composer} />
        {writable.kind === 'yes' ? (
          <Box composer={composer} />
        ) : (
          <>
            <Unsendable composer={composer} />
            <p class="composer-closed">
              <Icon name="lock" />
              {writable.reason}
              <OptionsInWords />
            </p>
          </>
        )}
      </div>
    </section>
  );
}

/** What was written before, to be read and copied. */
function Unsendable({ composer }: ComposerProps): VNode {
  const text = composer.text.value;
  const rows = Math.min(text.split('\n').length, 10);
  return (
    <>
      <Attachments composer={composer} />
      {text !== '' && (
        <textarea
          class="prompt-input composer-unsendable"
          aria-label={l10n.t('Unsent Prompt')}
          readOnly
          rows={rows}
          value={text}
        />
      )}
    </>
  );
}

function Box({ composer }: ComposerProps): VNode {
  return (
    <>
      <div class="composer-box">
        <CompletionList composer={composer} />
        <Attachments composer={composer} />
        <PromptInput composer={composer} />
        <Problem composer={composer} />
        <div class="composer-row">
          {isLow.value ? <OptionsMenu composer={composer} /> : <Options composer={composer} />}
          <UsageMeter />
          <SendButtons composer={composer} />
        </div>
      </div>
      <DropZone composer={composer} />
    </>
  );
}

function Options({ composer }: ComposerProps): VNode {
  const { post } = useTranscript();
  return (
    <div class="pickers">
      <AskedAgents />
      <IconButton
        icon="add"
        label={l10n.t('Add Files…')}
        onClick={() => post({ type: 'pickFiles' })}
      />
      <IconButton
        icon="edit"
        label={l10n.t('Edit Prompt in Editor')}
        onClick={() => composer.editInEditor()}
      />
      <Pickers />
    </div>
  );
}

function Problem({ composer }: ComposerProps): VNode {
  const text = composer.problem.value ?? composer.obstacle.value;
  const note = composer.note.value;
  return (
    <>
      <div role="alert" class={text ? 'composer-problem' : undefined}>
        {text}
      </div>
      <div role="status" class={note ? 'composer-note' : undefined}>
        {note}
      </div>
    </>
  );
}

function SendButtons({ composer }: ComposerProps): VNode {
  const { state, post } = useTranscript();
  const turn = useSessionPart('turn');
  const isRunning = turn?.kind === 'running';
  const canSteer = useCanSteer();
  const keys = findSendKeys(useSessionPart('sendsWithCtrl'));
  return (
    <div class="composer-buttons">
      {turn !== undefined && turn.kind !== 'idle' && (
        <IconButton
          icon="debug-stop"
          label={l10n.t('Stop (Escape twice)')}
          disabled={!canStop(turn)}
          isArmed={state.stopKey.armed.value}
          onClick={() => post({ type: 'cancelTurn' })}
        />
      )}
      {canSteer && (
        <IconButton
          icon="zap"
          label={l10n.t('Send Now, into the Running Turn ({0})', keyLabel(keys.now))}
          disabled={!composer.canSend.value}
          onClick={() => {
            composer.send({ now: true });
            composer.focus();
          }}
        />
      )}
      <IconButton
        icon="send"
        label={getSendLabel(isRunning, keys.send)}
        disabled={!composer.canSend.value}
        onClick={() => {
          composer.send();
          composer.focus();
        }}
      />
    </div>
  );
}

function getSendLabel(isRunning: boolean, key: SendKeys['send']): string {
  if (key === 'Enter') {
    return isRunning ? l10n.t('Add to Queue (Enter)') : l10n.t('Send (Enter)');
  }
  return isRunning
    ? l10n.t('Add to Queue ({0})', keyLabel(key))
    : l10n.t('Send ({0})', keyLabel(key));
}
