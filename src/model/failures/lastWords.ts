import { terminalSequences } from '../../util/terminalSequences';
import { cleanText } from '../text/titles';
import { npmReason } from './npmReason';

/** Maximum length of quoted agent text, in UTF-16 units. */
export const maxWordsLength = 240;
/** Units of a line that are looked at. */
const maxLineLength = 1200;
/** Lines between the head of an error and its stack. */
const maxHeadLines = 8;

/** What a program has printed before it ended: lines, oldest first. */
export interface Printed {
  readonly stderr?: readonly string[];
  readonly stdout?: readonly string[];
}

/** Why a program ended, in its own words: the line that says so, wherever it was printed; empty if it said nothing. */
export function lastWords(printed: Printed): string {
  const streams = [printed.stderr, printed.stdout].map((lines = []) => new PrintedLines(lines));
  const words =
    findFirst(streams, (lines) => lines.reason) ?? findFirst(streams, (lines) => lines.hint);
  return words === undefined
    ? (findFirst(streams, (lines) => lines.end) ?? '')
    : cleanText(words, maxWordsLength);
}

/** Whether a program said why it ended, in a form that errors have. */
export function saysWhy({ stderr = [], stdout = [] }: Printed): boolean {
  return [stderr, stdout].some((lines) => new PrintedLines(lines).reason !== undefined);
}

function findFirst(
  streams: readonly PrintedLines[],
  get: (lines: PrintedLines) => string | undefined,
): string | undefined {
  return streams.map(get).find((text) => text !== undefined);
}

/** Lines that never say why: frames of a stack, brackets, what follows an error in any case. */
const noWords =
  /^\s*at |^[^\p{L}\p{N}]*$|^Node\.js v|^\(Use `node --trace|^note: run with|^Require stack:|^- \S*\.[cm]?js$|^(?:exit status|signal:) |^Debugger |^Waiting for the debugger|Command failed with exit code \d+|^info Visit https|^(?:error: )?script ".*" exited with code|^For more information, (?:try|see)|^(?:Try|Run) .{0,40}--help|^(?:npm (?:notice|warn|WARN|info|http)|Picked up \w+:)(?: |$)/u;
const isWarning = /^\(node:\d+\)|\bwarn(?:ing)?\b|deprecat/i;
/** The form of an error, whichever program prints it. */
const isError =
  /^[^\p{L}\p{N}]*(?:error|fatal|critical|failed|failure|panic)\b|^\S+ \[?(?:error|fatal|critical|panic)\b|: (?:fatal )?error: |"level": ?"(?:error|fatal)"|^\s*[×✖✘❌] |(?:^|: )(?:command not found|not found|permission denied|no such file or directory|cannot execute|exec format error|bad interpreter|is a directory)\b|\bbad option:|\b(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag|command|subcommand)|\bNo module named\b|Cannot find (?:module|package)|error while loading shared libraries|version `\w+_[\d.]+' not found|^Segmentation fault|is not (?:recognized as|provided by) |Library not loaded/iu;
const isNamed =
  /\b(?:ERROR|FATAL|CRITICAL|PANIC)\b|\bERR_[A-Z_]+\b|(?:^|[\s.(])[A-Z]\w*(?:Error|Exception|Rejection)\b(?: \[\w+\])?:/;
const tellsWhy =
  /error|fail|fatal|cannot|can't|could ?n[o']t|unable|not (?:found|installed|configured|supported|set|logged|signed|authenticated)|denied|invalid|unknown|missing|require|must|refused|expired|forbidden|unauthori[sz]ed|log ?in\b|sign ?in\b|please /i;

/** The first line of an error with a stack, and a frame of such a stack. */
const errorHead =
  /^(?:Uncaught |Unhandled \w+ )?(?:Exception in thread ".*?" )?[\w$.]*(?:Error|Exception|Rejection|Throwable)\b(?: \[\w+\])?(?::|$)/;
const frame = /^\s+at |^\s+\.\.\. \d+ (?:more|lines? matching)/;
const afterFrames = /^\s+\[?\w+\]?: |^\s*[\])}{],?$|^Node\.js v|^Caused by: |^\s+[\w'"-]+,?$/;
/** The mark under the part of a line of source that an error is about; a long line was cut. */
const caret = /^\s*\^[\s^~]*$|^\s{200,}/;

interface Reason {
  readonly at: number;
  readonly text: string;
}

/** The lines of one stream, read once: each kind of error takes the lines that are its own. */
class PrintedLines {
  /** What an error says, in the form of one. */
  readonly reason: string | undefined;
  /** The last line that may name a cause. */
  readonly hint: string | undefined;
  /** The last lines with words. */
  readonly end: string | undefined;
  readonly #lines: readonly string[];
  readonly #taken = new Set<number>();
  readonly #reasons: Reason[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines
      .map((line) => line.slice(0, maxLineLength).replace(terminalSequences, '').trimEnd())
      .filter((line) => line !== '');
    this.#npm();
    this.#sourceLines();
    this.#tracebacks();
    this.#rustPanics();
    this.#goPanics();
    this.#stacks();
    this.#boxes();
    this.#causes();
    const left = this.#lines.flatMap((line, at) =>
      this.#taken.has(at) || noWords.test(line) ? [] : [{ at, text: this.#withNext(at) }],
    );
    const plain = left.filter(({ text }) => !isWarning.test(text) || isNamed.test(text));
    const found = [
      ...this.#reasons,
      ...plain.filter(({ text }) => isError.test(text) || isNamed.test(text)),
    ];
    this.reason = found.reduce<Reason | undefined>(
      (last, each) => (last !== undefined && last.at > each.at ? last : each),
      undefined,
    )?.text;
    this.hint = plain.findLast(({ text }) => tellsWhy.test(text))?.text;
    const ends = plain.length > 0 ? plain : left;
    this.end =
      ends
        .slice(-2)
        .map(({ text }) => cleanText(text, maxWordsLength))
        .join(' ') || undefined;
  }

  /** A line that is about the next one, with that. */
  #withNext(at: number): string {
    const line = this.#line(at);
    const next = this.#line(at + 1);
    const isOpen =
      /is not recognized as .*,$|(?:error|failed|exception|reason).{0,80}:$/i.test(line) ||
      (line.endsWith(':') && /^\s/.test(next));
    return isOpen && next !== '' && !noWords.test(next) ? `${line} ${next.trim()}` : line;
  }

  #line(at: number): string {
    return this.#lines[at] ?? '';
  }

  #take(from: number, to: number): void {
    for (let at = from; at <= to; at++) {
      this.#taken.add(at);
    }
  }

  /** The first line at or after `from` that is none of these. */
  #after(from: number, belongs: (line: string) => boolean): number {
    let at = from;
    while (at < this.#lines.length && belongs(this.#line(at))) {
      at++;
    }
    return at;
  }

  #add(at: number, text: string): void {
    this.#reasons.push({ at, text });
  }

  /** What npm says of itself follows what the program has said. */
  #npm(): void {
    const own = this.#lines.flatMap((line, at) => {
      const [, words] = /^npm (?:ERR!|error)(?: (.*))?$/.exec(line) ?? [];
      return line.startsWith('npm ERR!') || line.startsWith('npm error')
        ? [{ at, words: words ?? '' }]
        : [];
    });
    const reason = npmReason(own.map(({ words }) => words));
    for (const { at } of own) {
      this.#taken.add(at);
    }
    if (reason !== undefined) {
      this.#add(own.at(-1)?.at ?? 0, reason);
    }
  }

  /** A quoted line of source with its place above and a caret below says nothing by itself. */
  #sourceLines(): void {
    for (const [at, line] of this.#lines.entries()) {
      if (!caret.test(line) || at === 0) {
        continue;
      }
      const above = this.#lines.slice(Math.max(0, at - 4), at);
      const place = above.findLastIndex((text) => /:\d+$|^\s+File ".*", line \d+/.test(text));
      this.#take(place === -1 ? at - 1 : at - above.length + place, at);
      const next = this.#line(at + 1);
      if (this.#line(at + 2).startsWith('(Use `node --trace-uncaught')) {
        this.#take(at + 1, at + 2);
        this.#add(at + 1, next);
      }
    }
  }

  /** Python's: the line after the frames. */
  #tracebacks(): void {
    for (const [at, line] of this.#lines.entries()) {
      if (!/^\s*(?:[+|] )*Traceback \(most recent call last\):/.test(line)) {
        continue;
      }
      const end = this.#after(at + 1, (text) => /^\s/.test(text));
      if (end < this.#lines.length) {
        this.#take(at, end);
        this.#add(end, this.#withNext(end));
      }
      const next = this.#line(end + 1);
      if (/^(?:During handling of the above|The above exception was)/.test(next)) {
        this.#taken.add(end + 1);
      }
    }
  }

  #rustPanics(): void {
    for (const [at, line] of this.#lines.entries()) {
      const [, rest] = /^thread '.*'(?: \(\d+\))? panicked at (.*)$/.exec(line) ?? [];
      if (rest === undefined) {
        continue;
      }
      const [, before] = /^'(.*)', \S+:\d+:\d+$/.exec(rest) ?? [];
      const head = before === undefined ? at + 1 : at;
      const isTrace = /^\s+\d+: |^\s+at |^stack backtrace:|^note: /;
      const end = this.#after(head + 1, (text) => isTrace.test(text));
      this.#take(at, end - 1);
      this.#add(end - 1, before ?? (this.#line(at + 1) || rest));
    }
  }

  #goPanics(): void {
    for (const [at, line] of this.#lines.entries()) {
      if (this.#taken.has(at) || !/^(?:panic|fatal error): /.test(line)) {
        continue;
      }
      const isTrace =
        /^\t|^goroutine \d|^created by |^[\w./*()-]+\(.*\)$|^\[signal |^exit status |^main\./;
      const end = this.#after(at + 1, (text) => isTrace.test(text));
      this.#take(at, end - 1);
      this.#add(end - 1, line.replace(/ \[recovered\]$/, ''));
    }
  }

  /** Reads stacks of JavaScript and Java: the line above the frames, with the cause that JavaScript adds. */
  #stacks(): void {
    for (let at = 0; at < this.#lines.length; at++) {
      if (!frame.test(this.#line(at)) || this.#taken.has(at)) {
        continue;
      }
      const above = this.#lines.slice(Math.max(0, at - maxHeadLines), at);
      const found = above.findLastIndex((text) => errorHead.test(text));
      const head = found === -1 ? at - 1 : at - above.length + found;
      const end = this.#after(at, (text) => frame.test(text) || afterFrames.test(text));
      if (head >= 0 && !this.#taken.has(head)) {
        const text = this.#withNext(head).replace(/^Exception in thread ".*?" /, '');
        const cause = this.#lines.slice(at, end).flatMap((each) => {
          const [, words] = /^\s+\[cause\]: (?:\w*Error: )?(.*)/.exec(each) ?? [];
          return words === undefined ? [] : [words];
        });
        const [, thrown] = /(The promise rejected with the reason .*)$/.exec(text) ?? [];
        this.#add(end - 1, thrown ?? [text, ...cause.slice(0, 1)].join(': '));
      }
      this.#take(Math.max(0, head), end - 1);
      at = end - 1;
    }
  }

  /** Errors that are drawn with lines, as uv does: the reason is at the end of the branch. */
  #boxes(): void {
    for (const [at, line] of this.#lines.entries()) {
      if (this.#taken.has(at) || !/^\s*[×✖]\s/.test(line)) {
        continue;
      }
      const end = this.#after(at + 1, (text) => /^\s*[│├╰└╭─▶]|^\s{4,}\S/.test(text));
      const words = this.#lines
        .slice(at, end)
        .map((text) => text.replace(/[×✖│├╰└╭─▶]/g, ' ').trim());
      this.#take(at, end - 1);
      this.#add(end - 1, words.join(' '));
    }
  }

  /** “Error: …” with “Caused by: …” below it, on the same line or on the next ones. */
  #causes(): void {
    for (const [at, line] of this.#lines.entries()) {
      if (this.#taken.has(at) || /^\s*Caused by:/.test(line)) {
        continue;
      }
      const isCause = (text: string): boolean =>
        /^\s*Caused by:/.test(text) || /^\s{2,}(?:\d+: )?\S/.test(text);
      const end = this.#after(at + 1, isCause);
      if (!/^\s*Caused by:/.test(this.#line(at + 1))) {
        continue;
      }
      const causes = this.#lines
        .slice(at + 1, end)
        .map((text) => text.replace(/^\s*(?:Caused by:|\d+:)?\s*/, ''))
        .filter((text) => text !== '');
      this.#take(at, end - 1);
      this.#add(end - 1, [line, ...causes.slice(0, 3)].join(': '));
    }
  }
}
