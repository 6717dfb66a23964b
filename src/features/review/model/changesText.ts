import { commonEnds } from '../../../model/text/changedLines';
import { findHunks } from '../../../model/text/compareTexts';
import { literalLine } from '../../../shared/literal';
import { Effort } from '../../../util/effort';
import type { TurnFile } from './review';

/** A changed file by the path that is shown. */
export interface NamedChange extends Pick<TurnFile, 'kind' | 'form'> {
  readonly name: string;
  /** The path that it had before. */
  readonly oldName?: string;
  /** `null`: no file. `undefined`: not a text, or not recorded. Only called if there is room for it. */
  readonly read: () => Promise<{ readonly before: Side; readonly after: Side }>;
}

type Side = string | null | undefined;

/** Changes of files as a unified diff. */
export interface ChangesText {
  readonly text: string;
  /** The number of files that are only named, or not even that. */
  readonly leftOut: number;
}

/** UTF-16 units of all diffs together; the names of what is left out come on top. */
const maxLength = 200_000;
const maxNames = 100;
const maxName = 500;
/** Steps for the comparisons of all files. */
const maxEffort = 20_000_000;

/** The unified diffs of these files, with the names of those that have none or for which there is no room. */
export async function changesText(files: readonly NamedChange[]): Promise<ChangesText> {
  const effort = new Effort(maxEffort);
  const diffs: string[] = [];
  const leftOut: string[] = [];
  let room = maxLength;
  for (const file of files) {
    const diff = room > 0 ? await diffOf(file, effort) : undefined;
    if (diff !== undefined && diff.length <= room) {
      diffs.push(diff);
      room -= diff.length;
    } else {
      leftOut.push(`${nameOf(file.name)} (${file.kind}; ${getReason(file, diff, room)})`);
    }
  }
  return { text: [...diffs, ...namesOf(leftOut)].join('\n'), leftOut: leftOut.length };
}

async function diffOf(
  { name, oldName = name, kind, form, read }: NamedChange,
  effort: Effort,
): Promise<string | undefined> {
  const { before, after } = form === 'text' ? await read() : {};
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const [from, to] = [nameOf(oldName), nameOf(name)];
  return [
    `--- ${kind === 'added' ? '/dev/null' : `a/${from}`}`,
    `+++ ${kind === 'deleted' ? '/dev/null' : `b/${to}`}`,
    ...hunksOf(before ?? '', after ?? '', effort),
    '',
  ].join('\n');
}

function hunksOf(before: string, after: string, effort: Effort): readonly string[] {
  const found = before && after && findHunks(before, after, effort);
  return found
    ? found.flatMap((hunk) => [
        header(hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines),
        ...hunk.lines,
      ])
    : wholeHunk(linesOf(before), linesOf(after));
}

/** Everything between the first and the last difference: new files, and what takes too long to compare. */
function wholeHunk(old: readonly string[], now: readonly string[]): readonly string[] {
  const { start, end, added, removed } = commonEnds(old, now);
  return [
    header(start + 1, removed, start + 1, added),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
  ];
}

/** The place of a hunk; one without lines on a side stands after the line that is named. */
function header(oldStart: number, old: number, newStart: number, now: number): string {
  const place = (start: number, count: number): string =>
    `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${place(oldStart, old)} +${place(newStart, now)} @@`;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** A path that can't be taken for another line; of a long one, its end. */
function nameOf(name: string): string {
  const line = literalLine(name);
  return line.length > maxName ? `…${line.slice(-maxName)}` : line;
}

function getReason({ form }: NamedChange, diff: string | undefined, room: number): string {
  if (diff !== undefined || room <= 0) {
    return 'no room for its diff';
  }
  switch (form) {
    case 'tooLarge':
      return 'too large to compare';
    case 'unkept':
      return 'content not recorded';
    default:
      return 'not a text';
  }
}

/** What an agent is told of files without a diff. */
function namesOf(leftOut: readonly string[]): readonly string[] {
  const more = leftOut.length - maxNames;
  return leftOut.length === 0
    ? []
    : [
        'Also changed, but not in this diff:',
        ...leftOut.slice(0, maxNames),
        ...(more > 0 ? [`(${more} more)`] : []),
        '',
      ];
}
