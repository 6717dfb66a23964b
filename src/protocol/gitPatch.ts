import { Buffer } from 'node:buffer';
import type { FileChange } from '../shared/transcript/content';
import { copied } from '../util/textParts';

/** The texts of a hunk, with its context on both sides. */
interface Hunk {
  readonly oldText: string;
  readonly newText: string;
}

/** What a patch says of a file. */
export interface PatchSection {
  /**
   * The path as in the patch, but unquoted: perhaps with a prefix, and a part of the patch. Of a file that is moved or
   * copied, the new one.
   */
  readonly path: string;
  readonly isDeleted: boolean;
  /** Absent for a file that may be a text. */
  readonly fileType?: Extract<FileChange['fileType'], 'binary' | 'symlink'>;
  /** Read when asked for. */
  hunks(): Iterable<Hunk>;
}

const marker = 'diff --git ';
const linkMode = '120000';
/** UTF-16 units of a line before the hunks, with room for two quoted paths of the greatest length. */
const maxLineLength = 1_000_000;

/**
 * The sections of a patch in the format of `git diff` (V2-DIFF-4), in time proportional to its length. What can't be
 * read is passed over; a section without a path is left out. Lines of hunks begin with a space or sign, so that a line
 * with the words of a section's first line is one.
 */
export function* readGitPatch(text: string): Generator<PatchSection> {
  let start = text.startsWith(marker) ? 0 : nextSection(text, 0);
  while (start < text.length) {
    const end = nextSection(text, start);
    const section = readSection(text, start, end);
    if (section !== undefined) {
      yield section;
    }
    start = end;
  }
}

function nextSection(text: string, from: number): number {
  const at = text.indexOf(`\n${marker}`, from);
  return at === -1 ? text.length : at + 1;
}

/** What the lines before the hunks say. */
interface Header {
  /** The path of the file before; `null` if there is none. */
  oldPath?: string | null | undefined;
  newPath?: string | null | undefined;
  /** The first line's two paths, read for a section whose other lines name none. */
  pair: string;
  isDeleted: boolean;
  isBinary: boolean;
  mode?: string | undefined;
}

function readSection(text: string, start: number, end: number): PatchSection | undefined {
  const header: Header = { pair: '', isDeleted: false, isBinary: false };
  // A patch all of whose lines end like this has been converted; in others, only lines of the file do.
  const hasReturns = text[lineEnd(text, start, end) - 1] === '\r';
  let at = start;
  while (at < end && !text.startsWith('@@ ', at) && !header.isBinary) {
    const stop = lineEnd(text, at, end);
    if (stop - at <= maxLineLength) {
      readHeaderLine(text.slice(at, textEnd(text, stop, hasReturns)), header);
    }
    at = stop + 1;
  }
  const isDeleted = header.isDeleted || header.newPath === null;
  const path = (isDeleted ? header.oldPath : header.newPath) ?? readPair(header.pair);
  if (path === undefined) {
    return undefined;
  }
  const fileType = header.mode === linkMode ? 'symlink' : header.isBinary ? 'binary' : undefined;
  const body = at;
  return {
    path,
    isDeleted,
    ...(fileType && { fileType }),
    hunks: () => (header.isBinary ? [] : readHunks(text, body, end, hasReturns)),
  };
}

/** Lines of an index, of similarities and of the origin of a move tell nothing that is needed. */
const headerLine =
  /^(diff --git|---|\+\+\+|(?:rename|copy) to|new file mode|deleted file mode|new mode|index \S+|Binary files|GIT binary patch)(?: (.*))?$/s;

function readHeaderLine(line: string, header: Header): void {
  const [, word = '', rest = ''] = headerLine.exec(line) ?? [];
  switch (word) {
    case '':
      break;
    case 'diff --git':
      header.pair = rest;
      break;
    case '---':
      header.oldPath = readSide(rest);
      break;
    case '+++':
      header.newPath = readSide(rest);
      break;
    case 'rename to':
    case 'copy to':
      header.newPath = readName(rest)?.name;
      break;
    case 'Binary files':
    case 'GIT binary patch':
      header.isBinary = true;
      break;
    default:
      // A mode, of which that of a file that still exists may be in the line of the index.
      header.isDeleted ||= word === 'deleted file mode';
      header.mode = rest || header.mode;
  }
}

/** The file's path on one side; `null` for the missing side of one that is added or deleted. */
function readSide(rest: string): string | null | undefined {
  return rest === '/dev/null' ? null : readName(rest)?.name;
}

/** The path in a line with two: the second one if they are quoted, or the one that both are. */
function readPair(rest: string): string | undefined {
  const second = rest.startsWith('"') ? readName(rest)?.end : rest.indexOf(' "');
  if (second !== undefined && rest[second] === ' ') {
    return readName(rest.slice(second + 1))?.name;
  }
  const half = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, half), rest.slice(half + 1)];
  const isSame = rest[half] === ' ' && withoutPrefix(left) === withoutPrefix(right);
  return isSame ? right : undefined;
}

/** A path without the prefix that Git gives it by default. */
export function withoutPrefix(path: string): string {
  return path.startsWith('a/') || path.startsWith('b/') ? path.slice(2) : path;
}

/** A path, and where it ends: it is quoted, or goes to the end or to a tab. */
function readName(text: string): { readonly name: string; readonly end: number } | undefined {
  if (!text.startsWith('"')) {
    const tab = text.indexOf('\t');
    const end = tab === -1 ? text.length : tab;
    return { name: text.slice(0, end), end };
  }
  let at = 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at < text.length ? { name: unquoted(text.slice(1, at)), end: at + 1 } : undefined;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\a', '\x07'],
  ['\\b', '\b'],
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\v', '\v'],
  ['\\f', '\f'],
  ['\\r', '\r'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/** A path as it is, of one quoted as in C: bytes of other characters are in octal digits. */
function unquoted(quoted: string): string {
  return quoted.replace(/(?:\\[0-3][0-7]{2})+|\\./gs, (found) =>
    found.length === 2
      ? (escapes.get(found) ?? found)
      : Buffer.from(
          found
            .slice(1)
            .split('\\')
            .map((digits) => Number.parseInt(digits, 8)),
        ).toString('utf8'),
  );
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** UTF-16 units of such a header without what follows it. */
const maxHeaderLength = 100;

function* readHunks(
  text: string,
  start: number,
  end: number,
  hasReturns: boolean,
): Generator<Hunk> {
  let at = start;
  while (at < end) {
    const header = text.startsWith('@@ ', at) ? text.slice(at, at + maxHeaderLength) : undefined;
    at = lineEnd(text, at, end) + 1;
    if (header !== undefined) {
      const [, oldCount, newCount] = hunkHeader.exec(header) ?? ['', '0', '0'];
      const hunk = new HunkLines(countLines(oldCount), countLines(newCount));
      at = hunk.read(text, at, end, hasReturns);
      yield hunk.texts();
    }
  }
}

function countLines(digits: string | undefined): number {
  return digits === undefined ? 1 : Number(digits);
}

/** A side of a hunk, whose header tells how many lines it has. */
class Side {
  readonly #lines: string[] = [];
  #left: number;
  /** What follows the last line. */
  #end = '\n';

  constructor(count: number) {
    this.#left = count;
  }

  get isComplete(): boolean {
    return this.#left <= 0;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#left--;
  }

  endWithoutNewline(): void {
    this.#end = '';
  }

  text(): string {
    const lines = this.#lines;
    if (lines.length === 0) {
      return '';
    }
    const text = lines.join('\n');
    // What is joined is a copy, a line by itself isn't.
    return (lines.length === 1 ? copied(text) : text) + this.#end;
  }
}

/** The lines of a hunk: all that have a sign, even if its header counts fewer. */
class HunkLines {
  readonly #old: Side;
  readonly #new: Side;

  constructor(oldCount: number, newCount: number) {
    this.#old = new Side(oldCount);
    this.#new = new Side(newCount);
  }

  /** Reads lines from an offset on; returns where the first one that isn't of the hunk begins. */
  read(text: string, start: number, end: number, hasReturns: boolean): number {
    let at = start;
    let sign = '';
    while (at < end) {
      const stop = lineEnd(text, at, end);
      const line = textEnd(text, stop, hasReturns);
      const first = line === at ? this.#emptySign : (text[at] ?? '');
      if (first === '\\') {
        this.#endWithoutNewline(sign);
      } else if (!this.#take(first, text.slice(at + 1, line))) {
        break;
      }
      sign = first;
      at = stop + 1;
    }
    return Math.min(at, end);
  }

  /** A line of context that is empty may lack its space; behind the last line, it is none of the hunk. */
  get #emptySign(): string {
    return this.#old.isComplete && this.#new.isComplete ? '' : ' ';
  }

  /** Takes a line; `false` if it is none of a hunk. */
  #take(sign: string, line: string): boolean {
    const isOld = sign === ' ' || sign === '-';
    const isNew = sign === ' ' || sign === '+';
    if (isOld) {
      this.#old.add(line);
    }
    if (isNew) {
      this.#new.add(line);
    }
    return isOld || isNew;
  }

  /** The last line, which has this sign, is the last one of its file, and doesn't end with a newline. */
  #endWithoutNewline(sign: string): void {
    if (sign === ' ' || sign === '-') {
      this.#old.endWithoutNewline();
    }
    if (sign === ' ' || sign === '+') {
      this.#new.endWithoutNewline();
    }
  }

  texts(): Hunk {
    return { oldText: this.#old.text(), newText: this.#new.text() };
  }
}

/** The end of a line's text. */
function textEnd(text: string, stop: number, hasReturns: boolean): number {
  return hasReturns && text[stop - 1] === '\r' ? stop - 1 : stop;
}

/** The end of a line, before its newline. */
function lineEnd(text: string, from: number, end: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 || at > end ? end : at;
}
