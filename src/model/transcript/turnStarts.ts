import type { Entry, MessageEntry } from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';

/** How many cleared messages are looked past for the one before them. */
const mostCleared = 100;

/** Whether a turn begins with this entry: a user message that doesn't continue the one before it, is no command of the agent's program, and wasn't cleared. */
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
  for (let at = index - 1; at >= Math.max(0, index - mostCleared); at--) {
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
