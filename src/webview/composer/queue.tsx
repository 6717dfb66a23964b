import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { QueuedPrompt } from '../../shared/prompt';
import { useSessionPart, useTranscript } from '../context';
import { attachmentCount, queuedCount } from '../counts';
import { isLow } from '../lowWindow';
import { IconButton } from '../render/icon';
import { PopupButton } from './popupButton';

/** Prompts that wait for the turn to end, in their order (PR-5). */
export function Queue(): VNode | null {
  const queue = useSessionPart('queue') ?? [];
  if (queue.length === 0) {
    return null;
  }
  const label = l10n.t('Queued prompts');
  const count = queuedCount(queue.length);
  return isLow.value ? (
    <PopupButton
      class="text-button queue-button"
      label={count}
      title={label}
      popupClass="queue-popup"
      face={count}
    >
      {() => <Prompts queue={queue} />}
    </PopupButton>
  ) : (
    <section class="queue" aria-label={label}>
      <p class="queue-title">{count}</p>
      <Prompts queue={queue} />
    </section>
  );
}

function Prompts({ queue }: { readonly queue: readonly QueuedPrompt[] }): VNode {
  const { post } = useTranscript();
  return (
    <ol class="queue-list">
      {queue.map((prompt) => (
        <li key={prompt.id} class="queued">
          <span class="one-line" title={prompt.draft.text}>
            {lineOf(prompt)}
          </span>
          <IconButton
            icon="edit"
            label={l10n.t('Edit')}
            onClick={() => post({ type: 'editQueued', id: prompt.id })}
          />
          <IconButton
            icon="close"
            label={l10n.t('Remove')}
            onClick={() => post({ type: 'removeQueued', id: prompt.id })}
          />
        </li>
      ))}
    </ol>
  );
}

/** The first line that says something; without one, what goes along. */
function lineOf({ draft }: QueuedPrompt): string {
  const line = draft.text.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? attachmentCount(draft.attachments.length);
}
