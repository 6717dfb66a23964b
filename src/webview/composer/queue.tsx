import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { QueuedPrompt } from '../../shared/prompt';
import { useSessionPart, useTranscript } from '../context';
import { attachmentCount, queuedCount, unsentCount } from '../counts';
import { IconButton } from '../render/icon';

/** Prompts that wait for the turn to end, in their order (PR-5), and those that a person has to send. */
export function Queue(): VNode | null {
  const queue = useSessionPart('queue') ?? [];
  const held = queue.filter((prompt) => prompt.held);
  const waiting = queue.filter((prompt) => !prompt.held);
  return queue.length === 0 ? null : (
    <div class="queue">
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
    </div>
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
  const why = l10n.t('Not sent: the turn that it waited for was ended. Nothing is sent by itself.');
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

/** The first line that says something; without one, what goes along. */
function lineOf({ draft }: QueuedPrompt): string {
  const line = draft.text.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? attachmentCount(draft.attachments.length);
}
