import type { SessionRef } from '../../shared/sessionRef';
import type { Disposable } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { getKey, sessionKey } from '../list/sessionInfo';
import type { KeyedStorage, Log } from '../ports';
import { cleanText } from '../text/titles';
import {
  type GroupColor,
  type GroupRecord,
  type GroupRecords,
  groupFormat,
  groupLimits,
  isPlace,
  type MemberRecord,
  type Membership,
  maxGroupName,
  mergeGroup,
} from './groupRecords';
import { SharedRecords } from './sharedRecords';

/** A group of sessions that the user has made. */
export interface OwnGroup {
  readonly id: string;
  /** One clean line, never empty. */
  readonly name: string;
  readonly color: GroupColor | undefined;
}

type Change = Omit<GroupRecord, 'id'>;

/** The user's own groups of sessions, in the user's order, of all agents and windows. */
export class OwnGroups implements Disposable {
  readonly #records: SharedRecords<GroupRecords>;
  readonly #most: number;
  #all: readonly OwnGroup[] = [];
  #ids: ReadonlySet<string> = new Set();
  /** The records as of which there are these groups. */
  #allIn: GroupRecords | undefined;

  /** `now` in ms since the epoch. */
  constructor(storage: KeyedStorage, log: Log, now: () => number = Date.now, limits = groupLimits) {
    this.#records = new SharedRecords(storage, log, now, groupFormat(limits));
    this.#most = limits.groups;
  }

  /** A group or its sessions have changed, in this window or another one. */
  get onDidChange(): Event<void> {
    return this.#records.onDidChange;
  }

  /** All groups, in order. */
  get all(): readonly OwnGroup[] {
    this.#look();
    return this.#all;
  }

  /** Whether there are as many groups as can be kept. */
  get isFull(): boolean {
    return this.all.length >= this.#most;
  }

  find(id: string): OwnGroup | undefined {
    return this.all.find((group) => group.id === id);
  }

  /** The group of a session and its place there; `undefined` if it is in none. */
  of(agentId: string, sessionId: string): Membership | undefined {
    this.#look();
    const at = this.#records.known.members.get(sessionKey(agentId, sessionId))?.at.value;
    return at && this.#ids.has(at.group) ? at : undefined;
  }

  /** Makes a group, the last of all. Returns its id. */
  async add(name: string, color?: GroupColor): Promise<string> {
    const id = crypto.randomUUID();
    await this.#change(id, (stamp) => ({
      name: { value: cleanText(name, maxGroupName), stamp },
      color: { value: color ?? '', stamp },
      place: { value: this.#lastPlace + 1, stamp },
    }));
    return id;
  }

  /** A name without a visible character changes nothing. A deleted group is there again, with its sessions. */
  async rename(id: string, name: string): Promise<void> {
    const value = cleanText(name, maxGroupName);
    if (value !== '') {
      await this.#change(id, (stamp) => ({ name: { value, stamp } }));
    }
  }

  setColor(id: string, color: GroupColor | undefined): Promise<void> {
    return this.#change(id, (stamp) => ({ color: { value: color ?? '', stamp } }));
  }

  /** Deletes a group; its sessions are in none then. */
  delete(id: string): Promise<void> {
    return this.#change(id, (stamp) => ({ name: { value: '', stamp } }));
  }

  /** Moves a group before another one, or to the end. */
  async move(id: string, before: string | undefined): Promise<void> {
    const others = this.all.filter((group) => group.id !== id).map((group) => group.id);
    const at = before === undefined ? -1 : others.indexOf(before);
    const order = others.toSpliced(at === -1 ? others.length : at, 0, id);
    await this.#records.change(({ groups, members }, stamp) => {
      const moved = new Map(groups);
      for (const [place, each] of order.entries()) {
        if (groups.get(each)?.place?.value !== place) {
          moved.set(
            each,
            mergeGroup(groups.get(each), { id: each, place: { value: place, stamp } }),
          );
        }
      }
      return { groups: moved, members };
    });
  }

  /**
   * Puts sessions into a group, in this order: before one of its sessions, or at its end. Each session is in one group at
   * most. One change, however many they are.
   */
  async put(sessions: readonly SessionRef[], group: string, before?: SessionRef): Promise<void> {
    if (sessions.length === 0) {
      return;
    }
    await this.#records.change(({ groups, members }, stamp) => {
      const order = membersOf(members, group);
      const moved = new Set(sessions.map(getKey));
      const others = order.filter((each) => !moved.has(getKey(each)));
      const next = findNext(order, moved, before);
      const at = next === undefined ? others.length : others.indexOf(next);
      const places = placesBetween(others[at - 1], next, sessions.length);
      // Without room between two places, all sessions of the group get new ones.
      const changed = places
        ? sessions
        : [...others.slice(0, at), ...sessions, ...others.slice(at)];
      const all = new Map(members);
      for (const [index, { agentId, sessionId }] of changed.entries()) {
        const value = { group, place: places?.[index] ?? index };
        all.set(sessionKey(agentId, sessionId), { agentId, sessionId, at: { value, stamp } });
      }
      return { groups, members: all };
    });
  }

  /** Takes sessions out of their groups. */
  async take(sessions: readonly SessionRef[]): Promise<void> {
    const grouped = sessions.filter(({ agentId, sessionId }) => this.of(agentId, sessionId));
    if (grouped.length === 0) {
      return;
    }
    await this.#records.change(({ groups, members }, stamp) => {
      const all = new Map(members);
      for (const { agentId, sessionId } of grouped) {
        all.set(sessionKey(agentId, sessionId), { agentId, sessionId, at: { value: null, stamp } });
      }
      return { groups, members: all };
    });
  }

  /** Merges the groups of other windows, and writes again any that one of them has overwritten. */
  refresh(): Promise<void> {
    return this.#records.refresh();
  }

  dispose(): void {
    this.#records.dispose();
  }

  get #lastPlace(): number {
    const places = [...this.#records.known.groups.values()].map(({ place }) => place?.value ?? 0);
    return Math.max(-1, ...places);
  }

  #change(id: string, change: (stamp: number) => Change): Promise<void> {
    return this.#records.change(({ groups, members }, stamp) => {
      const changed = mergeGroup(groups.get(id), { id, ...change(stamp) });
      return { groups: new Map(groups).set(id, changed), members };
    });
  }

  #look(): void {
    const { known } = this.#records;
    if (this.#allIn === known) {
      return;
    }
    this.#allIn = known;
    this.#all = [...known.groups.values()]
      .toSorted((a, b) => (a.place?.value ?? 0) - (b.place?.value ?? 0) || (a.id < b.id ? -1 : 1))
      .flatMap(({ id, name, color }) =>
        name?.value ? [{ id, name: name.value, color: color?.value || undefined }] : [],
      );
    this.#ids = new Set(this.#all.map(({ id }) => id));
  }
}

/** The sessions of a group, in order. */
function membersOf(members: GroupRecords['members'], group: string): readonly MemberRecord[] {
  return [...members]
    .filter(([, { at }]) => at.value?.group === group)
    .sort(([key, a], [other, b]) => getPlace(a) - getPlace(b) || (key < other ? -1 : 1))
    .map(([, member]) => member);
}

function getPlace({ at }: MemberRecord): number {
  return at.value?.place ?? 0;
}

/** The session before which others are put: the given one, or the next that isn't put there itself. */
function findNext(
  order: readonly MemberRecord[],
  moved: ReadonlySet<string>,
  before: SessionRef | undefined,
): MemberRecord | undefined {
  const at = before ? order.findIndex((each) => getKey(each) === getKey(before)) : -1;
  return at === -1 ? undefined : order.slice(at).find((each) => !moved.has(getKey(each)));
}

/** That many places between those of two sessions; `undefined` if there is no room. */
function placesBetween(
  previous: MemberRecord | undefined,
  next: MemberRecord | undefined,
  count: number,
): readonly number[] | undefined {
  const end = next && getPlace(next);
  const start = previous ? getPlace(previous) : (end ?? count) - count - 1;
  const step = end === undefined ? 1 : (end - start) / (count + 1);
  const places = Array.from({ length: count }, (_, index) => start + step * (index + 1));
  const isInOrder = [start, ...places].every(
    (place, index, all) => index === 0 || place > (all[index - 1] ?? place),
  );
  const last = places.at(-1) ?? start;
  return isInOrder && (end === undefined || last < end) && isPlace(start) && isPlace(last)
    ? places
    : undefined;
}
