import type { Entry } from '../../shared/transcript/entries';

/**
 * Maximum number of entries between a call and a question that is drawn with it: the page holds as
 * many rows beyond its viewport.
 */
const farthest = 15;

/**
 * The index of a call that is close enough above what follows the entry `last`, such as a new
 * question about it, for that to be drawn with it: in the same turn, with only a few entries in between.
 */
export function callAbove(
  entries: readonly Entry[],
  toolCallId: string,
  last = entries.length - 1,
): number | undefined {
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
