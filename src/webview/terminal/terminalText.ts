import { applySgr, type TerminalStyle } from './sgr';

interface TerminalSpan {
  readonly text: string;
  readonly style: TerminalStyle;
}
export type TerminalLine = readonly TerminalSpan[];

interface Cell {
  readonly char: string;
  readonly style: TerminalStyle;
}

const plain: TerminalStyle = {};
/** Rightmost column the cursor can move to, so that a sequence of a few bytes can't create a huge line. */
const widest = 1000;
/** Cells per output that moving and erasing may fill, so that a few bytes can't create a huge text. */
const maxFilledCells = 200_000;
const maxSequenceLength = 256;
/** Characters of a string sequence (OSC) that are kept. */
const maxStringLength = 4096;
const blank: Cell = { char: ' ', style: plain };

/**
 * Turns terminal output into lines of styled text: colors and styles (SGR), and overwriting by
 * carriage return, backspace and erasing within the line. All other sequences (titles, links,
 * cursor positions, device requests) are dropped. The line that a title or link without an end is in
 * ends it, and its text is shown. State is kept between writes, so chunk boundaries don't matter.
 */
export class TerminalText {
  readonly #lines: TerminalLine[] = [];
  #cells: Cell[] = [];
  #column = 0;
  #style: TerminalStyle = plain;
  #state: 'text' | 'escape' | 'control' | 'string' | 'stringEscape' = 'text';
  #parameters = '';
  /** What has come of a string sequence that is text if it has no end; `undefined` for other sequences. */
  #string: string | undefined;
  #filled = 0;

  /** Whether blank space was omitted because there was too much of it. */
  get isCut(): boolean {
    return this.#filled > maxFilledCells;
  }

  /** All lines so far, including the unfinished last one. */
  get lines(): readonly TerminalLine[] {
    return this.#cells.length > 0 ? [...this.#lines, toSpans(this.#cells)] : this.#lines;
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
        this.#state = 'escape';
        this.#takeEscape(char);
    }
  }

  #takeText(char: string): void {
    if (char === '\n') {
      this.#lines.push(toSpans(this.#cells));
      this.#cells = [];
      this.#column = 0;
    } else if (char === '\r') {
      this.#column = 0;
    } else if (char === '\b') {
      this.#column = Math.max(0, this.#column - 1);
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
      this.#put(char);
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
      }
    }
  }

  #takeString(char: string): void {
    if (char === '\u0007' || char === '\u009c') {
      this.#state = 'text';
    } else if (char === '\u001b') {
      this.#state = 'stringEscape';
    } else if (char === '\n') {
      this.#state = 'text';
      for (const unended of this.#string ?? '') {
        if (!isControl(unended)) {
          this.#put(unended);
        }
      }
      this.#takeText(char);
    } else if (this.#string !== undefined && this.#string.length < maxStringLength) {
      this.#string += char;
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

  #obey(final: string, parameters: string): void {
    const first = Number.parseInt(parameters, 10);
    if (final === 'm' && /^[\d;:]*$/.test(parameters)) {
      this.#style = applySgr(this.#style, parameters);
    } else if (final === 'K') {
      this.#erase(first || 0);
    } else if (final === 'C') {
      this.#column = Math.min(this.#column + (first || 1), Math.max(this.#column, widest));
    } else if (final === 'D') {
      this.#column = Math.max(0, this.#column - (first || 1));
    } else if (final === 'G') {
      this.#column = Math.min((first || 1) - 1, widest);
    }
  }

  #put(char: string): void {
    const gap = this.#column - this.#cells.length;
    if (gap > 0 && !this.#fill(gap)) {
      this.#column = this.#cells.length;
    }
    while (this.#cells.length < this.#column) {
      this.#cells.push(blank);
    }
    this.#cells[this.#column++] = { char, style: this.#style };
  }

  /** 0: from the cursor to the end of the line, 1: up to and including the cursor, 2: the whole line. */
  #erase(what: number): void {
    if (what === 0) {
      this.#cells.length = Math.min(this.#cells.length, this.#column);
    } else if (what === 1) {
      const end = Math.min(this.#column + 1, this.#cells.length);
      if (this.#fill(end)) {
        this.#cells.fill(blank, 0, end);
      }
    } else if (what === 2) {
      this.#cells = [];
    }
  }

  /** Counts blank cells; returns `false` once the limit is exceeded. */
  #fill(cells: number): boolean {
    this.#filled += cells;
    return !this.isCut;
  }
}

function toSpans(cells: readonly Cell[]): TerminalLine {
  const spans: { text: string; style: TerminalStyle }[] = [];
  for (const { char, style } of cells) {
    const last = spans.at(-1);
    if (last?.style === style) {
      last.text += char;
    } else {
      spans.push({ text: char, style });
    }
  }
  return spans;
}

function isControl(char: string): boolean {
  return char < ' ' || (char >= '\u007f' && char <= '\u009f');
}
