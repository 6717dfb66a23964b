import type { NoRecord, PendingFile } from '../../../../model/changes/reviews';
import type { SessionRef } from '../../../../shared/sessionRef';
import type { JsonObject } from '../../../../util/json';
import { type FileState, writeState } from './fileState';

/** The format's version; a journal with a later one is left alone. */
export const journalVersion = 1;

/** Bounds of what is written and read; beyond them, a line doesn't count. */
export const journalBounds = {
  lineBytes: 4 * 1024 * 1024,
  lines: 200_000,
  bytes: 128 * 1024 * 1024,
  /** Lines that only decisions and turns may use: they stay possible when no more changes fit. */
  reservedLines: 10_000,
  reservedBytes: 16 * 1024 * 1024,
  filesPerLine: 5_000,
  files: 20_000,
  turnsPerFile: 1_000,
  beside: 100,
  pathLength: 4_096,
  promptLength: 200,
};

/** The first line of each journal. */
export interface HeadLine {
  readonly type: 'record';
  readonly agentId: string;
  readonly sessionId: string;
}

/** A turn has begun, or more is known about it. */
export interface TurnLine {
  readonly type: 'turn';
  readonly turn: number;
  readonly prompt: string;
  /** The agent began it by itself: the prompt is the one before it. */
  readonly isUnprompted?: true;
  readonly began: number;
  readonly incomplete?: NoRecord;
  readonly isLate?: true;
  /** The process of the window that records it. */
  readonly pid: number;
  /** Everything that it changed is recorded. */
  readonly isOver?: true;
}

/** A file after a line, so that reading needs no contents. */
export interface FileAfter {
  readonly file: string;
  /** The state as the record last knew it. */
  readonly seen: FileState;
  /** The state without the changes that are pending. */
  readonly base: FileState;
  readonly form: PendingFile['form'];
  /** Lines that are pending. */
  readonly added: number;
  readonly removed: number;
  /** The turns whose changes are pending, ascending. */
  readonly turns: readonly number[];
  readonly isMixed?: true;
  readonly isOutside?: true;
  readonly movedFrom?: string;
}

/**
 * A type for filling an object. A long record has thousands of them, and copying each with spreads takes most of the
 * time.
 */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export type StepBy = 'agent' | 'user' | 'other';
export type StepSource = 'write' | 'checkpoint' | 'diff' | 'editor' | 'review';

export interface StepFile extends FileAfter {
  readonly before: FileState;
  /** Lines that this step adds and removes. */
  readonly own: readonly [added: number, removed: number];
  /** The path that the file had before this step. */
  readonly source?: string;
  /** How often the file's record had changed when this was worked out. */
  readonly revision: number;
}

/** Files changed. */
export interface StepLine {
  readonly type: 'step';
  readonly by: StepBy;
  readonly source: StepSource;
  readonly turn: number;
  readonly at: number;
  readonly files: readonly StepFile[];
}

/** A file after a decision, which doesn't count if the file was another one before. */
export interface DecidedFile extends FileAfter {
  readonly was: readonly [seen: FileState, base: FileState];
  /** The turns that were decided about, at least in part. */
  readonly of: readonly number[];
}

export interface KeepLine {
  readonly type: 'keep';
  readonly at: number;
  readonly files: readonly DecidedFile[];
}

export interface ChangedFile extends DecidedFile {
  readonly from: FileState;
  readonly to: FileState;
  /** The file is moved there, so it isn't deleted unless it is there. */
  readonly goesTo?: string;
}

/** Files will be changed; a `DoneLine` follows. */
export interface IntentLine {
  readonly type: 'intent';
  readonly id: string;
  readonly what: 'undo' | 'restore' | 'unrestore';
  /** The decision that it belongs to; a large one takes several lines. */
  readonly group: string;
  readonly pid: number;
  readonly window: string;
  readonly at: number;
  readonly files: readonly ChangedFile[];
}

export interface DoneLine {
  readonly type: 'done';
  readonly id: string;
  /** The time in ms since the epoch. */
  readonly at: number;
  /** Indexes of the intent's files that were changed. */
  readonly changed: readonly number[];
}

/** A change that the session has seen, and that may be another one's. */
export interface UncertainStep {
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly form: PendingFile['form'];
  readonly added: number;
  readonly removed: number;
  /** The sessions that were at work, too. */
  readonly beside: readonly SessionRef[];
}

/** Files changed, and it isn't known by whom. */
export interface UncertainLine {
  readonly type: 'uncertain';
  readonly id: string;
  readonly turn: number;
  readonly at: number;
  readonly files: readonly UncertainStep[];
}

/** What was uncertain isn't any more: somebody has named it, or the user has decided about it. */
export interface SettledLine {
  readonly type: 'settled';
  readonly at: number;
  readonly files: readonly { readonly id: string; readonly file: string }[];
}

export type JournalLine =
  | HeadLine
  | TurnLine
  | StepLine
  | KeepLine
  | IntentLine
  | DoneLine
  | UncertainLine
  | SettledLine;

/** A line of text without its line end; `undefined` if it exceeds a bound. */
export function writeLine(line: JournalLine): string | undefined {
  const isBounded = !('files' in line) || line.files.length <= journalBounds.filesPerLine;
  const head = line.type === 'record' && { version: journalVersion };
  const text = JSON.stringify({
    ...line,
    ...head,
    ...('files' in line && { files: filesText(line) }),
  });
  return isBounded && Buffer.byteLength(text) <= journalBounds.lineBytes ? text : undefined;
}

function filesText(line: Extract<JournalLine, { readonly files: unknown }>): readonly JsonObject[] {
  switch (line.type) {
    case 'uncertain':
      return line.files.map(uncertainText);
    case 'settled':
      return line.files.map((file) => ({ ...file }));
    default:
      return line.files.map(fileText);
  }
}

/** An uncertain change in the form of a journal. */
export function uncertainText(step: UncertainStep): JsonObject {
  return { ...step, before: writeState(step.before), after: writeState(step.after) };
}

/** A file of a line in the form of a journal. */
export function fileText(file: FileAfter | StepFile | DecidedFile | ChangedFile): JsonObject {
  return {
    ...file,
    seen: writeState(file.seen),
    base: writeState(file.base),
    ...('before' in file && { before: writeState(file.before) }),
    ...('was' in file && { was: file.was.map(writeState) }),
    ...('from' in file && { from: writeState(file.from), to: writeState(file.to) }),
  };
}
