import type { Entry } from '../../../shared/transcript/entries';
import type { OutlineTurn } from '../../../shared/transcript/outline';
import type { Draft } from '../../../shared/transcript/prompt';

/**
 * The prompt of the first of the turns in a row, up to the one with this prompt, that failed because of an image: what
 * comes before it is free of that image.
 */
export function findRefusedPrompt(
  entries: readonly Entry[],
  turns: readonly OutlineTurn[],
  prompt: number,
): number {
  let at = turns.findIndex(({ index }) => index === prompt);
  let first = prompt;
  while (at > 0) {
    const before = turns[--at];
    if (before === undefined || !entries.slice(before.index, first).some(saysRefused)) {
      break;
    }
    first = before.index;
  }
  return first;
}

function saysRefused(entry: Entry): boolean {
  return (
    entry.kind === 'turn' &&
    entry.outcome.type === 'failed' &&
    entry.outcome.failure.code === 'imageRefused'
  );
}

export function withoutImages({ attachments, ...draft }: Draft): Draft {
  return { ...draft, attachments: attachments.filter(({ type }) => type !== 'image') };
}
