import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { sessionKey } from '../list/sessionInfo';
import type { KeyedStorage, Log } from '../ports';
import { cleanText } from '../text/titles';
import {
  boundRecords,
  isNewer,
  keyOf,
  lastStamp,
  longestAlias,
  type MarkLimits,
  type MarkRecord,
  type MarkRecords,
  markLimits,
  mergeRecord,
  mergeRecords,
  readRecords,
  writeRecords,
} from './markRecords';

/** Where the marks are kept; offered to Settings Sync. */
export const marksKey = 'sessions.marks';

/** What identifies a session. */
export interface SessionId {
  readonly agentId: string;
  readonly sessionId: string;
}

/** What a person has noted of a session; the agent knows nothing of it. */
export interface SessionMark {
  readonly pinned: boolean;
  readonly archived: boolean;
  /** A name instead of the agent's title: one clean line, never empty. */
  readonly alias: string | undefined;
  /** The `updatedAt` that was seen, in ms; `undefined` when the session was never looked at. */
  readonly read: number | undefined;
}

const nothing: SessionMark = {
  pinned: false,
  archived: false,
  alias: undefined,
  read: undefined,
};

/** Below any time, that of a session without a date included. */
const unreadTime = -1;

/**
 * Pins, local names, local archive and what was read, of all agents and windows. Windows share one
 * storage that is written whole: each write takes in what is stored by then, field by field.
 */
export class SessionMarks implements Disposable {
  readonly #storage: KeyedStorage;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #limits: MarkLimits;
  readonly #changed = new Emitter<void>();
  #records: MarkRecords | undefined;
  #lastStamp = 0;
  #warned = false;

  /** A mark changed, here or in another window. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: KeyedStorage, log: Log, now: () => number = Date.now, limits = markLimits) {
    this.#storage = storage;
    this.#log = log;
    this.#now = now;
    this.#limits = limits;
  }

  get(agentId: string, sessionId: string): SessionMark {
    const record = this.#known.get(sessionKey(agentId, sessionId));
    if (record === undefined) {
      return nothing;
    }
    return {
      pinned: record.pinned?.value ?? false,
      archived: record.archived?.value ?? false,
      alias: record.alias?.value || undefined,
      read: record.read?.value,
    };
  }

  /** A session that was read before and has changed since; one that nobody ever opened isn't (`updatedAt` in ms). */
  isUnread(agentId: string, sessionId: string, updatedAt: number | undefined): boolean {
    const { read } = this.get(agentId, sessionId);
    return read !== undefined && (updatedAt ?? 0) > read;
  }

  setPinned(sessions: readonly SessionId[], pinned: boolean): Promise<void> {
    return this.#set(sessions, (stamp) => ({ pinned: { value: pinned, stamp } }));
  }

  setArchived(sessions: readonly SessionId[], archived: boolean): Promise<void> {
    return this.#set(sessions, (stamp) => ({ archived: { value: archived, stamp } }));
  }

  /** An empty name, or `undefined`, takes it away. */
  setAlias(session: SessionId, alias: string | undefined): Promise<void> {
    const value = cleanText(alias ?? '', longestAlias);
    return this.#set([session], (stamp) => ({ alias: { value, stamp } }));
  }

  /** A person has seen the session as it was at `updatedAt`; what was seen later isn't taken back. Never rejects. */
  async see(session: SessionId, updatedAt: number | undefined): Promise<void> {
    const { read } = this.get(session.agentId, session.sessionId);
    if (read === undefined || (updatedAt ?? 0) > read) {
      const set = this.#set([session], (stamp) => ({ read: { value: updatedAt ?? 0, stamp } }));
      // Nobody has asked for it, so nobody is told; the next write brings it, too.
      await set.catch((error: unknown) =>
        this.#log.warn(`What was read isn't kept: ${String(error)}`),
      );
    }
  }

  setRead(sessions: readonly (SessionId & { updatedAt: number | undefined })[]): Promise<void> {
    return this.#set(sessions, (stamp, { updatedAt }) => ({
      read: { value: updatedAt ?? 0, stamp },
    }));
  }

  setUnread(sessions: readonly SessionId[]): Promise<void> {
    return this.#set(sessions, (stamp) => ({ read: { value: unreadTime, stamp } }));
  }

  /** The session is gone for good: nothing of it needs to be kept. */
  async forget(session: SessionId): Promise<void> {
    const { pinned, archived, alias } = this.get(session.agentId, session.sessionId);
    if (pinned || archived || alias !== undefined) {
      await this.#set([session], (stamp) => ({
        pinned: { value: false, stamp },
        archived: { value: false, stamp },
        alias: { value: '', stamp },
      }));
    }
  }

  /** Takes in what other windows have noted, and gives back what one of them has written over. */
  async refresh(): Promise<void> {
    if (this.#records === undefined) {
      return;
    }
    const stored = this.#stored();
    const before = textOf(this.#records);
    const after = textOf(this.#take(mergeRecords(stored, this.#records)));
    if (after !== before) {
      this.#changed.fire();
    }
    if (after !== textOf(stored)) {
      await this.#write();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Read when it is first asked for, which may be never. */
  get #known(): MarkRecords {
    return this.#records ?? this.#take(this.#stored());
  }

  #stored(): MarkRecords {
    return readRecords(this.#storage.get(marksKey));
  }

  #take(records: MarkRecords): MarkRecords {
    this.#records = boundRecords(records, this.#limits);
    for (const record of this.#records.values()) {
      this.#lastStamp = Math.max(this.#lastStamp, lastStamp(record));
    }
    return this.#records;
  }

  async #set<T extends SessionId>(
    sessions: readonly T[],
    change: (stamp: number, session: T) => Partial<MarkRecord>,
  ): Promise<void> {
    if (sessions.length === 0) {
      return;
    }
    const records = new Map(this.#take(mergeRecords(this.#stored(), this.#known)));
    // Clocks jump, and windows on other machines have theirs: what is set last must count.
    this.#lastStamp = Math.max(this.#now(), this.#lastStamp + 1);
    for (const session of sessions) {
      const { agentId, sessionId } = session;
      const changed = { agentId, sessionId, ...change(this.#lastStamp, session) };
      const known = records.get(keyOf(changed));
      records.set(keyOf(changed), known === undefined ? changed : mergeRecord(known, changed));
    }
    this.#take(records);
    this.#changed.fire();
    await this.#write();
  }

  async #write(): Promise<void> {
    if (isNewer(this.#storage.get(marksKey))) {
      if (!this.#warned) {
        this.#warned = true;
        this.#log.warn(
          'Pins, names and read marks were kept by a newer version of ACP Sessions: what is set here lasts as long as this window. Update the extension to keep it.',
        );
      }
      return;
    }
    await this.#storage.update(marksKey, writeRecords(this.#known));
  }
}

function textOf(records: MarkRecords): string {
  return JSON.stringify(writeRecords(records));
}
