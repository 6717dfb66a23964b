import type { Entry } from '../../shared/transcript/entries';

/** Entries between a call and a question about it that is still drawn with it: the page holds as many beyond its screen. */
const farthest = 15;

/**
 * The place of a call, close enough to the end of the transcript for a question that comes now to be drawn with it:
 * in the same turn, with only a few entries in between.
 */
export function callAbove(entries: readonly Entry[], toolCallId: string): number | undefined {
  const last = entries.length - 1;
  for (let index = last; index >= 0 && index >= last - farthest; index--) {
    const entry = entries[index];
    if (entry?.kind === 'toolCall' && entry.toolCallId === toolCallId) {
      return index;
    }
    if (entry?.kind === 'user') {
      return undefined;
    }
  }
  return undefined;
}
