import type { VNode } from 'preact';
import type { QueuedPrompt } from '../../shared/prompt';
import { useSessionPart, useTranscript } from '../context';
import { formatCount } from '../format';
import { IconButton } from '../render/icon';

/** Prompts that wait for the turn to end, in their order (PR-5). */
export function Queue(): VNode | null {
  const { post } = useTranscript();
  const queue = useSessionPart('queue') ?? [];
  if (queue.length === 0) {
    return null;
  }
  return (
    <section class="queue" aria-label="Queued prompts">
      <p class="queue-title">{formatCount(queue.length, 'prompt')} queued</p>
      <ol class="queue-list">
        {queue.map((prompt) => (
          <li key={prompt.id} class="queued">
            <span class="one-line" title={prompt.draft.text}>
              {lineOf(prompt)}
            </span>
            <IconButton
              icon="edit"
              label="Edit"
              onClick={() => post({ type: 'editQueued', id: prompt.id })}
            />
            <IconButton
              icon="close"
              label="Remove"
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
  return line?.trim() ?? formatCount(draft.attachments.length, 'attachment');
}
