import path from 'node:path';
import { readRegularFile } from '../../../../model/files/regularFile';
import { replaceFile } from '../../../../model/files/wholeFiles';
import { asArray, isObject, type JsonObject } from '../../../../util/json';
import { readState, writeState } from './fileState';
import { endOfJournal, type JournalPoint } from './journal';
import { fileText, type HeadLine, journalBounds, uncertainText, writeLine } from './journalLines';
import {
  isCount,
  isPath,
  isText,
  readAfter,
  readChanged,
  readLine,
  readTurn,
  readUncertainStep,
} from './readLine';
import type { Summary, SummedFile } from './recordState';
import type { TurnFile, TurnRecord } from './turnRecords';
import type { UncertainChange } from './uncertainFiles';

/** The format's version; a summary with another one is left aside. */
const summaryVersion = 1;
/** A larger one is neither stored nor read. */
const maxBytes = 32 * 1024 * 1024;
/** What is known of a file in a turn, as bits. */
const [pending, kept, undone] = [1, 2, 4];

/**
 * Replaces the summary in a record's folder, which saves reading the journal up to this point; returns its size. It
 * appears as a whole, and the journal's lines are never changed: whichever window stores one, it is right.
 */
export async function storeSummary(
  folder: string,
  point: JournalPoint,
  summary: Summary,
): Promise<number> {
  // At once, before the record changes.
  const text = JSON.stringify(getText(summary));
  const head = { version: summaryVersion, ...point, end: await endOfJournal(folder, point.bytes) };
  const whole = Buffer.from(`${JSON.stringify(head)}\n${text}\n`);
  if (whole.length > maxBytes) {
    return whole.length;
  }
  await replaceFile(fileIn(folder), whole);
  return whole.length;
}

export interface StoredSummary {
  readonly point: JournalPoint;
  readonly summary: Summary;
  /** The size in bytes. */
  readonly size: number;
}

/** `undefined` if there is none, if it is damaged, or if it isn't of this folder's journal. */
export async function readSummary(folder: string): Promise<StoredSummary | undefined> {
  try {
    const bytes = await readRegularFile(fileIn(folder), { maxBytes: maxBytes });
    const [first = '', second = ''] = bytes.toString('utf8').split('\n');
    const head = readObject(JSON.parse(first));
    const point = { bytes: getCount(head['bytes']), lines: getCount(head['lines']) };
    const isKnown = head['version'] === summaryVersion && point.bytes <= journalBounds.bytes;
    const end = isKnown ? await endOfJournal(folder, point.bytes) : undefined;
    return end !== undefined && head['end'] === end
      ? { point, summary: readText(readObject(JSON.parse(second))), size: bytes.length }
      : undefined;
  } catch {
    return undefined;
  }
}

function fileIn(folder: string): string {
  return path.join(folder, 'summary.json');
}

function getText(summary: Summary): JsonObject {
  const { head, changedAt, files, revisions, turns, lastChanges, uncertain } = summary;
  const paths = [...revisions.keys()];
  const indexes = new Map(paths.map((file, index) => [file, index]));
  return {
    head: writeLine(head),
    changedAt,
    files: files.map((file) => ({
      ...fileText(file),
      // They are in the journal.
      steps: undefined,
      lastBefore: file.lastBefore && writeState(file.lastBefore),
    })),
    paths,
    revisions: [...revisions.values()],
    turns: turns.map(({ line, files: changed }) => ({
      ...line,
      files: [...changed].flatMap(([file, it]) => [indexes.get(file), ...getNumbers(it)]),
    })),
    restored: { ...lastChanges, files: lastChanges.files.map(fileText) },
    uncertain: uncertain.map(uncertainText),
  };
}

/** Throws if anything of it is damaged. */
function readText(value: JsonObject): Summary {
  const paths = asArray(value['paths']).map((file) => need(isPath(file) ? file : undefined));
  const revisions = asArray(value['revisions']).map(getCount);
  const files = asArray(value['files']).map(readFile);
  need(files.length <= journalBounds.files ? files : undefined);
  return {
    head: readHead(value['head']),
    changedAt: getCount(value['changedAt']),
    files,
    revisions: new Map(paths.map((file, index) => [file, need(revisions[index])])),
    turns: asArray(value['turns']).map((turn) => readTurnRecord(readObject(turn), paths)),
    lastChanges: readLastChanges(readObject(value['restored'])),
    uncertain: asArray(value['uncertain']).map((change) => readUncertain(readObject(change))),
  };
}

function readHead(value: unknown): HeadLine {
  const line = need(readLine(String(value)));
  return need(typeof line === 'object' && line.type === 'record' ? line : undefined);
}

function readFile(value: unknown): SummedFile {
  const { at, lastBefore, ...rest } = readObject(value);
  const after = need(readAfter(rest));
  const file = { ...after, at: getCount(at) };
  return lastBefore === undefined ? file : { ...file, lastBefore: need(readState(lastBefore)) };
}

function readUncertain(value: JsonObject): UncertainChange {
  const { id, turn } = value;
  return {
    ...need(readUncertainStep(value)),
    id: need(isText(id) ? id : undefined),
    turn: getCount(turn),
  };
}

function readTurnRecord(value: JsonObject, paths: readonly string[]): TurnRecord {
  const files = new Map<string, TurnFile>();
  const numbers = asArray(value['files']);
  // There are many; anything but a loop takes most of the time of reading a summary.
  for (let at = 0; at < numbers.length; at += 4) {
    const marks = getCount(numbers[at + 3]);
    files.set(need(paths[getCount(numbers[at])]), {
      added: getCount(numbers[at + 1]),
      removed: getCount(numbers[at + 2]),
      isPending: (marks & pending) !== 0,
      isKept: (marks & kept) !== 0,
      isUndone: (marks & undone) !== 0,
    });
  }
  return { line: need(readTurn(value)), files };
}

function readLastChanges({ by, group, at, files }: JsonObject): Summary['lastChanges'] {
  return {
    by: need(by === 'undo' || by === 'restore' ? by : undefined),
    ...(group !== undefined && { group: need(isText(group) ? group : undefined) }),
    ...(at !== undefined && { at: getCount(at) }),
    files: asArray(files).map((file) => need(readChanged(readObject(file)))),
  };
}

function getNumbers({ added, removed, isPending, isKept, isUndone }: TurnFile): readonly number[] {
  const marks = (isPending ? pending : 0) | (isKept ? kept : 0) | (isUndone ? undone : 0);
  return [added, removed, marks];
}

function readObject(value: unknown): JsonObject {
  return need(isObject(value) ? value : undefined);
}

function getCount(value: unknown): number {
  return need(isCount(value) ? value : undefined);
}

function need<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The summary is damaged');
  }
  return value;
}
