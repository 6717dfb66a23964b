import type { SessionRef } from '../../shared/sessionRef';
import { asArray, asString, isObject } from '../../util/json';
import { getKey } from '../list/sessionInfo';
import { cleanText } from '../text/titles';
import type { RecordFormat } from './sharedRecords';
import { field, isId, later, pair, readStamped, type Stamped } from './stamped';

/** The storage key of the user's groups; registered for Settings Sync. */
export const groupsKey = 'sessions.groups';

export const groupColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type GroupColor = (typeof groupColors)[number];

/** Where a session stands among those of its group: by ascending places. */
export interface Membership {
  readonly group: string;
  readonly place: number;
}

/** A group, stamped field by field. */
export interface GroupRecord {
  readonly id: string;
  /** One clean line; an empty string: the group was deleted. */
  readonly name?: Stamped<string>;
  readonly color?: Stamped<GroupColor | ''>;
  /** Groups show by ascending places. */
  readonly place?: Stamped<number>;
}

export interface MemberRecord extends SessionRef {
  /** `null`: the session was taken out of its group. */
  readonly at: Stamped<Membership | null>;
}

export interface GroupRecords {
  readonly groups: ReadonlyMap<string, GroupRecord>;
  /** By the keys of their sessions. */
  readonly members: ReadonlyMap<string, MemberRecord>;
}

/** Beyond each limit, the records that were changed first are dropped (SEC-350). */
export interface GroupLimits {
  readonly groups: number;
  /** Deleted groups, which are remembered so that other windows and machines delete them, too. */
  readonly deleted: number;
  /** Sessions in groups. */
  readonly members: number;
  /** Sessions that were taken out of groups. */
  readonly cleared: number;
  /** The ids of all sessions together, in UTF-16 units. */
  readonly ids: number;
}
export const groupLimits: GroupLimits = {
  groups: 50,
  deleted: 50,
  members: 5_000,
  cleared: 500,
  ids: 1_000_000,
};

const version = 1;
export const maxGroupName = 60;
/** The ids of groups are random UUIDs. */
const maxGroupId = 40;
/** More than any number of moves needs. */
const maxPlace = 1e9;

/** How groups are stored. */
export function groupFormat(limits: GroupLimits): RecordFormat<GroupRecords> {
  return {
    ...{ key: groupsKey, version, name: 'Groups of sessions', read, write, merge, lastStamp },
    bound: (records) => bound(records, limits),
  };
}

/** Two records of one group, or one that is new. */
export function mergeGroup(a: GroupRecord | undefined, b: GroupRecord): GroupRecord {
  return {
    id: b.id,
    ...field('name', later(a?.name, b.name, String)),
    ...field('color', later(a?.color, b.color, String)),
    ...field('place', later(a?.place, b.place, Number)),
  };
}

function mergeMember(a: MemberRecord | undefined, b: MemberRecord): MemberRecord {
  const { agentId, sessionId } = b;
  return { agentId, sessionId, at: later(a?.at, b.at, (at) => JSON.stringify(at)) ?? b.at };
}

function merge(a: GroupRecords, b: GroupRecords): GroupRecords {
  const groups = new Map(a.groups);
  for (const [id, group] of b.groups) {
    groups.set(id, mergeGroup(groups.get(id), group));
  }
  const members = new Map(a.members);
  for (const [key, member] of b.members) {
    members.set(key, mergeMember(members.get(key), member));
  }
  return { groups, members };
}

function read(stored: unknown): GroupRecords {
  const value = isObject(stored) ? stored : {};
  const groups = new Map<string, GroupRecord>();
  for (const each of asArray(value['groups'])) {
    const group = readGroup(each);
    if (group !== undefined) {
      groups.set(group.id, mergeGroup(groups.get(group.id), group));
    }
  }
  const members = new Map<string, MemberRecord>();
  for (const each of asArray(value['members'])) {
    const member = readMember(each);
    if (member !== undefined) {
      members.set(getKey(member), mergeMember(members.get(getKey(member)), member));
    }
  }
  return { groups, members };
}

function readGroup(value: unknown): GroupRecord | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const id = asString(value['id']);
  const name = readStamped(value['name'], readName);
  if (id === undefined || !/^[\w-]+$/.test(id) || id.length > maxGroupId || name === undefined) {
    return undefined;
  }
  return {
    id,
    name,
    ...field('color', readStamped(value['color'], readColor)),
    ...field('place', readStamped(value['place'], readPlace)),
  };
}

function readMember(value: unknown): MemberRecord | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const agentId = asString(value['agent']);
  const sessionId = asString(value['session']);
  const at = readStamped(value['at'], readMembership);
  return isId(agentId) && isId(sessionId) && at !== undefined
    ? { agentId, sessionId, at }
    : undefined;
}

/** What comes from another machine is cleaned like what is typed here. */
function readName(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxGroupName + 1
    ? cleanText(value, maxGroupName + 1)
    : undefined;
}

function readColor(value: unknown): GroupColor | '' | undefined {
  return value === '' ? '' : groupColors.find((color) => color === value);
}

function readPlace(value: unknown): number | undefined {
  return typeof value === 'number' && isPlace(value) ? value : undefined;
}

/** Whether a place can be stored. */
export function isPlace(value: number): boolean {
  return Math.abs(value) <= maxPlace;
}

function readMembership(value: unknown): Membership | null | undefined {
  if (value === null) {
    return null;
  }
  const [group, at] = asArray(value);
  const place = readPlace(at);
  return typeof group === 'string' && group.length <= maxGroupId && place !== undefined
    ? { group, place }
    : undefined;
}

function write({ groups, members }: GroupRecords): unknown {
  return {
    version,
    groups: sorted(groups).map(({ id, name, color, place }) => ({
      id,
      ...field('name', pair(name)),
      ...field('color', pair(color)),
      ...field('place', pair(place)),
    })),
    members: sorted(members).map(({ agentId, sessionId, at: { value, stamp } }) => ({
      agent: agentId,
      session: sessionId,
      at: [value && [value.group, value.place], stamp],
    })),
  };
}

function sorted<T>(records: ReadonlyMap<string, T>): readonly T[] {
  return [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

function bound({ groups, members }: GroupRecords, limits: GroupLimits): GroupRecords {
  const left = { ...limits };
  const kept = newest(groups, groupStamp).filter(
    ([, { name }]) => left[name?.value === '' ? 'deleted' : 'groups']-- > 0,
  );
  const keptMembers = newest(members, ({ at }) => at.stamp).filter(
    ([, { agentId, sessionId, at }]) => {
      left.ids -= agentId.length + sessionId.length;
      return left.ids >= 0 && left[at.value === null ? 'cleared' : 'members']-- > 0;
    },
  );
  return {
    groups: kept.length === groups.size ? groups : new Map(kept),
    members: keptMembers.length === members.size ? members : new Map(keptMembers),
  };
}

function newest<T>(
  records: ReadonlyMap<string, T>,
  getStamp: (record: T) => number,
): readonly (readonly [string, T])[] {
  return [...records].sort(
    ([key, a], [other, b]) => getStamp(b) - getStamp(a) || (key < other ? -1 : 1),
  );
}

function groupStamp({ name, color, place }: GroupRecord): number {
  return Math.max(name?.stamp ?? 0, color?.stamp ?? 0, place?.stamp ?? 0);
}

function lastStamp({ groups, members }: GroupRecords): number {
  const stamps = [...groups.values()].map(groupStamp);
  return [...members.values()].reduce(
    (last, { at }) => Math.max(last, at.stamp),
    Math.max(0, ...stamps),
  );
}
