import type { Span } from './spans';

const edge = /-{4,5} ?(BEGIN|END) [A-Z0-9][A-Z0-9 ]{0,60}-{4,5}/g;
/** The beginning of a key, behind what may number or quote its lines; anything else only speaks of one. */
const body = /[\w+/=]{16}/;
/** UTF-16 units in which that is looked for. */
const bodyUnits = 200;
/** A whole line of a key, as it may be printed apart from the others; behind a `-` it is the hash of a package. */
const lone =
  /(?:(?<![\w+/=-])|(?<=\\[nrt]))(?:[A-Za-z0-9+/]{76}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{64})(?![\w+/=-])/g;
/** What stands between two lines of a key: its end, and what may number or quote the next one. */
const between = /((?:\s|\\[rn])+(?:[\d|>:+#*/ \t-]{1,12}(?<=[\s|>:+#*-]))?)/;
const keyLine = /^[A-Za-z0-9+/]+={0,2}$/;
const fullLine = 40;

/**
 * Keys and certificates in PEM and what resembles it, without the lines that say so: also those whose end is cut off,
 * those whose beginning is, and single lines.
 */
export function* keyBlocks(text: string): Iterable<Span> {
  let begun: number | undefined;
  let over = 0;
  for (const { 0: line, 1: which, index } of text.matchAll(edge)) {
    if (which === 'END') {
      yield { start: begun ?? getBeginning(text, over, index), end: index };
    } else if (begun !== undefined) {
      yield* cutOff(text, begun, index);
    }
    over = index + line.length;
    begun = which === 'END' ? undefined : over;
  }
  if (begun !== undefined) {
    yield* cutOff(text, begun, text.length);
  }
  for (const { 0: line, index } of text.matchAll(lone)) {
    if (/\d/.test(line) && /[A-Z]/.test(line) && /[a-z]/.test(line)) {
      yield { start: index, end: index + line.length };
    }
  }
}

function* cutOff(text: string, start: number, end: number): Iterable<Span> {
  if (body.test(text.slice(start, Math.min(end, start + bodyUnits)))) {
    yield { start, end };
  }
}

/** The start of the lines of the key that ends here and doesn't begin at or after `over`. */
function getBeginning(text: string, over: number, end: number): number {
  // Lines, and between them what separates them.
  const parts = text.slice(over, end).split(between);
  const last = parts.at(-1) === '' ? parts.length - 3 : parts.length - 1;
  if (!keyLine.test(parts[last] ?? '')) {
    return end;
  }
  let first = last;
  while (first >= 2 && isFull(parts[first - 2] ?? '')) {
    first -= 2;
  }
  return over + parts.slice(0, first).join('').length;
}

function isFull(line: string): boolean {
  return line.length >= fullLine && keyLine.test(line);
}
