import type { Entry, MessageEntry } from '../../shared/transcript/entries';

/** Whether a turn begins with this entry: a user message that doesn't continue the one before it. */
export function startsTurn(entries: readonly Entry[], index: number): boolean {
  const entry = entries[index];
  const before = index === 0 ? undefined : entries[index - 1];
  return entry?.kind === 'user' && !goesOn(before, entry);
}

/** Messages without an ID may be parts of one prompt; another ID is another prompt, answered or not. */
function goesOn(before: Entry | undefined, { messageId }: MessageEntry): boolean {
  return (
    before?.kind === 'user' &&
    (before.messageId === undefined || messageId === undefined || before.messageId === messageId)
  );
}
