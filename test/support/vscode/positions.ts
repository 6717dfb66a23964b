import type * as vscode from 'vscode';

export class Position implements vscode.Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }

  isBefore(other: vscode.Position): boolean {
    return this.compareTo(other) < 0;
  }

  isBeforeOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) <= 0;
  }

  isAfter(other: vscode.Position): boolean {
    return this.compareTo(other) > 0;
  }

  isAfterOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) >= 0;
  }

  isEqual(other: vscode.Position): boolean {
    return this.compareTo(other) === 0;
  }

  compareTo({ line, character }: vscode.Position): number {
    return this.line - line || this.character - character;
  }

  translate(
    by: number | { readonly lineDelta?: number; readonly characterDelta?: number } = 0,
    characters = 0,
  ): Position {
    const { lineDelta = 0, characterDelta = 0 } =
      typeof by === 'number' ? { lineDelta: by, characterDelta: characters } : by;
    return new Position(this.line + lineDelta, this.character + characterDelta);
  }

  with(
    change: number | { readonly line?: number; readonly character?: number } = this.line,
    column = this.character,
  ): Position {
    const { line = this.line, character = this.character } =
      typeof change === 'number' ? { line: change, character: column } : change;
    return new Position(line, character);
  }
}

export class Range implements vscode.Range {
  readonly start: vscode.Position;
  readonly end: vscode.Position;

  constructor(start: vscode.Position, end: vscode.Position);
  constructor(line: number, character: number, endLine: number, endCharacter: number);
  constructor(
    ...given:
      | [start: vscode.Position, end: vscode.Position]
      | [line: number, character: number, endLine: number, endCharacter: number]
  ) {
    const [a, b] =
      given.length === 2
        ? given
        : [new Position(given[0], given[1]), new Position(given[2], given[3])];
    [this.start, this.end] = a.isBefore(b) ? [a, b] : [b, a];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(other: vscode.Position | vscode.Range): boolean {
    const [start, end] = other instanceof Range ? [other.start, other.end] : [other, other];
    return (
      this.start.isBeforeOrEqual(start as vscode.Position) &&
      this.end.isAfterOrEqual(end as vscode.Position)
    );
  }

  isEqual({ start, end }: vscode.Range): boolean {
    return this.start.isEqual(start) && this.end.isEqual(end);
  }

  intersection({ start, end }: vscode.Range): Range | undefined {
    const from = this.start.isAfter(start) ? this.start : start;
    const to = this.end.isBefore(end) ? this.end : end;
    return from.isAfter(to) ? undefined : new Range(from, to);
  }

  union({ start, end }: vscode.Range): Range {
    return new Range(
      this.start.isBefore(start) ? this.start : start,
      this.end.isAfter(end) ? this.end : end,
    );
  }

  with(
    change:
      | vscode.Position
      | { readonly start?: vscode.Position; readonly end?: vscode.Position } = {},
    last = this.end,
  ): Range {
    const { start = this.start, end = this.end } =
      change instanceof Position
        ? { start: change, end: last }
        : (change as { readonly start?: vscode.Position; readonly end?: vscode.Position });
    return new Range(start, end);
  }
}

export class Selection extends Range implements vscode.Selection {
  readonly anchor: vscode.Position;
  readonly active: vscode.Position;

  constructor(anchor: vscode.Position, active: vscode.Position);
  constructor(line: number, character: number, activeLine: number, activeCharacter: number);
  constructor(
    ...given:
      | [anchor: vscode.Position, active: vscode.Position]
      | [line: number, character: number, activeLine: number, activeCharacter: number]
  ) {
    const [anchor, active] =
      given.length === 2
        ? given
        : [new Position(given[0], given[1]), new Position(given[2], given[3])];
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }

  get isReversed(): boolean {
    return this.anchor.isAfter(this.active);
  }
}
