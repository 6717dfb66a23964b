import { decodedPart } from '../decodedPart';
import { terminalSequences } from '../terminalSequences';
import { type Finder, hidden, type Span, withoutSpans } from './spans';

/** The beginning of a color, as JSON and shells write it. */
const escaped = String.raw`\\(?:u001b|x1b|033)\[[\d;]*m`;
const unseen = String.raw`${escaped}|${terminalSequences.source}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|(?!\s)\p{Cc}`;
/** A character in JSON, a program or a shell, in an address, and in HTML. */
const escapes = [
  String.raw`\\(?:u(?<u>[\da-fA-F]{4})|x(?<x>[\da-fA-F]{2})|(?<line>[nrt])|(?<sign>[^\w\s]| ))`,
  String.raw`(?<bytes>%[0-7][\da-fA-F]|%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F]){1,3})`,
  String.raw`&(?:#(?<number>\d{1,6})|#[xX](?<hex>[\da-fA-F]{1,5})|(?<entity>amp|lt|gt|quot|apos|nbsp));`,
].join('|');
const hiddenOrEscaped = new RegExp(`${unseen}|${escapes}`, 'gu');
/** Most texts are nothing but letters, digits and signs. */
const mayHave = /[^\t\n\r -~]|\\|%[\da-f]{2}|&[#a-z]/i;
/** A text in JSON, in JSON, in an address. */
const maxRounds = 3;
const characters: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t' },
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' },
};

/** The text without what the finder finds in it; without all of it if the finder fails. */
export function withoutFound(text: string, find: Finder): string {
  try {
    return withoutSpans(text, foundIn(text, find));
  } catch {
    return hidden;
  }
}

/**
 * What the finder finds in a text, and in what it stands for: colors of a terminal and invisible characters may be in
 * the middle of a secret or next to it, and its characters may be escaped.
 */
function* foundIn(text: string, find: Finder): Iterable<Span> {
  yield* find(text);
  const views: View[] = [];
  for (const view of getViews(text)) {
    views.unshift(view);
    for (const span of find(view.text)) {
      yield views.reduce(spanBefore, span);
    }
  }
}

/** What a text stands for, step by step, if it has escaped characters. */
export function getMeanings(text: string): readonly string[] {
  return Array.from(getViews(text), (view) => view.text);
}

interface View {
  readonly text: string;
  readonly changes: readonly Change[];
}

/** A place where a view leaves out units: its end in the view, and how many are left out up to there. */
interface Change {
  readonly end: number;
  readonly gap: number;
  /** A character stands in its place. */
  readonly isCharacter: boolean;
}

function* getViews(text: string): Iterable<View> {
  let view: View = { text, changes: [] };
  for (let round = 0; round < maxRounds && mayHave.test(view.text); round++) {
    view = getView(view.text);
    if (view.changes.length === 0) {
      return;
    }
    yield view;
  }
}

function getView(text: string): View {
  const parts: string[] = [];
  const changes: Change[] = [];
  let over = 0;
  let gap = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(hiddenOrEscaped)) {
    const character = getCharacter(groups);
    parts.push(text.slice(over, index), character);
    over = index + whole.length;
    gap += whole.length - character.length;
    changes.push({ end: over - gap, gap, isCharacter: character !== '' });
  }
  return { text: parts.join('') + text.slice(over), changes };
}

function getCharacter(groups: Readonly<Record<string, string | undefined>>): string {
  const { u, x, line, sign, bytes, number, hex, entity } = groups;
  const code = u ?? x ?? hex;
  if (bytes !== undefined) {
    return decodedPart(bytes);
  }
  if (code !== undefined || number !== undefined) {
    const point = code === undefined ? Number(number) : Number.parseInt(code, 16);
    return String.fromCodePoint(point);
  }
  return sign ?? characters[line ?? entity ?? ''] ?? '';
}

/** The span of the text that this is a view of. */
function spanBefore({ start, end }: Span, { changes }: View): Span {
  const first = changesUpTo(start, changes);
  const last = changesUpTo(end - 1, changes);
  const next = changes[last];
  const ends = next?.isCharacter === true && next.end === end ? next : changes[last - 1];
  return { start: start + (changes[first - 1]?.gap ?? 0), end: end + (ends?.gap ?? 0) };
}

/** How many changes are before this unit of the view. */
function changesUpTo(at: number, changes: readonly Change[]): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.end ?? 0) <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
