import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QueuedPrompt } from '../../../shared/transcript/prompt';
import { IconButton } from '../../parts/icon';
import { isLow } from '../../parts/lowWindow';
import { useCanSteer, useSessionPart, useTranscript } from '../../state/context';
import { attachmentCount, queuedCount, unsentCount } from '../../words/counts';
import { exactTime, timeText } from '../../words/times';
import type { ComposerState } from '../draft/composerState';
import { PopupButton } from '../options/popupButton';

/** Prompts waiting for the turn to end, in order (PR-5), and held ones that the user has to send. */
export function Queue({ composer }: { readonly composer: ComposerState }): VNode | null {
  const queue = useSessionPart('queue') ?? [];
  if (queue.length === 0) {
    return null;
  }
  const all = <AllPrompts queue={queue} focus={() => composer.focus()} />;
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

interface AllPromptsProps {
  readonly queue: readonly QueuedPrompt[];
  /** Takes the focus to the prompt's field. */
  readonly focus: () => void;
}

function AllPrompts({ queue, focus }: AllPromptsProps): VNode {
  const later = queue.filter(({ at }) => at !== undefined);
  const held = queue.filter((prompt) => prompt.held && prompt.at === undefined);
  const waiting = queue.filter((prompt) => !prompt.held);
  return (
    <>
      {held.length > 0 && (
        <Prompts
          label={l10n.t('Prompts not sent')}
          title={unsentCount(held.length)}
          all={held}
          actions={held.length > 1 && <AllAtOnce all={held} focus={focus} />}
        />
      )}
      {later.length > 0 && (
        <Prompts
          label={l10n.t('Prompts for later')}
          title={l10n.t('Sent when the limit is reset, only while this window is open')}
          all={later}
        />
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
  /** What stands beside the title. */
  readonly actions?: ComponentChildren;
}

function Prompts({ label, title, all, actions }: PromptsProps): VNode {
  const { post } = useTranscript();
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<Moved>(undefined);
  const said = useSignal('');
  const order = all.map(({ id }) => id).join();
  // The browser may take the focus from an element that changes its place.
  useLayoutEffect(() => {
    const row = moved.current && list.current?.querySelector(`[data-id="${moved.current.id}"]`);
    const [up, down] = row?.querySelectorAll<HTMLButtonElement>('.queued-move button') ?? [];
    const same = moved.current?.isUp ? up : down;
    (same?.disabled ? (moved.current?.isUp ? down : up) : same)?.focus();
    moved.current = undefined;
  }, [order]);
  const move = (prompt: QueuedPrompt, by: -1 | 1): void => {
    const to = all.indexOf(prompt) + by;
    if (to >= 0 && to < all.length) {
      moved.current = { id: prompt.id, isUp: by < 0 };
      said.value = l10n.t('Now at position {0} of {1}', to + 1, all.length);
      post({ type: 'moveQueued', id: prompt.id, to });
    }
  };
  return (
    <section aria-label={label}>
      <div class="queue-head">
        <p class="queue-title">{title}</p>
        {actions}
      </div>
      <ol class="queue-list" ref={list}>
        {all.map((prompt, index) => (
          <Prompt
            key={prompt.id}
            prompt={prompt}
            place={all.length > 1 ? { isFirst: index === 0, isLast: index === all.length - 1 } : {}}
            move={(by) => move(prompt, by)}
          />
        ))}
      </ol>
      <div class="sr-only" role="status">
        {said.value}
      </div>
    </section>
  );
}

/** What can be done with all held prompts: they are sent in their order, or dropped. */
function AllAtOnce({
  all,
  focus,
}: {
  readonly all: readonly QueuedPrompt[];
  readonly focus: () => void;
}): VNode {
  const { post } = useTranscript();
  const each = (type: 'sendQueued' | 'removeQueued') => () => {
    for (const { id } of all) {
      post({ type, id });
    }
    // These buttons go with the prompts.
    focus();
  };
  return (
    <>
      <button type="button" class="text-button" onClick={each('sendQueued')}>
        {l10n.t('Send All')}
      </button>
      <button type="button" class="text-button" onClick={each('removeQueued')}>
        {l10n.t('Remove All')}
      </button>
    </>
  );
}

/** The prompt that was moved, and the direction: its button keeps the focus. */
interface Moved {
  readonly id: number;
  readonly isUp: boolean;
}

interface PromptProps {
  readonly prompt: QueuedPrompt;
  /** Empty if it is the only one. */
  readonly place: { readonly isFirst?: boolean; readonly isLast?: boolean };
  readonly move: (by: -1 | 1) => void;
}

function Prompt({ prompt, place, move }: PromptProps): VNode {
  const { post } = useTranscript();
  const canSteer = useCanSteer();
  const { id, draft, held, at } = prompt;
  const why =
    at === undefined
      ? l10n.t('Not sent: the turn it was queued for was ended. It won’t be sent automatically.')
      : l10n.t('Sent on {0}, if this window is still open.', exactTime(at));
  return (
    <li
      class="queued"
      data-id={id}
      onKeyDown={(event) => {
        if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          event.preventDefault();
          move(event.key === 'ArrowUp' ? -1 : 1);
        }
      }}
    >
      <span class="one-line" title={held ? `${why}\n\n${draft.text}` : draft.text}>
        {getLine(prompt)}
      </span>
      {at !== undefined && <span class="queued-time">{timeText(at, Date.now())}</span>}
      {canSteer && !held && (
        <IconButton
          icon="zap"
          label={l10n.t('Send Now, into the Running Turn')}
          onClick={() => post({ type: 'sendNow', id })}
        />
      )}
      {held && (
        <IconButton
          icon="send"
          label={l10n.t('Send')}
          onClick={() => post({ type: 'sendQueued', id })}
        />
      )}
      {place.isFirst !== undefined && <MoveButtons place={place} move={move} />}
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

function MoveButtons({ place, move }: Pick<PromptProps, 'place' | 'move'>): VNode {
  return (
    <span class="queued-move">
      <IconButton
        icon="arrow-up"
        label={l10n.t('Move Up (Alt+Up)')}
        disabled={place.isFirst === true}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Move Down (Alt+Down)')}
        disabled={place.isLast === true}
        onClick={() => move(1)}
      />
    </span>
  );
}

/** Maximum length of a line in UTF-16 units: more than any row shows. */
const maxLineLength = 500;

/** The prompt's lines one after the other, otherwise the number of attachments. */
function getLine({ draft }: QueuedPrompt): string {
  const line = draft.text.trim().slice(0, maxLineLength).replace(/\s+/g, ' ');
  return line === '' ? attachmentCount(draft.attachments.length) : line;
}
