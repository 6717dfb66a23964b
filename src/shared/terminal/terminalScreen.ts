import { cellWidth } from './cellWidth';
import type { TerminalStyle } from './sgr';

/** How many characters a terminal shows. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

interface TerminalSpan {
  readonly text: string;
  readonly style: TerminalStyle;
}
export type TerminalLine = readonly TerminalSpan[];

interface Cell {
  /** Empty in the second column of a wide character. */
  readonly char: string;
  readonly style: TerminalStyle;
}
type Row = Cell[];

/** A place on the screen. */
interface Cursor {
  readonly row: number;
  readonly column: number;
  readonly style: TerminalStyle;
}

const plain: TerminalStyle = {};
const blank: Cell = { char: ' ', style: plain };
/** Rightmost column the cursor can move to, so that a sequence of a few bytes can't create a huge line. */
const widest = 1000;
/** Cells per output that moving and erasing may fill, so that a few bytes can't create a huge text. */
const maxFilledCells = 200_000;
/** Rows of the screen, to which positions refer, of a terminal whose size nobody says. */
const usualHeight = 24;
/** Most rows of a screen: what sequences cost grows with them. */
const highest = 100;
/** Lines that the cursor can at least go up to, since the program may have had a higher screen. */
const leastReach = 50;

/**
 * The lines of a terminal. The last ones are its screen, which can be written to anywhere; those that have scrolled
 * out of its reach stay as they are. Lines are as long as they were written: where the terminal has wrapped one, which
 * only its size tells, the cursor moves as it did there, and the line is whole.
 */
export class TerminalScreen {
  style: TerminalStyle = plain;
  /** Columns after which lines are wrapped, if that is known. */
  readonly #columns: number | undefined;
  readonly #height: number;
  readonly #reach: number;
  #above: TerminalSpan[][] = [];
  #rows: Row[] = [[]];
  /** Rows that continue the line of the row before. */
  readonly #continued = new WeakSet<Row>();
  /** First row of the screen. */
  #top = 0;
  #row = 0;
  #column = 0;
  /** First and last row that scroll, counted from the top. */
  #region: readonly [number, number] | undefined;
  #saved: Cursor = { row: 0, column: 0, style: plain };
  /** What is behind the alternate screen while that is shown. */
  #behind: { readonly rows: Row[]; readonly top: number; readonly cursor: Cursor } | undefined;
  #filled = 0;

  constructor(size?: TerminalSize) {
    // In a narrower one, not every character has a place.
    const hasWidth = size !== undefined && size.columns >= 2 && size.columns <= widest;
    this.#columns = hasWidth ? size.columns : undefined;
    this.#height = Math.min(Math.max(1, size?.rows ?? usualHeight), highest);
    this.#reach = Math.max(leastReach, this.#height);
  }

  /** Whether blank space was omitted because there was too much of it. */
  get isCut(): boolean {
    return this.#filled > maxFilledCells;
  }

  /** All lines, without empty ones that the cursor hasn't passed. */
  get lines(): readonly TerminalLine[] {
    const behind = this.#behind?.rows ?? [];
    const rows = this.#behind ? this.#rows.slice(this.#top) : this.#rows;
    const cursor = this.#behind ? this.#row - this.#top : this.#row;
    let end = rows.length;
    while (end > cursor && rows[end - 1]?.length === 0) {
      end--;
    }
    const lines = this.#above.slice();
    const above = lines.at(-1);
    if (above !== undefined) {
      lines[lines.length - 1] = above.slice();
    }
    for (const row of [...behind, ...rows.slice(0, end)]) {
      this.#addLine(lines, row);
    }
    return lines;
  }

  put(char: string): void {
    const width = cellWidth(char) || (this.#join(char) ? 0 : 1);
    if (width === 0) {
      return;
    }
    if (this.#columns !== undefined && this.#column + width > this.#columns) {
      this.newLine();
      this.#continued.add(this.#rowAt(this.#row));
    }
    const cells = this.#rowAt(this.#row);
    const gap = this.#column - cells.length;
    if (gap > 0 && !this.#fill(gap)) {
      this.#column = cells.length;
    }
    while (cells.length < this.#column) {
      cells.push(blank);
    }
    split(cells, this.#column);
    split(cells, this.#column + width);
    cells[this.#column++] = { char, style: this.style };
    if (width === 2) {
      cells[this.#column++] = { char: '', style: this.style };
    }
  }

  /** Begins the next line; on the last row, what is above scrolls up. */
  newLine(): void {
    const [first, last] = this.#region ?? [];
    if (first && this.#row === this.#top + (last ?? 0)) {
      this.scroll(1);
    } else {
      if (this.#row === this.#top + (last ?? this.#height - 1)) {
        // What is below the region stays below it.
        this.#rowAt(this.#row);
        this.#rows.splice(this.#row + 1, 0, []);
        this.#top++;
      } else if (this.#row === this.#top + this.#height - 1) {
        this.#top++;
      }
      this.#row++;
      this.#continued.delete(this.#rowAt(this.#row));
    }
    this.#column = 0;
    while (this.#rows.length > this.#reach) {
      const first = this.#rows.shift() ?? [];
      if (!this.#behind) {
        this.#addLine(this.#above, first);
      }
      this.#top--;
      this.#row = Math.max(0, this.#row - 1);
    }
  }

  /** Goes to the previous line; on the first row, what is below scrolls down. */
  previousLine(): void {
    if (this.#row === this.#top + (this.#region?.[0] ?? 0)) {
      this.scroll(-1);
    } else {
      this.moveBy(-1, 0);
    }
  }

  /** Scrolls what is in the region up by `rows`, or down if it is negative. */
  scroll(rows: number): void {
    this.#shift(this.#top + (this.#region?.[0] ?? 0), -rows);
  }

  /** Inserts empty lines at the cursor, or removes as many if it is negative. */
  insertLines(count: number): void {
    const [first, last] = this.#region ?? [0, this.#height - 1];
    if (this.#row >= this.#top + first && this.#row <= this.#top + last) {
      this.#shift(this.#row, count);
      this.#column = 0;
    }
  }

  moveBy(rows: number, columns: number): void {
    const first = this.#behind ? this.#top : 0;
    const last = Math.max(this.#row, this.#top + this.#height - 1);
    this.#row = Math.min(Math.max(first, this.#row + rows), last);
    const right = this.#columns === undefined ? Math.max(this.#column, widest) : this.#columns - 1;
    this.#column = Math.min(Math.max(0, Math.min(this.#column, right) + columns), right);
  }

  moveToColumn(column: number): void {
    const right = this.#columns === undefined ? widest : this.#columns - 1;
    this.#column = Math.min(Math.max(0, column), right);
  }

  moveToRow(row: number): void {
    this.#row = this.#top + Math.min(Math.max(0, row), this.#height - 1);
  }

  /** 0: from the cursor to the end of the line, 1: up to and including the cursor, 2: the whole line. */
  eraseInLine(what: number): void {
    const cells = this.#rowAt(this.#row);
    if (what === 2 || (what === 0 && this.#column === 0)) {
      this.#continued.delete(cells);
    }
    split(cells, this.#column + (what === 1 ? 1 : 0));
    if (what === 0) {
      cells.length = Math.min(cells.length, this.#column);
    } else if (what === 1) {
      const end = Math.min(this.#column + 1, cells.length);
      if (this.#fill(end)) {
        cells.fill(blank, 0, end);
      }
    } else if (what === 2) {
      cells.length = 0;
    }
  }

  /** 0: from the cursor to the end of the screen, 1: up to and including the cursor, 2: the screen, 3: what is above it. */
  eraseInScreen(what: number): void {
    if (what === 0) {
      this.eraseInLine(0);
      this.#rows.length = this.#row + 1;
    } else if (what === 1) {
      this.eraseInLine(1);
      this.#empty(this.#top, this.#row);
    } else if (what === 2) {
      this.#empty(this.#top, this.#rows.length);
    } else if (what === 3 && !this.#behind) {
      this.#above = [];
      this.#rows.splice(0, this.#top);
      this.#row = Math.max(0, this.#row - this.#top);
      this.#top = 0;
    }
  }

  /** Inserts blanks at the cursor, or removes as many characters if it is negative. */
  insertBlanks(count: number): void {
    const cells = this.#rowAt(this.#row);
    if (this.#column >= cells.length || cells.length > widest) {
      return;
    }
    split(cells, this.#column);
    split(cells, this.#column + Math.max(0, -count));
    if (count < 0) {
      cells.splice(this.#column, -count);
    } else {
      const fitting = Math.min(count, widest - cells.length);
      if (this.#fill(fitting)) {
        cells.splice(this.#column, 0, ...Array.from({ length: fitting }, () => blank));
      }
    }
  }

  /** Erases characters from the cursor on; the others stay where they are. */
  eraseCharacters(count: number): void {
    const cells = this.#rowAt(this.#row);
    const end = this.#column + Math.min(count, widest);
    if (end < cells.length) {
      split(cells, this.#column);
      split(cells, end);
      cells.fill(blank, this.#column, end);
    } else {
      this.eraseInLine(0);
    }
  }

  /** Sets the rows that scroll, from 0 on; all of them if these aren't two. */
  setRegion(first: number, last: number): void {
    const end = Math.min(last, this.#height - 1);
    this.#region = first < end && (first > 0 || end < this.#height - 1) ? [first, end] : undefined;
    this.moveToRow(0);
    this.moveToColumn(0);
  }

  save(): void {
    this.#saved = this.#cursor;
  }

  restore(): void {
    this.#cursor = this.#saved;
  }

  /** Shows an empty screen until `hideAlternate`, as full-screen programs do. */
  showAlternate(): void {
    if (!this.#behind) {
      this.#behind = { rows: this.#rows, top: this.#top, cursor: this.#cursor };
      this.#rows = [];
      this.#row -= this.#top;
      this.#top = 0;
      this.moveBy(0, 0);
      this.#region = undefined;
    }
  }

  hideAlternate(): void {
    if (this.#behind) {
      const { rows, top, cursor } = this.#behind;
      this.#rows = rows;
      this.#top = top;
      this.#cursor = cursor;
      this.#region = undefined;
      this.#behind = undefined;
    }
  }

  /** Begins anew on an empty screen; what is above it stays. */
  reset(): void {
    this.hideAlternate();
    this.eraseInScreen(2);
    this.setRegion(0, this.#height);
    this.style = plain;
    this.save();
  }

  get #cursor(): Cursor {
    return { row: this.#row - this.#top, column: this.#column, style: this.style };
  }

  set #cursor({ row, column, style }: Cursor) {
    this.#row = Math.max(0, this.#top + row);
    this.#column = column;
    this.style = style;
  }

  #rowAt(at: number): Row {
    for (let next = this.#rows.length; next <= at; next++) {
      this.#rows.push([]);
    }
    return this.#rows[at] ?? [];
  }

  /** Inserts empty rows before `at`, whose region ends as far below as it did; removes as many if it is negative. */
  #shift(at: number, count: number): void {
    const last = this.#top + (this.#region?.[1] ?? this.#height - 1);
    const rows = Math.min(Math.abs(count), last - at + 1);
    const empty = Array.from({ length: rows }, (): Row => []);
    this.#rowAt(last);
    if (count > 0) {
      this.#rows.splice(last - rows + 1, rows);
      this.#rows.splice(at, 0, ...empty);
    } else {
      this.#rows.splice(at, rows);
      this.#rows.splice(last - rows + 1, 0, ...empty);
    }
  }

  #empty(from: number, end: number): void {
    for (let at = from; at < Math.min(end, this.#rows.length); at++) {
      this.#rows[at] = [];
    }
  }

  /** Draws a character with the one before the cursor; returns `false` if there is none. */
  #join(char: string): boolean {
    const cells = this.#rowAt(this.#row);
    const at = this.#column - (cells[this.#column - 1]?.char === '' ? 2 : 1);
    const before = cells[at];
    if (before !== undefined) {
      cells[at] = { ...before, char: before.char + char };
    }
    return before !== undefined;
  }

  #addLine(lines: TerminalSpan[][], row: Row): void {
    const before = this.#continued.has(row) ? lines.at(-1) : undefined;
    if (before === undefined) {
      lines.push(toSpans(row));
    } else {
      before.push(...toSpans(row));
    }
  }

  /** Counts blank cells; returns `false` once the limit is exceeded. */
  #fill(cells: number): boolean {
    this.#filled += cells;
    return !this.isCut;
  }
}

/** Leaves no half of a wide character on either side of a column. */
function split(cells: Row, column: number): void {
  if (cells[column]?.char === '') {
    cells[column - 1] = blank;
    cells[column] = blank;
  }
}

function toSpans(cells: readonly Cell[]): TerminalSpan[] {
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
