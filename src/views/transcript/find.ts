import type { Entry } from '../../shared/entries';

/** The next or previous turn or tool call, seen from entry `from`; `undefined` when there is none. */
export function seekEntry(
  entries: readonly Entry[],
  target: 'turn' | 'toolCall',
  direction: 'next' | 'previous',
  from: number,
): number | undefined {
  const kind = target === 'turn' ? 'user' : 'toolCall';
  const step = direction === 'next' ? 1 : -1;
  const start = Math.min(from, entries.length) + step;
  for (let index = start; index >= 0 && index < entries.length; index += step) {
    if (entries[index]?.kind === kind) {
      return index;
    }
  }
  return undefined;
}
