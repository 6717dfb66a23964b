import type { NoRecord, PendingFile } from '../../../../model/changes/reviews';
import { asArray, isObject, type JsonObject, parseJson } from '../../../../util/json';
import { readState } from './fileState';
import {
  type ChangedFile,
  type DecidedFile,
  type DoneLine,
  type Draft,
  type FileAfter,
  type HeadLine,
  type IntentLine,
  type JournalLine,
  journalBounds,
  journalVersion,
  type KeepLine,
  type SettledLine,
  type StepBy,
  type StepFile,
  type StepLine,
  type StepSource,
  type TurnLine,
  type UncertainLine,
  type UncertainStep,
} from './journalLines';

/** `undefined` if it isn't a line of this format. */
export function readLine(text: string): JournalLine | 'newer' | undefined {
  const value = parseJson(text);
  if (!isObject(value)) {
    return undefined;
  }
  switch (value['type']) {
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
    case 'uncertain':
      return readUncertain(value);
    case 'settled':
      return readSettled(value);
    default:
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
  'full',
] satisfies NoRecord[];

export function readTurn(value: JsonObject): TurnLine | undefined {
  const { turn, prompt, isUnprompted, began, incomplete, isLate, pid, isOver } = value;
  if (!isTurn(turn) || !isCount(began) || !isCount(pid) || typeof prompt !== 'string') {
    return undefined;
  }
  return {
    type: 'turn',
    turn,
    prompt: prompt.slice(0, journalBounds.promptLength),
    ...(isUnprompted === true && { isUnprompted }),
    began,
    ...(reasons.includes(incomplete) && { incomplete: incomplete as NoRecord }),
    ...(isLate === true && { isLate }),
    pid,
    ...(isOver === true && { isOver }),
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

function readDone({ id, at, changed }: JsonObject): DoneLine | undefined {
  const indexes = asArray(changed);
  return isText(id) &&
    isCount(at) &&
    indexes.length <= journalBounds.filesPerLine &&
    indexes.every(isCount)
    ? { type: 'done', id, at, changed: indexes }
    : undefined;
}

function readUncertain(value: JsonObject): UncertainLine | undefined {
  const { id, turn, at } = value;
  const files = readFiles(value, readUncertainStep);
  return files !== undefined && isText(id) && isCount(turn) && isCount(at)
    ? { type: 'uncertain', id, turn, at, files }
    : undefined;
}

export function readUncertainStep(value: JsonObject): UncertainStep | undefined {
  const { file, form, added, removed } = value;
  const before = readState(value['before']);
  const after = readState(value['after']);
  const beside = asArray(value['beside']).map(readName);
  const names = beside.filter((name) => name !== undefined);
  return isPath(file) &&
    before !== undefined &&
    after !== undefined &&
    forms.includes(form) &&
    isCount(added) &&
    isCount(removed) &&
    names.length === beside.length &&
    names.length <= journalBounds.beside
    ? { file, before, after, form: form as PendingFile['form'], added, removed, beside: names }
    : undefined;
}

function readName(value: unknown): UncertainStep['beside'][number] | undefined {
  const { agentId, sessionId } = isObject(value) ? value : {};
  return isText(agentId) && isText(sessionId) ? { agentId, sessionId } : undefined;
}

function readSettled(value: JsonObject): SettledLine | undefined {
  const files = readFiles(value, ({ id, file }) =>
    isText(id) && isPath(file) ? { id, file } : undefined,
  );
  return files !== undefined && isCount(value['at'])
    ? { type: 'settled', at: value['at'], files }
    : undefined;
}

/** Reads all files of a line or none: one with a damaged file tells nothing for sure. */
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

export function readAfter(value: JsonObject): Draft<FileAfter> | undefined {
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
  const known = form as PendingFile['form'];
  const after: Draft<FileAfter> = { file, seen, base, form: known, added, removed, turns };
  if (isMixed === true) {
    after.isMixed = isMixed;
  }
  if (isOutside === true) {
    after.isOutside = isOutside;
  }
  if (movedFrom !== undefined) {
    after.movedFrom = movedFrom;
  }
  return after;
}

function readStepFile(value: JsonObject): StepFile | undefined {
  const after = readAfter(value);
  const before = readState(value['before']);
  const own = asArray(value['own']);
  const [added, removed] = [own[0], own[1]];
  const { source, revision } = value;
  if (
    after === undefined ||
    before === undefined ||
    !isCount(added) ||
    !isCount(removed) ||
    !isCount(revision) ||
    !(source === undefined || isPath(source))
  ) {
    return undefined;
  }
  const file: Draft<StepFile> = Object.assign(after, {
    before,
    own: [added, removed] as const,
    revision,
  });
  if (source !== undefined) {
    file.source = source;
  }
  return file;
}

function readDecided(value: JsonObject): DecidedFile | undefined {
  const after = readAfter(value);
  const [seen, base] = asArray(value['was']).map(readState);
  const of = readTurns(value['of']);
  return after !== undefined && seen !== undefined && base !== undefined && of !== undefined
    ? { ...after, was: [seen, base], of }
    : undefined;
}

export function readChanged(value: JsonObject): ChangedFile | undefined {
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

export function isPath(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= journalBounds.pathLength &&
    /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value) &&
    !value.includes('\0')
  );
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= journalBounds.pathLength;
}

function isTurn(value: unknown): value is number {
  return isCount(value) && value > 0;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
