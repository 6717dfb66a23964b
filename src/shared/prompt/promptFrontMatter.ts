/** A `key: value` line; the offsets cover the trimmed key and value, including quotes. */
interface FrontMatterEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: string;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The front matter of a prompt: settings between two `---` lines at the very start. */
export interface FrontMatter {
  /** Offset after the closing line. */
  readonly end: number;
  readonly entries: readonly FrontMatterEntry[];
  /** Lines that can't be parsed. */
  readonly unreadable: readonly { readonly start: number; readonly end: number }[];
}

/**
 * In UTF-16 units. Other texts may start with `---`, too: without a closing line within this
 * length, it isn't front matter.
 */
const longest = 20_000;
const opening = /^\ufeff?---[ \t]{0,100}\r?\n/;

export function readFrontMatter(text: string): FrontMatter | undefined {
  const start = frontMatterStart(text);
  if (start === undefined) {
    return undefined;
  }
  const entries: FrontMatterEntry[] = [];
  const unreadable: { start: number; end: number }[] = [];
  const limit = Math.min(text.length, longest);
  for (let at = start; at < limit; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(at, Math.min(lineEnd, at + longest));
    if (/^---\s*$/.test(line)) {
      return { end: Math.min(lineEnd + 1, text.length), entries, unreadable };
    }
    const entry = readEntry(line, at);
    if (entry) {
      entries.push(entry);
    } else if (line.trim() !== '' && !line.trimStart().startsWith('#')) {
      unreadable.push({ start: at, end: at + line.trimEnd().length });
    }
    at = lineEnd + 1;
  }
  return undefined;
}

/** Offset of the first line of settings, whether or not the front matter is closed. */
export function frontMatterStart(text: string): number | undefined {
  return opening.exec(text.slice(0, 110))?.[0].length;
}

function readEntry(line: string, start: number): FrontMatterEntry | undefined {
  const colon = line.indexOf(':');
  const key = line.slice(0, Math.max(0, colon)).trim();
  if (key === '' || key.startsWith('#')) {
    return undefined;
  }
  const rest = line.slice(colon + 1);
  const blanks = rest.length - rest.trimStart().length;
  const written = writtenValue(rest.trim());
  // An empty value starts after the first blank, if there is one.
  const valueStart = start + colon + 1 + (written === '' ? Math.min(blanks, 1) : blanks);
  const keyStart = start + line.indexOf(key);
  return {
    key,
    keyStart,
    keyEnd: keyStart + key.length,
    value: unquoted(written),
    valueStart,
    valueEnd: valueStart + written.length,
  };
}

/** The value without a trailing comment. */
function writtenValue(value: string): string {
  const quoted = /^(?:"[^"]*"|'[^']*')/.exec(value)?.[0];
  if (quoted !== undefined) {
    return quoted;
  }
  const remark = value.startsWith('#') ? 0 : value.search(/\s#/);
  return remark === -1 ? value : value.slice(0, remark).trimEnd();
}

/** The value, quoted if necessary to be read back unchanged; `undefined` if that isn't possible. */
export function writtenAs(value: string): string | undefined {
  const ways = [value, `"${value}"`, `'${value}'`];
  return ways.find((way) => !/[\r\n]/.test(way) && unquoted(writtenValue(way.trim())) === value);
}

function unquoted(written: string): string {
  return /^(?:"[^"]*"|'[^']*')$/.test(written) ? written.slice(1, -1) : written;
}
