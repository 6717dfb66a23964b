import type { SessionRef } from '../../shared/sessionRef';
import { asArray, asString, isObject } from '../../util/json';
import { getKey } from '../list/sessionInfo';
import { type Origin, readOrigin, writeOrigin } from './origin';

/** A value with the time it was set: of two, the one with the later stamp wins. */
interface Stamped<T> {
  readonly value: T;
  /** Ms since the epoch, or just enough later to exceed all stamps seen before. */
  readonly stamp: number;
}

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
/** Ids are opaque, but no agent could work with a longer one. */
const maxIdLength = 2_000;
/** The latest time of a `Date`; leaves room for stamps that count up. */
const lastTime = 8_640_000_000_000_000;

/** Whether the stored data has a newer format. */
export function isNewer(stored: unknown): boolean {
  return isObject(stored) && typeof stored['version'] === 'number' && stored['version'] > version;
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
    ...field('pinned', later(a.pinned, b.pinned)),
    ...field('archived', later(a.archived, b.archived)),
    ...field('alias', later(a.alias, b.alias)),
    ...field('read', later(a.read, b.read)),
    ...field('origin', later(a.origin, b.origin)),
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
export function lastStamp({ pinned, archived, alias, read, origin }: MarkRecord): number {
  return Math.max(0, ...[pinned, archived, alias, read, origin].map((value) => value?.stamp ?? 0));
}

function getKind({ pinned, archived, alias, read, origin }: MarkRecord): keyof MarkLimits {
  if (pinned?.value || archived?.value || alias?.value || origin?.value) {
    return 'kept';
  }
  return read === undefined ? 'cleared' : 'read';
}

/** Whether a stamp is later. For equal stamps, any rule works that doesn't depend on the order. */
function later<T extends boolean | string | number | Origin | null>(
  a: Stamped<T> | undefined,
  b: Stamped<T> | undefined,
): Stamped<T> | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  if (a.stamp !== b.stamp) {
    return a.stamp > b.stamp ? a : b;
  }
  return toComparable(a.value) > toComparable(b.value) ? a : b;
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
    ...field('pinned', readStamped(value['pinned'], isBoolean)),
    ...field('archived', readStamped(value['archived'], isBoolean)),
    ...field('alias', readStamped(value['alias'], isAlias)),
    ...field('read', readStamped(value['read'], isTime)),
    ...field('origin', readStampedOrigin(value['origin'])),
  };
  return lastStamp(record) === 0 ? undefined : record;
}

function readStamped<T>(
  value: unknown,
  isValue: (value: unknown) => value is T,
): Stamped<T> | undefined {
  const [content, stamp] = asArray(value);
  return isValue(content) && isStamp(stamp) ? { value: content, stamp } : undefined;
}

function readStampedOrigin(value: unknown): Stamped<Origin | null> | undefined {
  const [content, stamp] = asArray(value);
  const origin = content === null ? null : readOrigin(content);
  return origin !== undefined && isStamp(stamp) ? { value: origin, stamp } : undefined;
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

function pair<T>(stamped: Stamped<T> | undefined): readonly [T, number] | undefined {
  return stamped && [stamped.value, stamped.stamp];
}

function field<K extends string, T>(name: K, value: T | undefined): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: T });
}

function isId(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value.length <= maxIdLength;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isAlias(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxAliasLength + 1;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= lastTime;
}

function isStamp(value: unknown): value is number {
  return isTime(value) && value > 0;
}
