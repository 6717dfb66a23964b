import type { SessionRef } from '../../shared/sessionRef';
import { asArray, asString, isObject } from '../../util/json';
import { getKey } from '../list/sessionInfo';
import { type Origin, readOrigin, writeOrigin } from './origin';
import type { RecordFormat } from './sharedRecords';
import { field, isId, later, pair, readStamped, readTime, type Stamped } from './stamped';

/** The storage key of the marks; registered for Settings Sync. */
export const marksKey = 'sessions.marks';

/**
 * The user's marks on one session, stamped field by field. A removed mark stays, with its stamp.
 */
export interface MarkRecord extends SessionRef {
  readonly pinned?: Stamped<boolean>;
  readonly archived?: Stamped<boolean>;
  /** An empty string: no alias. */
  readonly alias?: Stamped<string>;
  /** The `updatedAt` of the session that the user saw, in ms. */
  readonly read?: Stamped<number>;
  /** `null`: the session was deleted. */
  readonly origin?: Stamped<Origin | null>;
}
export type MarkRecords = ReadonlyMap<string, MarkRecord>;

export interface MarkLimits {
  /**
   * Sessions that are pinned, archived, forked or have an alias; beyond a limit, the oldest are removed
   * first.
   */
  readonly kept: number;
  /** Sessions with a read mark only. */
  readonly read: number;
  /** Sessions whose marks were all removed. */
  readonly cleared: number;
}
export const markLimits: MarkLimits = { kept: 5_000, read: 2_000, cleared: 500 };

/** Format version; stored data with a higher one is never overwritten. */
const version = 1;
export const maxAliasLength = 200;

/** How marks are stored. */
export function markFormat(limits: MarkLimits): RecordFormat<MarkRecords> {
  return {
    ...{ key: marksKey, version, name: 'Pins, names and read marks' },
    ...{ read: readRecords, write: writeRecords, merge: mergeRecords },
    bound: (records) => boundRecords(records, limits),
    lastStamp: (records) =>
      [...records.values()].reduce((last, each) => Math.max(last, lastStamp(each)), 0),
  };
}

/** The valid records in the stored data; ignores everything else. */
export function readRecords(stored: unknown): MarkRecords {
  const records = new Map<string, MarkRecord>();
  for (const value of asArray(isObject(stored) ? stored['sessions'] : undefined)) {
    const record = readRecord(value);
    if (record !== undefined) {
      const known = records.get(getKey(record));
      records.set(getKey(record), known === undefined ? record : mergeRecord(known, record));
    }
  }
  return records;
}

/** The stored form: JSON, identical for equal records. */
export function writeRecords(records: MarkRecords): unknown {
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  return { version, sessions: sorted.map(([, record]) => writeRecord(record)) };
}

/** Merges the records field by field; commutative. */
export function mergeRecords(a: MarkRecords, b: MarkRecords): MarkRecords {
  const merged = new Map(a);
  for (const [key, record] of b) {
    const known = merged.get(key);
    merged.set(key, known === undefined ? record : mergeRecord(known, record));
  }
  return merged;
}

export function mergeRecord(a: MarkRecord, b: MarkRecord): MarkRecord {
  return {
    agentId: a.agentId,
    sessionId: a.sessionId,
    ...field('pinned', later(a.pinned, b.pinned, toComparable)),
    ...field('archived', later(a.archived, b.archived, toComparable)),
    ...field('alias', later(a.alias, b.alias, toComparable)),
    ...field('read', later(a.read, b.read, toComparable)),
    ...field('origin', later(a.origin, b.origin, toComparable)),
  };
}

/** Removes the oldest records of each kind beyond its limit. */
export function boundRecords(records: MarkRecords, limits: MarkLimits): MarkRecords {
  if (records.size <= Math.min(limits.kept, limits.read, limits.cleared)) {
    return records;
  }
  const left = { ...limits };
  const newest = [...records]
    .map(([key, record]) => ({ key, record, stamp: lastStamp(record) }))
    .sort((a, b) => b.stamp - a.stamp || (a.key < b.key ? -1 : 1));
  return new Map(
    newest
      .filter(({ record }) => left[getKind(record)]-- > 0)
      .map(({ key, record }) => [key, record]),
  );
}

/** The latest stamp of a record. */
function lastStamp({ pinned, archived, alias, read, origin }: MarkRecord): number {
  return Math.max(0, ...[pinned, archived, alias, read, origin].map((value) => value?.stamp ?? 0));
}

function getKind({ pinned, archived, alias, read, origin }: MarkRecord): keyof MarkLimits {
  if (pinned?.value || archived?.value || alias?.value || origin?.value) {
    return 'kept';
  }
  return read === undefined ? 'cleared' : 'read';
}

function toComparable(value: boolean | string | number | Origin | null): boolean | string | number {
  return typeof value === 'object' ? JSON.stringify(value && writeOrigin(value)) : value;
}

function readRecord(value: unknown): MarkRecord | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const agentId = asString(value['agent']);
  const sessionId = asString(value['session']);
  if (!isId(agentId) || !isId(sessionId)) {
    return undefined;
  }
  const record = {
    agentId,
    sessionId,
    ...field('pinned', readStamped(value['pinned'], readBoolean)),
    ...field('archived', readStamped(value['archived'], readBoolean)),
    ...field('alias', readStamped(value['alias'], readAlias)),
    ...field('read', readStamped(value['read'], readTime)),
    ...field(
      'origin',
      readStamped(value['origin'], (each) => (each === null ? null : readOrigin(each))),
    ),
  };
  return lastStamp(record) === 0 ? undefined : record;
}

function writeRecord(record: MarkRecord): unknown {
  const { agentId, sessionId, pinned, archived, alias, read, origin } = record;
  return {
    agent: agentId,
    session: sessionId,
    ...field('pinned', pair(pinned)),
    ...field('archived', pair(archived)),
    ...field('alias', pair(alias)),
    ...field('read', pair(read)),
    ...field('origin', origin && [origin.value && writeOrigin(origin.value), origin.stamp]),
  };
}

function readBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readAlias(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxAliasLength + 1 ? value : undefined;
}
