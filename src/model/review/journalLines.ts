import { asArray, isObject, type JsonObject } from '../../util/json';
import type { NoCheckpoint } from './checkpoints';
import type { FileState } from './fileState';
import type { PendingFile } from './review';
import { readState, writeState } from './stateText';

/** The format's version; a journal with a later one is left alone. */
const journalVersion = 1;

/** Bounds of what is written and read; beyond them, a line doesn't count. */
export const journalBounds = {
  lineBytes: 4 * 1024 * 1024,
  lines: 200_000,
  bytes: 128 * 1024 * 1024,
  filesPerLine: 5_000,
  files: 20_000,
  turnsPerFile: 1_000,
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
  readonly began: number;
  readonly incomplete?: NoCheckpoint;
  readonly isLate?: true;
}

/** A file after a line, so that reading needs no contents. */
export interface FileAfter {
  readonly file: string;
  /** As the record last knew it. */
  readonly seen: FileState;
  /** Without the changes that are pending. */
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

export type StepBy = 'agent' | 'user' | 'other';
export type StepSource = 'write' | 'checkpoint' | 'diff' | 'editor' | 'review';

export interface StepFile extends FileAfter {
  readonly before: FileState;
  /** Lines that this step adds and removes. */
  readonly own: readonly [added: number, removed: number];
  /** The path that the file had before this step. */
  readonly source?: string;
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

interface DoneLine {
  readonly type: 'done';
  readonly id: string;
  /** Indexes of the intent's files that were changed. */
  readonly changed: readonly number[];
}

export type JournalLine = HeadLine | TurnLine | StepLine | KeepLine | IntentLine | DoneLine;

/** One line of text without its line end; `undefined` if it exceeds a bound. */
export function writeLine(line: JournalLine): string | undefined {
  const isBounded = !('files' in line) || line.files.length <= journalBounds.filesPerLine;
  const head = line.type === 'record' && { version: journalVersion };
  const text = JSON.stringify({ ...line, ...head, ...('files' in line && filesText(line.files)) });
  return isBounded && Buffer.byteLength(text) <= journalBounds.lineBytes ? text : undefined;
}

function filesText(files: readonly (StepFile | DecidedFile | ChangedFile)[]): JsonObject {
  return {
    files: files.map((file) => ({
      ...file,
      seen: writeState(file.seen),
      base: writeState(file.base),
      ...('before' in file && { before: writeState(file.before) }),
      ...('was' in file && { was: file.was.map(writeState) }),
      ...('from' in file && { from: writeState(file.from), to: writeState(file.to) }),
    })),
  };
}

/** `undefined` if it isn't a line of this format. */
export function readLine(text: string): JournalLine | 'newer' | undefined {
  const value = parsed(text);
  switch (value?.['type']) {
    case 'record':
      return readHead(value);
    case 'turn':
      return readTurn(value);
    case 'step':
      return readStep(value);
    case 'keep':
      return readKeep(value);
    case 'intent':
      return readIntent(value);
    case 'done':
      return readDone(value);
    default:
      return undefined;
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readHead({ version, agentId, sessionId }: JsonObject): HeadLine | 'newer' | undefined {
  if (isCount(version) && version > journalVersion) {
    return 'newer';
  }
  return version === journalVersion && isText(agentId) && isText(sessionId)
    ? { type: 'record', agentId, sessionId }
    : undefined;
}

const reasons: readonly unknown[] = [
  'off',
  'untrusted',
  'noGit',
  'tooManyFiles',
  'tooManyBytes',
  'failed',
] satisfies NoCheckpoint[];

function readTurn({ turn, prompt, began, incomplete, isLate }: JsonObject): TurnLine | undefined {
  if (!isTurn(turn) || !isCount(began) || typeof prompt !== 'string') {
    return undefined;
  }
  return {
    type: 'turn',
    turn,
    prompt: prompt.slice(0, journalBounds.promptLength),
    began,
    ...(reasons.includes(incomplete) && { incomplete: incomplete as NoCheckpoint }),
    ...(isLate === true && { isLate }),
  };
}

const bys: readonly unknown[] = ['agent', 'user', 'other'] satisfies StepBy[];
const sources: readonly unknown[] = [
  'write',
  'checkpoint',
  'diff',
  'editor',
  'review',
] satisfies StepSource[];

function readStep(value: JsonObject): StepLine | undefined {
  const { by, source, turn, at } = value;
  const files = readFiles(value, readStepFile);
  return files !== undefined &&
    bys.includes(by) &&
    sources.includes(source) &&
    isCount(turn) &&
    isCount(at)
    ? { type: 'step', by: by as StepBy, source: source as StepSource, turn, at, files }
    : undefined;
}

function readKeep(value: JsonObject): KeepLine | undefined {
  const files = readFiles(value, readDecided);
  return files !== undefined && isCount(value['at'])
    ? { type: 'keep', at: value['at'], files }
    : undefined;
}

function readIntent(value: JsonObject): IntentLine | undefined {
  const { id, what, group, pid, window, at } = value;
  const files = readFiles(value, readChanged);
  return files !== undefined &&
    isText(id) &&
    isText(group) &&
    isText(window) &&
    isCount(pid) &&
    isCount(at) &&
    (what === 'undo' || what === 'restore' || what === 'unrestore')
    ? { type: 'intent', id, what, group, pid, window, at, files }
    : undefined;
}

function readDone({ id, changed }: JsonObject): DoneLine | undefined {
  const indexes = asArray(changed);
  return isText(id) && indexes.length <= journalBounds.filesPerLine && indexes.every(isCount)
    ? { type: 'done', id, changed: indexes }
    : undefined;
}

/** All of them or none: a line with a damaged file tells nothing for sure. */
function readFiles<T>(
  { files }: JsonObject,
  read: (value: JsonObject) => T | undefined,
): readonly T[] | undefined {
  const values = asArray(files);
  if (values.length === 0 || values.length > journalBounds.filesPerLine) {
    return undefined;
  }
  const all: T[] = [];
  for (const value of values) {
    const file = isObject(value) ? read(value) : undefined;
    if (file === undefined) {
      return undefined;
    }
    all.push(file);
  }
  return all;
}

const forms: readonly unknown[] = [
  'text',
  'binary',
  'tooLarge',
  'unkept',
] satisfies PendingFile['form'][];

function readAfter(value: JsonObject): FileAfter | undefined {
  const { file, form, added, removed, isMixed, isOutside, movedFrom } = value;
  const seen = readState(value['seen']);
  const base = readState(value['base']);
  const turns = readTurns(value['turns']);
  if (
    !isPath(file) ||
    seen === undefined ||
    base === undefined ||
    turns === undefined ||
    !forms.includes(form) ||
    !isCount(added) ||
    !isCount(removed) ||
    !(movedFrom === undefined || isPath(movedFrom))
  ) {
    return undefined;
  }
  return {
    ...{ file, seen, base, form: form as PendingFile['form'], added, removed, turns },
    ...(isMixed === true && { isMixed }),
    ...(isOutside === true && { isOutside }),
    ...(movedFrom !== undefined && { movedFrom }),
  };
}

function readStepFile(value: JsonObject): StepFile | undefined {
  const after = readAfter(value);
  const before = readState(value['before']);
  const [added, removed] = asArray(value['own']);
  const { source } = value;
  return after !== undefined &&
    before !== undefined &&
    isCount(added) &&
    isCount(removed) &&
    (source === undefined || isPath(source))
    ? { ...after, before, own: [added, removed], ...(source !== undefined && { source }) }
    : undefined;
}

function readDecided(value: JsonObject): DecidedFile | undefined {
  const after = readAfter(value);
  const [seen, base] = asArray(value['was']).map(readState);
  const of = readTurns(value['of']);
  return after !== undefined && seen !== undefined && base !== undefined && of !== undefined
    ? { ...after, was: [seen, base], of }
    : undefined;
}

function readChanged(value: JsonObject): ChangedFile | undefined {
  const decided = readDecided(value);
  const from = readState(value['from']);
  const to = readState(value['to']);
  const { goesTo } = value;
  return decided !== undefined && from !== undefined && to !== undefined
    ? { ...decided, from, to, ...(isPath(goesTo) && { goesTo }) }
    : undefined;
}

function readTurns(value: unknown): readonly number[] | undefined {
  const turns = asArray(value);
  return turns.length <= journalBounds.turnsPerFile && turns.every(isTurn) ? turns : undefined;
}

function isPath(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= journalBounds.pathLength &&
    /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value) &&
    !value.includes('\0')
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= journalBounds.pathLength;
}

function isTurn(value: unknown): value is number {
  return isCount(value) && value > 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
