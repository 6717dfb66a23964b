import type { SessionRef } from '../../shared/sessionRef';
import type { Disposable } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { getKey, sessionKey } from '../list/sessionInfo';
import type { KeyedStorage, Log } from '../ports';
import { cleanText } from '../text/titles';
import {
  type MarkRecord,
  type MarkRecords,
  markFormat,
  markLimits,
  maxAliasLength,
  mergeRecord,
} from './markRecords';
import { maxPromptLength, type Origin, originOf } from './origin';
import { SharedRecords } from './sharedRecords';

/** The user's marks on a session; the agent doesn't know them. */
export interface SessionMark {
  readonly pinned: boolean;
  readonly archived: boolean;
  /** A name that replaces the agent's title: one clean line, never empty. */
  readonly alias: string | undefined;
  /**
   * The `updatedAt` that the user saw, in ms; `undefined` if the user never looked at the session.
   */
  readonly read: number | undefined;
  /** The session from which this one was forked, if it was forked at a prompt here, or that it continues. */
  readonly origin?: Origin;
}

/** A session that was forked from another one, or that continues it. */
export interface Branch extends SessionRef {
  readonly origin: Origin;
}

const nothing: SessionMark = {
  pinned: false,
  archived: false,
  alias: undefined,
  read: undefined,
};

/** The same empty list each time, so that it is recognised as unchanged. */
const none: readonly Branch[] = [];

/** Earlier than any time, including the 0 of a session without a date. */
const unreadTime = -1;

/** Pins, aliases, local archive and read marks, of all agents and windows. */
export class SessionMarks implements Disposable {
  readonly #log: Log;
  readonly #records: SharedRecords<MarkRecords>;
  /** The branches by the session that they come from, as of the records `#branchesIn`. */
  #branches: ReadonlyMap<string, readonly Branch[]> = new Map();
  #branchesIn: MarkRecords | undefined;

  constructor(storage: KeyedStorage, log: Log, now: () => number = Date.now, limits = markLimits) {
    this.#log = log;
    this.#records = new SharedRecords(storage, log, now, markFormat(limits));
  }

  /** A mark has changed, in this window or another one. */
  get onDidChange(): Event<void> {
    return this.#records.onDidChange;
  }

  get(agentId: string, sessionId: string): SessionMark {
    const record = this.#records.known.get(sessionKey(agentId, sessionId));
    if (record === undefined) {
      return nothing;
    }
    return {
      pinned: record.pinned?.value ?? false,
      archived: record.archived?.value ?? false,
      alias: record.alias?.value || undefined,
      read: record.read?.value,
      ...(record.origin?.value && { origin: record.origin.value }),
    };
  }

  /** The sessions that were forked from this one or continue it, in the order of their turns, then of their beginning. */
  getBranches(agentId: string, sessionId: string): readonly Branch[] {
    const known = this.#records.known;
    if (this.#branchesIn !== known) {
      this.#branchesIn = known;
      this.#branches = branchesIn(known);
    }
    return this.#branches.get(sessionKey(agentId, sessionId)) ?? none;
  }

  /**
   * Whether the session has changed since it was last read; `false` if it was never opened.
   * `updatedAt` in ms.
   */
  isUnread(agentId: string, sessionId: string, updatedAt: number | undefined): boolean {
    const { read } = this.get(agentId, sessionId);
    return read !== undefined && (updatedAt ?? 0) > read;
  }

  setPinned(sessions: readonly SessionRef[], pinned: boolean): Promise<void> {
    return this.#set(sessions, (stamp) => ({ pinned: { value: pinned, stamp } }));
  }

  setArchived(sessions: readonly SessionRef[], archived: boolean): Promise<void> {
    return this.#set(sessions, (stamp) => ({ archived: { value: archived, stamp } }));
  }

  /** An empty or `undefined` alias removes it. */
  setAlias(session: SessionRef, alias: string | undefined): Promise<void> {
    const value = cleanText(alias ?? '', maxAliasLength);
    return this.#set([session], (stamp) => ({ alias: { value, stamp } }));
  }

  /**
   * Marks the session as read as of `updatedAt`; never goes back to an earlier time. Never rejects.
   */
  async see(session: SessionRef, updatedAt: number | undefined): Promise<void> {
    const { read } = this.get(session.agentId, session.sessionId);
    if (read === undefined || (updatedAt ?? 0) > read) {
      const set = this.#set([session], (stamp) => ({ read: { value: updatedAt ?? 0, stamp } }));
      // The user didn't ask for this write, so its failure is only logged; the next write includes
      // the mark.
      await set.catch((error: unknown) =>
        this.#log.warn(`The read mark could not be saved: ${getStack(error)}`),
      );
    }
  }

  setRead(sessions: readonly (SessionRef & { updatedAt: number | undefined })[]): Promise<void> {
    return this.#set(sessions, (stamp, { updatedAt }) => ({
      read: { value: updatedAt ?? 0, stamp },
    }));
  }

  setUnread(sessions: readonly SessionRef[]): Promise<void> {
    return this.#set(sessions, (stamp) => ({ read: { value: unreadTime, stamp } }));
  }

  /** The session was forked from another one, or continues it; nothing comes from itself. */
  async setOrigin(session: SessionRef, origin: Origin): Promise<void> {
    if (getKey(originOf(session.agentId, origin)) !== getKey(session)) {
      const value = { ...origin, prompt: cleanText(origin.prompt, maxPromptLength) };
      await this.#set([session], (stamp) => ({ origin: { value, stamp } }));
    }
  }

  /** The session was deleted: removes its pin, archive mark, alias and origin. */
  async forget(session: SessionRef): Promise<void> {
    const { pinned, archived, alias, origin } = this.get(session.agentId, session.sessionId);
    if (pinned || archived || alias !== undefined || origin !== undefined) {
      await this.#set([session], (stamp) => ({
        pinned: { value: false, stamp },
        archived: { value: false, stamp },
        alias: { value: '', stamp },
        ...(origin && { origin: { value: null, stamp } }),
      }));
    }
  }

  /**
   * Merges the marks of other windows, and writes again any marks that one of them has overwritten.
   */
  refresh(): Promise<void> {
    return this.#records.refresh();
  }

  dispose(): void {
    this.#records.dispose();
  }

  async #set<T extends SessionRef>(
    sessions: readonly T[],
    change: (stamp: number, session: T) => Partial<MarkRecord>,
  ): Promise<void> {
    if (sessions.length === 0) {
      return;
    }
    await this.#records.change((known, stamp) => {
      const records = new Map(known);
      for (const session of sessions) {
        const { agentId, sessionId } = session;
        const changed = { agentId, sessionId, ...change(stamp, session) };
        const before = records.get(getKey(changed));
        records.set(getKey(changed), before === undefined ? changed : mergeRecord(before, changed));
      }
      return records;
    });
  }
}

function branchesIn(records: MarkRecords): ReadonlyMap<string, readonly Branch[]> {
  const forked = [...records.values()].sort(
    (a, b) => (a.origin?.stamp ?? 0) - (b.origin?.stamp ?? 0),
  );
  const branches = new Map<string, Branch[]>();
  for (const { agentId, sessionId, origin } of forked) {
    if (origin?.value) {
      const key = getKey(originOf(agentId, origin.value));
      const branch = { agentId, sessionId, origin: origin.value };
      const others = branches.get(key);
      if (others === undefined) {
        branches.set(key, [branch]);
      } else {
        others.push(branch);
      }
    }
  }
  for (const of of branches.values()) {
    of.sort((a, b) => a.origin.turn - b.origin.turn);
  }
  return branches;
}
