import type { DrawnEntry, DrawnToolCall } from '../shared/transcript/drawn';

/** Calls that follow each other and only looked at something: one line until it is opened. `last` is included. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

/** Which entries are drawn in one row. */
export interface RowGroups {
  /** Places of questions, by that of the call that they are about. */
  readonly questions: ReadonlyMap<number, readonly number[]>;
  /** Place of the call, by that of its question. */
  readonly calls: ReadonlyMap<number, number>;
  /** By the place of each of its calls. */
  readonly runs: ReadonlyMap<number, Run>;
}

/** Calls of one run; so many rows without a height are soon passed over. */
const longestRun = 50;

/**
 * What an entry means for the rows around it: entries of the same shape can take each other's place without any
 * other row becoming another one.
 */
export type RowShape = 'call' | 'look' | `question ${number}` | 'other';

export function shapeOf(entry: DrawnEntry | undefined): RowShape | undefined {
  switch (entry?.kind) {
    case undefined:
      return undefined;
    case 'toolCall':
      return isLook(entry) ? 'look' : 'call';
    case 'permission':
      return entry.call === undefined ? 'other' : `question ${entry.call}`;
    default:
      return 'other';
  }
}

/** Has only looked at something, and shows nothing unless it is opened. */
function isLook({ toolKind, status, content, dropped }: DrawnToolCall): boolean {
  return (
    (toolKind === 'read' || toolKind === 'search' || toolKind === 'fetch') &&
    status === 'completed' &&
    !dropped &&
    content.every(({ type }) => type === 'block')
  );
}

/** Groups what is held; `shapes` in any order. */
export function groupRows(shapes: ReadonlyMap<number, RowShape>): RowGroups {
  const indexes = [...shapes.keys()].sort((a, b) => a - b);
  const calls = new Map<number, number>();
  const questions = new Map<number, number[]>();
  for (const index of indexes) {
    const call = callOf(shapes.get(index));
    const shape = call === undefined ? undefined : shapes.get(call);
    if (call !== undefined && call < index && (shape === 'call' || shape === 'look')) {
      calls.set(index, call);
      questions.set(call, [...(questions.get(call) ?? []), index]);
    }
  }
  const looks = indexes.filter((index) => shapes.get(index) === 'look' && !questions.has(index));
  return { questions, calls, runs: runsOf(looks) };
}

function callOf(shape: RowShape | undefined): number | undefined {
  return shape?.startsWith('question ') ? Number(shape.slice('question '.length)) : undefined;
}

/** `looks` are ascending. */
function runsOf(looks: readonly number[]): ReadonlyMap<number, Run> {
  const runs = new Map<number, Run>();
  let start = 0;
  for (const [at, index] of looks.entries()) {
    const isEnd = looks[at + 1] !== index + 1 || at - start + 1 === longestRun;
    if (!isEnd) {
      continue;
    }
    const run = { first: looks[start] ?? index, last: index };
    // One call alone is no longer than a line that stands for it.
    for (const each of at > start ? looks.slice(start, at + 1) : []) {
      runs.set(each, run);
    }
    start = at + 1;
  }
  return runs;
}
