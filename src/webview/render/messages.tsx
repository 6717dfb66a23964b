import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { DrawnBlock, DrawnMessage } from '../../shared/transcript/drawn';
import { useEntryIndex, useTranscript } from '../state/context';
import { Blocks } from './blocks';
import { Fold, useFold } from './fold';
import { TurnTime } from './turnTime';

interface MessageProps {
  readonly message: DrawnMessage;
}

/** Longer prompts are folded: pasted logs would push the conversation off the screen. */
const longPrompt = { characters: 2000, lines: 25 };

export function UserMessage({ message }: MessageProps): VNode {
  const [open, toggle] = useFold('prompt', false);
  const folds = isLong(message.blocks);
  return (
    <div class="entry user">
      <TurnHeading />
      <div class="bubble">
        <div class={folds && !open ? 'clamped' : undefined}>
          <Blocks blocks={message.blocks} part="blocks" />
        </div>
        {folds && (
          <button type="button" class="more" aria-expanded={open} onClick={toggle}>
            {open ? l10n.t('Show less') : l10n.t('Show more')}
          </button>
        )}
      </div>
      <div class="prompt-foot">
        <Restore />
        {message.turn && <TurnTime {...message.turn} />}
      </div>
    </div>
  );
}

/** Goes back to how the files were before the enclosing prompt; nothing is done before a preview. */
function Restore(): VNode | null {
  const { state, post } = useTranscript();
  const index = useEntryIndex();
  const isRestorable = useComputed(() => state.review.isRestorable(index)).value;
  return isRestorable ? (
    <button type="button" class="restore" onClick={() => post({ type: 'restoreBefore', index })}>
      {l10n.t('Restore to Before This Turn…')}
    </button>
  ) : null;
}

/** A heading for screen reader users, who navigate by headings. */
function TurnHeading(): VNode {
  const { state } = useTranscript();
  const index = useEntryIndex();
  const number = useComputed(() => {
    const turn = state.outline.turnOf(index);
    return turn?.index === index ? turn.number : undefined;
  }).value;
  return (
    <h2 class="sr-only">
      {number === undefined ? l10n.t('You') : l10n.t('Turn {0}: you', number)}
    </h2>
  );
}

export function AgentMessage({ message }: MessageProps): VNode {
  return (
    <div class="entry agent">
      <Blocks blocks={message.blocks} part="blocks" />
    </div>
  );
}

export function Thought({ message }: MessageProps): VNode {
  return (
    <div class="entry">
      <Fold
        part="thought"
        class="thought"
        summary={
          <>
            <span>{l10n.t('Thought')}</span>
            <span class="preview">{previewOf(message.blocks)}</span>
          </>
        }
      >
        {() => <Blocks blocks={message.blocks} part="blocks" />}
      </Fold>
    </div>
  );
}

function isLong(blocks: readonly DrawnBlock[]): boolean {
  const texts = blocks.map((block) => (block.type === 'text' ? block.text : ''));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return (
    characters > longPrompt.characters ||
    texts.reduce((sum, text) => sum + text.split('\n', longPrompt.lines + 1).length, 0) >
      longPrompt.lines
  );
}

/** The beginning of a text in one line, without Markdown's marks. */
function previewOf(blocks: readonly DrawnBlock[]): string {
  const text = blocks.find((block) => block.type === 'text')?.text ?? '';
  return text
    .slice(0, 300)
    .replace(/[*_`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
