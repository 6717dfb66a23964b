import type { DrawnEntry, DrawnToolCall } from '../../shared/transcript/drawn';
import { isEmpty } from '../../shared/transcript/isEmpty';

/**
 * Consecutive tool calls that only looked at something, drawn as one line until it is opened.
 * `last` is inclusive.
 */
export interface CallRun {
  readonly first: number;
  readonly last: number;
}

/** Which entries share a row. */
export interface RowGroups {
  /** Indexes of the questions about a call, and of the subagents that it started, by the call's index. */
  readonly questions: ReadonlyMap<number, readonly number[]>;
  /** Index of the call, by its question's index. */
  readonly calls: ReadonlyMap<number, number>;
  /** The run, by the index of each of its calls. */
  readonly runs: ReadonlyMap<number, CallRun>;
  /** Entries that have nothing to show: cleared messages and removed plans. */
  readonly empty: ReadonlySet<number>;
}

/** Maximum calls in a run, so that there are only a few zero-height rows to skip. */
const longestRun = 50;

/**
 * An entry's effect on the rows around it: replacing an entry by one of the same shape regroups no
 * other row.
 */
export type RowShape = 'call' | 'look' | `question ${number}` | 'empty' | 'other';

export function shapeOf(entry: DrawnEntry | undefined): RowShape | undefined {
  if (entry === undefined) {
    return undefined;
  }
  switch (entry.kind) {
    case 'toolCall':
      return isLook(entry) ? 'look' : 'call';
    case 'permission':
    case 'subagent':
      return entry.call === undefined ? 'other' : `question ${entry.call}`;
    default:
      return isEmpty(entry) ? 'empty' : 'other';
  }
}

/** Whether the call only looked at something and shows nothing unless it is opened. */
function isLook({ toolKind, status, content, dropped }: DrawnToolCall): boolean {
  return (
    (toolKind === 'read' || toolKind === 'search' || toolKind === 'fetch') &&
    status === 'completed' &&
    !dropped &&
    content.every(({ type }) => type === 'block')
  );
}

/** Groups the entries that are held; `shapes` may be in any order. */
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
  const empty = new Set(indexes.filter((index) => shapes.get(index) === 'empty'));
  return { questions, calls, runs: runsOf(looks), empty };
}

function callOf(shape: RowShape | undefined): number | undefined {
  return shape?.startsWith('question ') ? Number(shape.slice('question '.length)) : undefined;
}

/** `looks` is in ascending order. */
function runsOf(looks: readonly number[]): ReadonlyMap<number, CallRun> {
  const runs = new Map<number, CallRun>();
  let start = 0;
  for (const [at, index] of looks.entries()) {
    const isEnd = looks[at + 1] !== index + 1 || at - start + 1 === longestRun;
    if (!isEnd) {
      continue;
    }
    const run = { first: looks[start] ?? index, last: index };
    // A single call is no longer than the line that would stand for it.
    for (const each of at > start ? looks.slice(start, at + 1) : []) {
      runs.set(each, run);
    }
    start = at + 1;
  }
  return runs;
}
