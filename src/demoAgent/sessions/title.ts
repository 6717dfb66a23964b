import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import { unusable } from '../vocabulary/requestErrors';

const longest = 80;

/** The first non-empty line of the prompt's text, shortened to at most 80 graphemes. */
export function getTitle(prompt: readonly ContentBlock[]): string {
  for (const block of prompt) {
    const lines = block.type === 'text' ? block.text.split('\n').map(oneLine) : [];
    const line = lines.find((candidate) => candidate !== '');
    if (line !== undefined) {
      return shortened(line);
    }
  }
  return 'A prompt without text';
}

/** A title chosen by the user, cleaned; throws -32602 if nothing is left of it. */
export function checkedTitle(title: string): string {
  const cleaned = oneLine(title).slice(0, 500).trim();
  if (cleaned === '') {
    throw unusable('A title needs at least one character');
  }
  return cleaned;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Segments only the start: the segmenter copies its whole input for each grapheme. */
function shortened(line: string): string {
  const start = line.slice(0, longest * 50);
  let count = 0;
  for (const grapheme of new Intl.Segmenter().segment(start)) {
    if (count === longest) {
      return `${start.slice(0, grapheme.index).trimEnd()}…`;
    }
    count++;
  }
  return start === line ? line : `${start}…`;
}
