import type { Entry, MessageEntry } from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';

/** A user's prompt in a transcript, in the transcript's order. */
export interface PlacedPrompt {
  /** The index of its entry. */
  readonly index: number;
  readonly text: string;
  /** When it was sent from this window, in ms since the epoch; absent in a replay. */
  readonly began?: number;
}

/** Maximum length of a prompt's beginning by which it is found. */
const maxTextLength = 300;
/** Maximum number of cleared messages to skip in search of the one before them. */
const maxClearedMessages = 100;

/**
 * Whether a turn begins with this entry: a user message that doesn't continue the one before it, isn't a command to the
 * agent's program, and wasn't cleared.
 */
export function startsTurn(entries: readonly Entry[], index: number): boolean {
  const entry = entries[index];
  return (
    entry?.kind === 'user' &&
    !isEmpty(entry) &&
    !entry.command &&
    !goesOn(shownBefore(entries, index), entry)
  );
}

/** The entry before this one that isn't a cleared message. */
function shownBefore(entries: readonly Entry[], index: number): Entry | undefined {
  for (let at = index - 1; at >= Math.max(0, index - maxClearedMessages); at--) {
    const entry = entries[at];
    if (entry !== undefined && !isEmpty(entry)) {
      return entry;
    }
  }
  return undefined;
}

/** Messages without an ID may be parts of one prompt; another ID is another prompt, answered or not. */
function goesOn(before: Entry | undefined, { messageId }: MessageEntry): boolean {
  return (
    before?.kind === 'user' &&
    !before.command &&
    (before.messageId === undefined || messageId === undefined || before.messageId === messageId)
  );
}

/** The prompts at these places of a transcript. */
export function promptsAt(
  indexes: readonly number[],
  entries: readonly Entry[],
): readonly PlacedPrompt[] {
  return indexes.flatMap((index) => {
    const entry = entries[index];
    if (entry?.kind !== 'user') {
      return [];
    }
    const first = entry.blocks.find((block) => block.type === 'text');
    const text = (first?.text ?? '').slice(0, maxTextLength);
    return [{ index, text, ...(entry.turn && { began: entry.turn.began }) }];
  });
}

/** The text of the last prompt; empty before the first one. */
export function lastPromptIn(entries: readonly Entry[]): string {
  const last = entries.findLastIndex((_, index) => startsTurn(entries, index));
  return promptsAt([last], entries)[0]?.text ?? '';
}
