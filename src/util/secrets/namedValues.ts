import { Ends } from './ends';
import { headUnits, isReference, isWordOfCode, isWordOfKind, looksLikeSecret } from './plainWords';
import { findSecretName, type SecretName } from './secretNames';
import type { Span } from './spans';

const stem = /token|key|secret|pass|pwd|credential|auth|cookie|jwt|bearer/gi;
const nameUnit = /[\w.-]/;
/** Longer words are no names; only their end is looked at. */
const maxName = 100;

/** Headers whose whole value is a secret, whatever it begins with. */
const header = /(?:^|[.-])(?:authorization|(?:set-)?cookie2?)$/i;
/** Words before a key that say what it is for, as in `API key: …`. */
const before =
  /(?:^|[^\w-])(?:api|access|secret|private|account|auth\w*|client|license|master|shared) $/i;

/** The quote that ends the name, and what stands between it and the value. */
const separator =
  /(\\{0,7}["'`]\]?)?\??(?:([ \t\u00a0]{0,20}(?:(?::[ \t]{0,4}[A-Za-z_][\w<>[\]|.?]{0,40}[ \t]{0,4})?=(?![=>])|:=|[:：](?!:))|[ \t]{0,4}(?:===?|!==?|[=-]>))(\s{0,20}\[?\s{0,20}(?=\\{0,7}["'`“„‘«])|[ \t\u00a0]{0,20})|([ \t]{1,8}))/y;
/** A name in lists of variables, where the name is a value, too: `name: PASSWORD` and `value: …`. */
const besideName =
  /(?:\\{0,7}["'])?,?\s{0,20}(?:\\{0,7}["'])?\bvalue(?:\\{0,7}["'])?\s{0,4}[:=]\s{0,4}/y;
/** A value on the next line in YAML; what comes before a colon there is another name. */
const onNextLine =
  /[ \t]{0,4}(?:[|>][+-]?\s{1,40}|\r?\n[ \t]{0,40})(?=[^\s"'`#-][^\s"'`]*(?<!:)(?:[\s"'`]|$))/y;
/** A password in a `.netrc`. */
const afterLogin = /\blogin[ \t]{1,8}\S{1,80}\s{1,8}$/;
/** What separates two elements of a list of arguments. */
const nextArgument = /\\{0,7}["'`],\s{0,8}(?=\\{0,7}["'`])/y;
/** Words up to the end of the line or to a comment. */
const phrase = /[^\s"'`=:;#]+(?:[ \t][^\s"'`=:;#]+){1,8}[ \t]*(?=\r?$|\\[nr]|[;#"'`])/my;
/** A value in a connection string. */
const ofConnection = /\{[^}"\n]*\}?|[^;"'`\n]+/y;
const colonOfHeader = /(?:\\{0,7}["'`])?[ \t]{0,20}[:=](?![:=>])\s{0,20}/y;
const endOfTag = /(?:[ \t][^<>\n]{0,200})?>/y;
const inTag = /(?:<!\[CDATA\[)?[^<]+/y;
const beginningOfLine = /(?:\n|\\n|["'`])[ \t]*(?:- |export )?$/;
const beginning = new RegExp(`^[ \\t]*(?:export )?$|${beginningOfLine.source}`);
const escaped = /^\\[nrt]$/;
const folder = /^(?:[/~]|[A-Za-z]:[\\/])/;
/** What may follow a value without being part of it. */
const endOfPart = new Set('.,;:');
const brackets = new Set('.,;:!?)]}>');

/** The values of what is called a secret, of headers that authenticate, and of arguments after such a name. */
export function* namedValues(text: string): Iterable<Span> {
  const values = new NamedValues(text);
  const stems = new RegExp(stem);
  for (let match = stems.exec(text); match !== null; match = stems.exec(text)) {
    const { span, end } = values.after(match.index, stems.lastIndex);
    if (span !== undefined) {
      yield span;
    }
    stems.lastIndex = end;
  }
}

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: SecretName;
}

class NamedValues {
  readonly #text: string;
  readonly #ends: Ends;
  readonly #kinds = new Map<string, SecretName | undefined>();
  /** The end of the last name or value: each part of the text is read once. */
  #over = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ends = new Ends(text);
  }

  /** The value of the name that has this stem, and where to continue. */
  after(stemStart: number, stemEnd: number): { readonly span?: Span; readonly end: number } {
    const name = this.#nameAround(stemStart, stemEnd);
    const span =
      name.kind === undefined ? undefined : this.#findValue({ ...name, kind: name.kind });
    // What seems to end on another line may end on none, and there may be other names up to there.
    this.#over = Math.max(name.end, Math.min(span?.end ?? 0, this.#ends.lineEnd(name.end)));
    return { ...(span && { span }), end: this.#over };
  }

  #nameAround(
    stemStart: number,
    stemEnd: number,
  ): Omit<Name, 'kind'> & { readonly kind: SecretName | undefined } {
    let start = stemStart;
    while (start > this.#over && nameUnit.test(this.#text.charAt(start - 1))) {
      start--;
    }
    // The letter of an escaped line end.
    if (start < stemStart && escaped.test(this.#text.slice(Math.max(0, start - 1), start + 1))) {
      start++;
    }
    let end = stemEnd;
    while (end < this.#text.length && nameUnit.test(this.#text.charAt(end))) {
      end++;
    }
    const text = this.#text.slice(Math.max(start, end - maxName), end).replace(/\.+$/, '');
    const kind = this.#findKind(text);
    const isSure =
      kind === 'likely' && before.test(this.#text.slice(Math.max(0, start - 16), start));
    return { text, start, end, kind: isSure ? 'sure' : kind };
  }

  /** Most texts have the same few names again and again. */
  #findKind(name: string): SecretName | undefined {
    if (!this.#kinds.has(name)) {
      this.#kinds.set(name, findSecretName(name));
    }
    return this.#kinds.get(name);
  }

  #findValue(name: Name): Span | undefined {
    const isFlag = name.text.startsWith('-');
    nextArgument.lastIndex = name.end;
    if (isFlag && nextArgument.test(this.#text)) {
      return this.#ends.quotedAt(nextArgument.lastIndex);
    }
    const pair = name.kind === 'sure' ? this.#match(besideName, name.end) : undefined;
    if (pair !== undefined) {
      return this.#ends.quotedAt(pair.end) ?? this.#run(pair.end);
    }
    if (header.test(name.text)) {
      const colon = this.#match(colonOfHeader, name.end);
      if (colon !== undefined) {
        return this.#valueOfHeader(name, colon.end);
      }
    }
    if (this.#text.charAt(name.start - 1) === '<') {
      const tag = this.#match(endOfTag, name.end);
      return tag && this.#match(inTag, tag.end);
    }
    separator.lastIndex = name.end;
    const match = separator.exec(this.#text);
    if (match === null) {
      return undefined;
    }
    const [whole, quote, sign, space = ''] = match;
    const at = name.end + whole.length;
    if (sign === undefined) {
      if (afterLogin.test(this.#text.slice(Math.max(0, name.start - 100), name.start))) {
        return this.#run(at);
      }
      return isFlag || /pass(?:w|phrase)/i.test(name.text)
        ? this.#afterSpace(at, isFlag)
        : undefined;
    }
    const quoted = this.#ends.quotedAt(at);
    if (quoted !== undefined) {
      return this.#ifSecret(name, sign, this.#withRest(quoted, space === '' && sign === '='));
    }
    if (/[=!]=|>/.test(sign)) {
      return undefined;
    }
    const belowAt = name.kind === 'sure' ? this.#match(onNextLine, at)?.end : undefined;
    if (belowAt !== undefined) {
      return this.#below(belowAt);
    }
    const isGlued = sign === '=' && space === '' && quote === undefined;
    return isGlued ? this.#glued(name, at) : this.#plain(name, sign, at);
  }

  /** A value on the next line: indented, or one that looks like it. */
  #below(at: number): Span | undefined {
    const span = this.#run(at);
    const value = span === undefined ? '' : this.#slice(span);
    const isIndented = /[ \t]/.test(this.#text.charAt(at - 1));
    return looksLikeSecret(value) || (isIndented && !isWordOfCode(value)) ? span : undefined;
  }

  /** `--name value`, or `password "value"`. */
  #afterSpace(at: number, isFlag: boolean): Span | undefined {
    const quoted = this.#ends.quotedAt(at);
    if (quoted !== undefined || !isFlag) {
      return quoted;
    }
    const span = this.#run(at);
    return span && !isWordOfCode(this.#slice(span)) ? span : undefined;
  }

  /** The value to the end of the line, or of the quoted text that the header is in. */
  #valueOfHeader({ start }: Name, at: number): Span | undefined {
    const quoted = this.#ends.quotedAt(at);
    if (quoted !== undefined) {
      return quoted;
    }
    const [, escapes = '', quote] =
      /(\\{0,7})(["'`])[\w-]{0,8}$/.exec(this.#text.slice(Math.max(0, start - 16), start)) ?? [];
    const closing = quote === undefined ? Infinity : this.#ends.next(escapes, quote, at);
    // Parts of the value may be in quotes, too.
    const isEnd = closing !== Infinity && !/^=|\w$/.test(this.#around(closing, escapes.length + 1));
    const lineEnd = this.#ends.lineEnd(at);
    const end = isEnd ? Math.min(closing, lineEnd) : lineEnd;
    if (
      isWordOfCode(getLine(this.#slice({ start: at, end: Math.min(end, at + headUnits) })).trim())
    ) {
      return undefined;
    }
    return { start: at, end: at + getLine(this.#slice({ start: at, end })).trimEnd().length };
  }

  /** Adds the rest of a shell's word: what follows a quote without a space belongs to the value. */
  #withRest(quoted: Span, isGlued: boolean): Span {
    const { end } = quoted;
    return isGlued && /[\w"'`$]/.test(this.#text.charAt(end + 1))
      ? { start: quoted.start, end: this.#run(end + 1)?.end ?? end }
      : quoted;
  }

  #ifSecret({ kind }: Name, sign: string, span: Span): Span | undefined {
    const value = this.#slice(span);
    const isSecret = kind === 'sure' || (!/[=!]=/.test(sign) && looksLikeSecret(value));
    return isSecret && !isReference(value) && !isWordOfKind(value) ? span : undefined;
  }

  /** `name=value`. */
  #glued(name: Name, at: number): Span | undefined {
    const isInString = /;[ \t]{0,4}$/.test(
      this.#text.slice(Math.max(0, name.start - 5), name.start),
    );
    const span = isInString ? this.#match(ofConnection, at) : this.#run(at);
    const value = span === undefined ? '' : this.#slice(span);
    const isOther =
      /^[({<[]/.test(value) ||
      isWordOfKind(value) ||
      isReference(value) ||
      (name.kind === 'likely' && (/^\d+$/.test(value) || isWordOfCode(value))) ||
      (/^(?:OLD)?PWD$/.test(name.text) && folder.test(value));
    return isOther && !isInString ? undefined : span;
  }

  /** `name = value` and `name: value`. */
  #plain(name: Name, sign: string, at: number): Span | undefined {
    const span = this.#run(at);
    if (span === undefined) {
      return undefined;
    }
    const head = this.#slice({ start: at, end: Math.min(span.end, at + headUnits) });
    const whole = withoutTrailing(head, endOfPart);
    const value = withoutTrailing(whole, brackets);
    const isSecret =
      name.kind === 'sure'
        ? !/^\d{0,3}$/.test(value)
        : sign.endsWith('=')
          ? value.length > 2 && !/^\d+$/.test(value)
          : looksLikeSecret(value);
    const isOther = [value, whole].some((text) => isReference(text) || isWordOfCode(text));
    if (!isSecret || isOther || /^[({<[|]/.test(value)) {
      return undefined;
    }
    const mayBePhrase =
      /pass(?:w|phrase)/i.test(name.text) && (sign.endsWith('=') || this.#beginsLine(name.start));
    return (mayBePhrase ? this.#match(phrase, at) : undefined) ?? this.#withoutSigns(span);
  }

  /** The value without what only follows it. */
  #withoutSigns(span: Span): Span {
    const whole = withoutTrailing(this.#slice(span), endOfPart);
    return { start: span.start, end: span.start + withoutTrailing(whole, brackets).length };
  }

  #beginsLine(at: number): boolean {
    const from = Math.max(0, at - 16);
    return (from === 0 ? beginning : beginningOfLine).test(this.#text.slice(from, at));
  }

  /** The text from here up to a space or a quote. */
  #run(at: number): Span | undefined {
    const end = this.#ends.runEnd(at);
    return end > at ? { start: at, end } : undefined;
  }

  #match(pattern: RegExp, at: number): Span | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(this.#text);
    return match === null ? undefined : { start: at, end: at + match[0].length };
  }

  /** The units before and after so many. */
  #around(at: number, count: number): string {
    return this.#text.charAt(at - 1) + this.#text.charAt(at + count);
  }

  #slice({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }
}

/** Returns a text up to an escaped line end. */
function getLine(text: string): string {
  return /^.*?(?=\\[rn]|$)/s.exec(text)?.[0] ?? '';
}

/** A loop: a regular expression would take quadratic time. */
function withoutTrailing(text: string, units: ReadonlySet<string>): string {
  let end = text.length;
  while (end > 0 && units.has(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}
