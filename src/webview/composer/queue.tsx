import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { QueuedPrompt } from '../../shared/prompt/prompt';
import { isLow } from '../page/lowWindow';
import { IconButton } from '../render/icon';
import { useSessionPart, useTranscript } from '../state/context';
import { attachmentCount, queuedCount, unsentCount } from '../words/counts';
import { PopupButton } from './popupButton';

/** Prompts waiting for the turn to end, in order (PR-5), and held ones that the user has to send. */
export function Queue(): VNode | null {
  const queue = useSessionPart('queue') ?? [];
  if (queue.length === 0) {
    return null;
  }
  const all = <AllPrompts queue={queue} />;
  return isLow.value ? (
    <PopupButton
      class="text-button queue-button"
      label={queuedCount(queue.length)}
      title={l10n.t('Queued prompts')}
      popupClass="queue-popup"
      face={queuedCount(queue.length)}
    >
      {() => all}
    </PopupButton>
  ) : (
    <div class="queue">{all}</div>
  );
}

function AllPrompts({ queue }: { readonly queue: readonly QueuedPrompt[] }): VNode {
  const held = queue.filter((prompt) => prompt.held);
  const waiting = queue.filter((prompt) => !prompt.held);
  return (
    <>
      {held.length > 0 && (
        <Prompts label={l10n.t('Prompts not sent')} title={unsentCount(held.length)} all={held} />
      )}
      {waiting.length > 0 && (
        <Prompts
          label={l10n.t('Queued prompts')}
          title={queuedCount(waiting.length)}
          all={waiting}
        />
      )}
    </>
  );
}

interface PromptsProps {
  readonly label: string;
  readonly title: string;
  readonly all: readonly QueuedPrompt[];
}

function Prompts({ label, title, all }: PromptsProps): VNode {
  return (
    <section aria-label={label}>
      <p class="queue-title">{title}</p>
      <ol class="queue-list">
        {all.map((prompt) => (
          <Prompt key={prompt.id} prompt={prompt} />
        ))}
      </ol>
    </section>
  );
}

function Prompt({ prompt }: { readonly prompt: QueuedPrompt }): VNode {
  const { post } = useTranscript();
  const { id, draft, held } = prompt;
  const why = l10n.t(
    'Not sent: the turn it was queued for was ended. It won’t be sent automatically.',
  );
  return (
    <li class="queued">
      <span class="one-line" title={held ? `${why}\n\n${draft.text}` : draft.text}>
        {lineOf(prompt)}
      </span>
      {held && (
        <IconButton
          icon="send"
          label={l10n.t('Send')}
          onClick={() => post({ type: 'sendQueued', id })}
        />
      )}
      <IconButton
        icon="edit"
        label={l10n.t('Edit')}
        onClick={() => post({ type: 'editQueued', id })}
      />
      <IconButton
        icon="close"
        label={l10n.t('Remove')}
        onClick={() => post({ type: 'removeQueued', id })}
      />
    </li>
  );
}

/** The first line that isn't blank, otherwise the number of attachments. */
function lineOf({ draft }: QueuedPrompt): string {
  const line = draft.text.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? attachmentCount(draft.attachments.length);
}
