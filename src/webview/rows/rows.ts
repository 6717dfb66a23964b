import { computed, type ReadonlySignal } from '@preact/signals';
import type { DrawnEntry, DrawnToolCall } from '../../shared/transcript/drawn';
import { isEmpty } from '../../shared/transcript/isEmpty';
import type { Folds } from './folds';

/** Fold names of a run's line and of each call in it. */
const runPart = 'run';
const callPart = 'runCall';

const none: readonly number[] = [];

/**
 * Which row each entry is drawn in: a question shares its call's row, and calls that only looked at
 * something share one line.
 */
export class Rows {
  readonly #groups: ReadonlySignal<RowGroups>;
  readonly #folds: Folds;
  readonly #sought: ReadonlySignal<number | undefined>;
  readonly #forget: () => void;

  /**
   * Entries without a row: their height is zero. The set keeps its identity while its contents are
   * unchanged.
   */
  readonly hidden: ReadonlySignal<ReadonlySet<number>> = computed(() => {
    const hidden = this.#hiddenNow();
    const before = this.#hidden;
    if (hidden.size !== before.size || [...hidden].some((index) => !before.has(index))) {
      this.#hidden = hidden;
    }
    return this.#hidden;
  });
  #hidden: ReadonlySet<number> = new Set();

  /** `sought`: the entry the user navigated to, which is never folded away; `forget` clears it. */
  constructor(
    groups: ReadonlySignal<RowGroups>,
    folds: Folds,
    sought: ReadonlySignal<number | undefined>,
    forget: () => void,
  ) {
    this.#groups = groups;
    this.#folds = folds;
    this.#sought = sought;
    this.#forget = forget;
  }

  /** Indexes of the questions and subagents drawn with this call. */
  getQuestions(index: number): readonly number[] {
    return this.#groups.value.questions.get(index) ?? none;
  }

  /** The run whose line is drawn in this row. */
  runAt(index: number): CallRun | undefined {
    const run = this.#groups.value.runs.get(index);
    return run?.first === index ? run : undefined;
  }

  isOpen({ first, last }: CallRun): boolean {
    const sought = this.#sought.value;
    const isSought = sought !== undefined && first <= sought && sought <= last;
    return isSought || this.#folds.isOpen(first, runPart, false);
  }

  /** Whether a call of a run is drawn below its line. */
  isCallOpen(run: CallRun, index: number): boolean {
    return (
      this.isOpen(run) &&
      (this.#sought.value === index || this.#folds.isOpen(index, callPart, false))
    );
  }

  toggle(run: CallRun): void {
    this.#set(run, run.first, runPart, !this.isOpen(run));
  }

  toggleCall(run: CallRun, index: number): void {
    const open = !this.isCallOpen(run, index);
    this.#set(run, index, callPart, open);
    if (open) {
      // The user opens a call to see its result.
      this.#folds.set(index, 'tool', true);
    }
  }

  /** The row in which an entry is drawn; for one that isn't, the row before it, or the first one. */
  getRow(index: number): number {
    const { calls, runs, empty } = this.#groups.value;
    const at = shownBeside(index, empty);
    const first = this.hidden.value.has(at) ? runs.get(at)?.first : undefined;
    return calls.get(at) ?? first ?? at;
  }

  /** The last entry that this row represents. */
  lastAt(index: number): number {
    const run = this.runAt(index);
    return run && !this.isCallOpen(run, index) ? run.last : index;
  }

  /** The next visible row in one direction; may be -1 or the entry count when there is none. */
  next(index: number, step: 1 | -1): number {
    let row = index + step;
    while (this.hidden.peek().has(row)) {
      row += step;
    }
    return row;
  }

  #hiddenNow(): ReadonlySet<number> {
    const { calls, runs, empty } = this.#groups.value;
    const hidden = new Set([...calls.keys(), ...empty]);
    for (const [index, run] of runs) {
      if (index !== run.first && !this.isCallOpen(run, index)) {
        hidden.add(index);
      }
    }
    return hidden;
  }

  #set(run: CallRun, index: number, part: string, open: boolean): void {
    const sought = this.#sought.peek();
    if (sought !== undefined && run.first <= sought && sought <= run.last) {
      // Keep it open, but let the user close it from now on.
      this.#folds.set(run.first, runPart, true);
      this.#folds.set(sought, callPart, true);
      this.#forget();
    }
    this.#folds.set(index, part, open);
  }
}

/** The entry that is shown, at or before this one if there is any. */
function shownBeside(index: number, empty: ReadonlySet<number>): number {
  let at = index;
  while (empty.has(at)) {
    at -= 1;
  }
  if (at < 0) {
    for (at = index; empty.has(at); ) {
      at += 1;
    }
  }
  return at;
}

/**
 * Consecutive tool calls that only looked at something, drawn as one line until it is opened.
 * `last` is inclusive.
 */
export interface CallRun {
  readonly first: number;
  readonly last: number;
}

/** Which entries share a row. */
interface RowGroups {
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
const maxRunCalls = 50;

/**
 * An entry's effect on the rows around it: replacing an entry by one of the same shape regroups no
 * other row.
 */
export type RowShape = 'call' | 'look' | `question ${number}` | 'empty' | 'other';

export function findShape(entry: DrawnEntry | undefined): RowShape | undefined {
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
    const call = findCall(shapes.get(index));
    const shape = call === undefined ? undefined : shapes.get(call);
    if (call !== undefined && call < index && (shape === 'call' || shape === 'look')) {
      calls.set(index, call);
      questions.set(call, [...(questions.get(call) ?? []), index]);
    }
  }
  const looks = indexes.filter((index) => shapes.get(index) === 'look' && !questions.has(index));
  const empty = new Set(indexes.filter((index) => shapes.get(index) === 'empty'));
  return { questions, calls, runs: getRuns(looks), empty };
}

function findCall(shape: RowShape | undefined): number | undefined {
  return shape?.startsWith('question ') ? Number(shape.slice('question '.length)) : undefined;
}

/** `looks` is in ascending order. */
function getRuns(looks: readonly number[]): ReadonlyMap<number, CallRun> {
  const runs = new Map<number, CallRun>();
  let start = 0;
  for (const [at, index] of looks.entries()) {
    const isEnd = looks[at + 1] !== index + 1 || at - start + 1 === maxRunCalls;
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
