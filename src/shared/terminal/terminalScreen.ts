import type { TerminalStyle } from './sgr';

interface TerminalSpan {
  readonly text: string;
  readonly style: TerminalStyle;
}
export type TerminalLine = readonly TerminalSpan[];

interface Cell {
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
/** Rows of the screen, to which positions refer: those of a terminal whose size nobody says. */
const height = 24;
/** Lines that the cursor can go up to, since the program may have had a higher screen. */
const reach = 50;

/**
 * The lines of a terminal. The last ones are its screen, which can be written to anywhere; those that have scrolled
 * out of its reach stay as they are. Lines are as long as they were written, since nobody says how wide the terminal was.
 */
export class TerminalScreen {
  style: TerminalStyle = plain;
  #above: TerminalLine[] = [];
  #rows: Row[] = [[]];
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
    return [...this.#above, ...[...behind, ...rows.slice(0, end)].map(toSpans)];
  }

  put(char: string): void {
    const cells = this.#rowAt(this.#row);
    const gap = this.#column - cells.length;
    if (gap > 0 && !this.#fill(gap)) {
      this.#column = cells.length;
    }
    while (cells.length < this.#column) {
      cells.push(blank);
    }
    cells[this.#column++] = { char, style: this.style };
  }

  /** Begins the next line; on the last row, what is above scrolls up. */
  newLine(): void {
    const [first, last] = this.#region ?? [];
    if (first && this.#row === this.#top + (last ?? 0)) {
      this.scroll(1);
    } else {
      if (this.#row === this.#top + (last ?? height - 1)) {
        // What is below the region stays below it.
        this.#rowAt(this.#row);
        this.#rows.splice(this.#row + 1, 0, []);
        this.#top++;
      } else if (this.#row === this.#top + height - 1) {
        this.#top++;
      }
      this.#row++;
      this.#rowAt(this.#row);
    }
    this.#column = 0;
    while (this.#rows.length > reach) {
      const first = this.#rows.shift() ?? [];
      if (!this.#behind) {
        this.#above.push(toSpans(first));
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
    const [first, last] = this.#region ?? [0, height - 1];
    if (this.#row >= this.#top + first && this.#row <= this.#top + last) {
      this.#shift(this.#row, count);
      this.#column = 0;
    }
  }

  moveBy(rows: number, columns: number): void {
    const first = this.#behind ? this.#top : 0;
    const last = Math.max(this.#row, this.#top + height - 1);
    this.#row = Math.min(Math.max(first, this.#row + rows), last);
    this.#column = Math.min(Math.max(0, this.#column + columns), Math.max(this.#column, widest));
  }

  moveToColumn(column: number): void {
    this.#column = Math.min(Math.max(0, column), widest);
  }

  moveToRow(row: number): void {
    this.#row = this.#top + Math.min(Math.max(0, row), height - 1);
  }

  /** 0: from the cursor to the end of the line, 1: up to and including the cursor, 2: the whole line. */
  eraseInLine(what: number): void {
    const cells = this.#rowAt(this.#row);
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
      cells.fill(blank, this.#column, end);
    } else {
      this.eraseInLine(0);
    }
  }

  /** Sets the rows that scroll, from 0 on; all of them if these aren't two. */
  setRegion(first: number, last: number): void {
    const end = Math.min(last, height - 1);
    this.#region = first < end && (first > 0 || end < height - 1) ? [first, end] : undefined;
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
    this.setRegion(0, height);
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
    const last = this.#top + (this.#region?.[1] ?? height - 1);
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
