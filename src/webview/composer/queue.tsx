import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { QueuedPrompt } from '../../shared/prompt';
import { useSessionPart, useTranscript } from '../context';
import { attachmentCount, queuedCount } from '../counts';
import { IconButton } from '../render/icon';

/** Prompts that wait for the turn to end, in their order (PR-5). */
export function Queue(): VNode | null {
  const { post } = useTranscript();
  const queue = useSessionPart('queue') ?? [];
  if (queue.length === 0) {
    return null;
  }
  return (
    <section class="queue" aria-label={l10n.t('Queued prompts')}>
      <p class="queue-title">{queuedCount(queue.length)}</p>
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
    </section>
  );
}

/** The first line that says something; without one, what goes along. */
function lineOf({ draft }: QueuedPrompt): string {
  const line = draft.text.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? attachmentCount(draft.attachments.length);
}
