import { applySgr, type TerminalStyle } from './sgr';
import { type TerminalLine, TerminalScreen, type TerminalSize } from './terminalScreen';

const maxSequenceLength = 256;
/** Characters of a string sequence (OSC) that are kept. */
const maxStringLength = 4096;
/** Sequences of `ESC` and one character. */
const escapes: Readonly<Record<string, (screen: TerminalScreen) => void>> = {
  7: (screen) => screen.save(),
  8: (screen) => screen.restore(),
  E: (screen) => screen.newLine(),
  M: (screen) => screen.previousLine(),
  c: (screen) => screen.reset(),
};

type Control = (screen: TerminalScreen, count: number, first: number, second: number) => void;

/** Sequences that move, erase, insert and scroll; `count` is the first parameter, or 1 if it is absent or 0. */
const controls: Readonly<Record<string, Control>> = {
  '@': (screen, count) => screen.insertBlanks(count),
  A: (screen, count) => screen.moveBy(-count, 0),
  B: (screen, count) => screen.moveBy(count, 0),
  C: (screen, count) => screen.moveBy(0, count),
  D: (screen, count) => screen.moveBy(0, -count),
  E: (screen, count) => moveToStart(screen, count),
  F: (screen, count) => moveToStart(screen, -count),
  G: (screen, count) => screen.moveToColumn(count - 1),
  '`': (screen, count) => screen.moveToColumn(count - 1),
  H: moveTo,
  J: (screen, _, what) => screen.eraseInScreen(what),
  K: (screen, _, what) => screen.eraseInLine(what),
  L: (screen, count) => screen.insertLines(count),
  M: (screen, count) => screen.insertLines(-count),
  P: (screen, count) => screen.insertBlanks(-count),
  S: (screen, count) => screen.scroll(count),
  T: (screen, count) => screen.scroll(-count),
  X: (screen, count) => screen.eraseCharacters(count),
  d: (screen, count) => screen.moveToRow(count - 1),
  f: moveTo,
  r: (screen, count, _, last) =>
    screen.setRegion(count - 1, (last || Number.POSITIVE_INFINITY) - 1),
  // With parameters, these are something else.
  s: (screen, _, first) => first === 0 && screen.save(),
  u: (screen, _, first) => first === 0 && screen.restore(),
};

const modeSwitches: Readonly<Record<string, (screen: TerminalScreen) => void>> = {
  h: (screen) => screen.showAlternate(),
  l: (screen) => screen.hideAlternate(),
};

function moveTo(screen: TerminalScreen, row: number, _: number, column: number): void {
  screen.moveToRow(row - 1);
  screen.moveToColumn((column || 1) - 1);
}

function moveToStart(screen: TerminalScreen, rows: number): void {
  screen.moveToColumn(0);
  screen.moveBy(rows, 0);
}

/** Screens that hide what is behind them, by the number of their mode. */
const alternateScreens: ReadonlySet<number> = new Set([47, 1047, 1049]);

/**
 * Turns terminal output into lines of styled text as a terminal would show them: colors and styles (SGR), links
 * (OSC 8), and what programs do to write over what they have written. All other sequences (titles, device requests)
 * are dropped. The line that a title or link without an end is in ends it, and its text is shown. State is kept between
 * writes, so chunk boundaries don't matter.
 */
export class TerminalText {
  readonly #screen: TerminalScreen;
  #state: 'text' | 'escape' | 'control' | 'string' | 'stringEscape' = 'text';
  #parameters = '';
  /** What has come of a string sequence that is text if it has no end; `undefined` for other sequences. */
  #string: string | undefined;

  constructor(size?: TerminalSize) {
    this.#screen = new TerminalScreen(size);
  }

  /** Whether blank space was omitted because there was too much of it. */
  get isCut(): boolean {
    return this.#screen.isCut;
  }

  /** All lines so far, including the unfinished last one, and what would be text if a sequence that has begun has no end. */
  get lines(): readonly TerminalLine[] {
    const { lines, style } = this.#screen;
    const text = this.#isInString ? this.#unendedText : '';
    return text === ''
      ? lines
      : [...lines.slice(0, -1), [...(lines.at(-1) ?? []), { text, style }]];
  }

  get #isInString(): boolean {
    return this.#state === 'string' || this.#state === 'stringEscape';
  }

  get #unendedText(): string {
    return Array.from(this.#string ?? '')
      .filter((char) => !isControl(char))
      .join('');
  }

  write(text: string): void {
    for (const char of text) {
      this.#take(char);
    }
  }

  #take(char: string): void {
    switch (this.#state) {
      case 'text':
        this.#takeText(char);
        return;
      case 'escape':
        this.#takeEscape(char);
        return;
      case 'control':
        this.#takeControl(char);
        return;
      case 'string':
        this.#takeString(char);
        return;
      case 'stringEscape':
        // `ESC \` ends the string; any other sequence aborts it and is handled itself.
        if (char === '\\') {
          this.#endString();
        } else {
          this.#state = 'escape';
          this.#parameters = '';
          this.#takeEscape(char);
        }
    }
  }

  #takeText(char: string): void {
    if (char === '\n') {
      this.#screen.newLine();
    } else if (char === '\r') {
      this.#screen.moveToColumn(0);
    } else if (char === '\b') {
      this.#screen.moveBy(0, -1);
    } else if (char === '\u001b') {
      this.#state = 'escape';
      this.#parameters = '';
    } else if (char === '\u009b') {
      this.#state = 'control';
      this.#parameters = '';
    } else if (char === '\u009d' || char === '\u0090') {
      this.#state = 'string';
      this.#string = char === '\u009d' ? '' : undefined;
    } else if (char === '\t' || !isControl(char)) {
      this.#screen.put(char);
    }
  }

  #takeEscape(char: string): void {
    if (char === '[') {
      this.#state = 'control';
    } else if (char === ']' || char === 'P' || char === 'X' || char === '^' || char === '_') {
      this.#state = 'string';
      this.#string = char === ']' ? '' : undefined;
    } else if (char === '\u001b') {
      this.#state = 'escape';
    } else if (char < ' ' || char > '/') {
      // Not an intermediate byte: the sequence ends here. A line break within it still counts.
      this.#state = 'text';
      if (char === '\n' || char === '\r') {
        this.#takeText(char);
      } else {
        this.#obeyEscape(char);
      }
    } else {
      this.#parameters = char;
    }
  }

  #takeString(char: string): void {
    if (char === '\u0007' || char === '\u009c') {
      this.#endString();
    } else if (char === '\u001b') {
      this.#state = 'stringEscape';
    } else if (char === '\n') {
      this.#state = 'text';
      for (const unended of this.#unendedText) {
        this.#screen.put(unended);
      }
      this.#takeText(char);
    } else if (this.#string !== undefined && this.#string.length < maxStringLength) {
      this.#string += char;
    }
  }

  #endString(): void {
    this.#state = 'text';
    const address = /^8;[^;]*;(.*)$/s.exec(this.#string ?? '')?.[1];
    if (address !== undefined && (this.#string ?? '').length < maxStringLength) {
      const { link: _, ...style } = this.#screen.style;
      this.#screen.style = address === '' ? style : { ...style, link: address };
    }
  }

  #takeControl(char: string): void {
    if (char >= '@' && char <= '~') {
      this.#state = 'text';
      this.#obey(char, this.#parameters);
    } else if (char === '\u001b') {
      this.#state = 'escape';
      this.#parameters = '';
    } else if (char < ' ' || char > '~' || this.#parameters.length >= maxSequenceLength) {
      this.#state = 'text';
      this.#takeText(char);
    } else {
      this.#parameters += char;
    }
  }

  /** Obeys `ESC` and one character, unless one between them makes it something else. */
  #obeyEscape(final: string): void {
    if (this.#parameters === '') {
      escapes[final]?.(this.#screen);
    }
  }

  #obey(final: string, parameters: string): void {
    const screen = this.#screen;
    if (/^[\d;:]*$/.test(parameters)) {
      if (final === 'm') {
        screen.style = withSgr(screen.style, parameters);
      } else {
        const [first = 0, second = 0] = parameters.split(';').map((text) => Number(text) || 0);
        controls[final]?.(screen, first || 1, first, second);
      }
    } else if (parameters.startsWith('?')) {
      const modes = parameters.slice(1).split(';');
      if (modes.some((mode) => alternateScreens.has(Number(mode)))) {
        modeSwitches[final]?.(screen);
      }
    }
  }
}

/** Links end with their own sequence only. */
function withSgr({ link, ...style }: TerminalStyle, parameters: string): TerminalStyle {
  const next = applySgr(style, parameters);
  return link === undefined ? next : { ...next, link };
}

function isControl(char: string): boolean {
  return char < ' ' || (char >= '\u007f' && char <= '\u009f');
}
