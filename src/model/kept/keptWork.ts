import { createHash } from 'node:crypto';
import { type Draft, emptyDraft, isEmptyDraft } from '../../shared/transcript/prompt';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { lookAtAges } from '../../util/seenAges';
import { getKey, sessionKey } from '../list/sessionInfo';
import type { Log, SessionDefaults, StoredTexts } from '../ports';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import {
  boundedRecord,
  isEmptyRecord,
  type KeptRecord,
  readRecord,
  writeRecord,
} from './keptRecords';
import { toSavedTranscript } from './savedTranscript';

export interface KeptWorkOptions {
  readonly texts: StoredTexts;
  readonly sessions: Pick<Sessions, 'all' | 'find' | 'onDidChange' | 'onDidDelete'>;
  readonly log: Log;
  readonly now?: () => number;
}

/** The delay from the first change to the write of all pending ones, in ms. */
const writePause = 300;
/** Records that haven't changed for so many days are deleted. */
const maxKeptDays = 90;
/** The text that has the ages of the others; no session has this name. */
const agesName = '0'.repeat(64);
/** The limits for all sessions together; the oldest are deleted first. */
const maxBytes = 10 * 1024 * 1024;
const maxRecords = 200;

/**
 * Keeps what the user has written in any session and would lose with the window: drafts, queued prompts
 * and prompts of running turns. It is the single source of truth for drafts; the rest it copies from
 * the open sessions, and restores to them when they are opened again.
 */
export class KeptWork implements Disposable {
  readonly #options: KeptWorkOptions;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  readonly #records = new Map<string, KeptRecord>();
  readonly #restored = new WeakSet<Session>();
  /** Sessions with an interrupted turn that weren't opened since. */
  readonly #interrupted = new Set<string>();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when the set of interrupted sessions has changed. */
  readonly onDidChange = this.#changed.event;
  /** Stored bytes by session, in the order of their last write. */
  readonly #sizes = new Map<string, number>();
  readonly #dirty = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Sessions that were deleted before the stored records were read. */
  readonly #deletedEarly = new Set<string>();
  #reading: Promise<void> | undefined;
  #isRead = false;
  #writing: Promise<void> = Promise.resolve();
  #hasEnded = false;
  #hasFailed = false;

  constructor(options: KeptWorkOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { sessions } = options;
    this.#store.add(sessions.onDidChange((session) => this.#note(session)));
    this.#store.add(sessions.onDidDelete((deleted) => this.#forget(getKey(deleted))));
  }

  /** Reads the stored records once, and restores them to the open sessions. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Whether the stored records have been read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Sessions whose turn was interrupted and that the user hasn't opened since. */
  get interrupted(): readonly SavedTranscript[] {
    return [...this.#interrupted].flatMap((key) => this.#records.get(key)?.saved ?? []);
  }

  isInterrupted(agentId: string, sessionId: string): boolean {
    return this.#interrupted.has(sessionKey(agentId, sessionId));
  }

  /** The user has opened the session. */
  see(agentId: string, sessionId: string): void {
    const key = sessionKey(agentId, sessionId);
    const record = this.#records.get(key);
    if (this.#interrupted.delete(key) && record !== undefined) {
      this.#set({ ...record, seen: true });
      this.#changed.fire();
    }
  }

  /** A session's draft, and the number of its prompts and attachments that were too large to keep. */
  getDraft(agentId: string, sessionId: string): { readonly draft: Draft; readonly left: number } {
    const record = this.#records.get(sessionKey(agentId, sessionId));
    return { draft: record?.draft ?? emptyDraft, left: record?.left ?? 0 };
  }

  /** Updates a draft as the user types, or clears it once it is sent. */
  setDraft(saved: SavedTranscript, draft: Draft): void {
    if (!isEmptyDraft(draft)) {
      this.#options.sessions.find(saved.agentId, saved.sessionId)?.prepareTurn();
    }
    const known = this.#records.get(getKey(saved));
    if (this.#isRead && (known !== undefined || !isEmptyDraft(draft))) {
      // A user who keeps typing has seen the notice about what is missing.
      this.#set({ ...(known ?? newRecord(saved)), draft, left: 0 });
    }
  }

  /** Moves what the user has written to the session that has taken the place of another one. */
  move(from: SavedTranscript, to: SavedTranscript): void {
    const record = this.#records.get(getKey(from));
    if (record !== undefined) {
      const { draft, left } = record;
      const known = this.#records.get(getKey(to)) ?? newRecord(to);
      this.#set({ ...known, draft, left });
      if (getKey(from) !== getKey(to)) {
        this.#forget(getKey(from));
      }
    }
  }

  /** Writes all pending changes. Later changes are ignored: the window is closing then. */
  async end(): Promise<void> {
    if (!this.#hasEnded) {
      this.#flush();
      this.#hasEnded = true;
    }
    await this.#writing;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    const texts = new Map(await this.#options.texts.readAll());
    const ages = texts.get(agesName);
    texts.delete(agesName);
    const read = [...texts].map(([name, text]) => ({
      name,
      size: Buffer.byteLength(text),
      record: readRecord(text),
    }));
    const { days, text: agesNow } = lookAtAges(
      ages,
      read.map(({ name, size, record }) => ({ name, size, at: record?.time ?? 0 })),
      this.#now(),
    );
    read.sort((a, b) => (a.record?.time ?? 0) - (b.record?.time ?? 0));
    for (const { name, size, record } of read) {
      const key = record && getKey(record.saved);
      const isDue = (days.get(name) ?? 0) >= maxKeptDays;
      if (record === undefined || key === undefined || isDue || this.#deletedEarly.has(key)) {
        this.#enqueue(() => this.#options.texts.remove(name));
        continue;
      }
      this.#records.set(key, record);
      this.#sizes.set(key, size);
      if (record.unfinished !== undefined && !record.seen) {
        this.#interrupted.add(key);
      }
    }
    if (this.#sizes.size === 0) {
      this.#enqueue(() => this.#options.texts.remove(agesName));
    } else if (agesNow !== ages) {
      this.#enqueue(() => this.#options.texts.write(agesName, agesNow));
    }
    this.#isRead = true;
    this.#dropOldest();
    for (const session of this.#options.sessions.all) {
      this.#note(session);
    }
    if (this.#interrupted.size > 0) {
      this.#changed.fire();
    }
  }

  #note(session: Session): void {
    if (!this.#isRead || this.#hasEnded) {
      return;
    }
    const { agent, info } = session;
    const key = sessionKey(agent.id, info.sessionId);
    const known = this.#records.get(key);
    if (this.#options.sessions.find(agent.id, info.sessionId) !== session) {
      if (this.#restored.delete(session)) {
        // A session that is closed without a word leaves nothing to come back to.
        const isWritten = known !== undefined && !isEmptyDraft(known.draft);
        this.#noteTurns(session, known, isWritten ? session.unprompted : undefined);
        this.#lighten(key);
      }
      return;
    }
    if (!this.#restored.has(session)) {
      this.#restored.add(session);
      if (known !== undefined) {
        session.turns.restore(known.queue, known.unfinished);
        if (known.unprompted !== undefined) {
          session.restoreUnprompted(known.unprompted);
        }
        if (known.mode !== undefined) {
          session.restoreMode(known.mode);
        }
      }
    }
    this.#noteTurns(session, this.#records.get(key), session.unprompted);
  }

  #noteTurns(
    session: Session,
    known: KeptRecord | undefined,
    unprompted: SessionDefaults | undefined,
  ): void {
    const { queue, running, interrupted } = session.turns.unfinished;
    const unfinished = running ?? interrupted;
    const mode = session.carefulMode;
    const isSame =
      known?.unfinished === unfinished &&
      known?.unprompted === unprompted &&
      known?.mode?.value === mode?.value &&
      known?.mode?.option === mode?.option &&
      (known?.queue.length ?? 0) === queue.length &&
      queue.every(({ draft }, index) => known?.queue[index] === draft);
    if (isSame) {
      return;
    }
    const { draft, left, seen } = known ?? newRecord(toSavedTranscript(session));
    this.#set({
      saved: toSavedTranscript(session),
      time: 0,
      draft,
      left,
      queue: queue.map((queued) => queued.draft),
      ...(unfinished && { unfinished }),
      ...(unprompted && { unprompted }),
      ...(mode && { mode }),
      seen: running === undefined && seen,
    });
  }

  /** Reduces the record of a closed session to its stored form. */
  #lighten(key: string): void {
    const record = this.#records.get(key);
    if (record !== undefined) {
      this.#records.set(key, boundedRecord(record));
    }
  }

  #set(record: KeptRecord): void {
    if (this.#hasEnded) {
      return;
    }
    const key = getKey(record.saved);
    this.#records.set(key, { ...record, time: this.#now() });
    if (record.unfinished === undefined && this.#interrupted.delete(key)) {
      this.#changed.fire();
    }
    this.#touch(key);
  }

  #forget(key: string): void {
    if (!this.#isRead) {
      this.#deletedEarly.add(key);
    }
    if (this.#records.delete(key)) {
      this.#touch(key);
    }
    if (this.#interrupted.delete(key)) {
      this.#changed.fire();
    }
  }

  #touch(key: string): void {
    this.#dirty.add(key);
    this.#timer ??= setTimeout(() => this.#flush(), writePause);
    // `end` writes what is pending.
    this.#timer.unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const key of this.#dirty) {
      const record = this.#records.get(key);
      this.#sizes.delete(key);
      if (record === undefined || isEmptyRecord(record)) {
        this.#records.delete(key);
        this.#enqueue(() => this.#options.texts.remove(getName(key)));
      } else {
        const text = writeRecord(record);
        this.#sizes.set(key, Buffer.byteLength(text));
        this.#enqueue(() => this.#options.texts.write(getName(key), text));
      }
    }
    if (this.#dirty.size > 0 && this.#sizes.size === 0) {
      this.#enqueue(() => this.#options.texts.remove(agesName));
    }
    this.#dirty.clear();
    this.#dropOldest();
  }

  #dropOldest(): void {
    let bytes = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [key, size] of this.#sizes) {
      if (bytes <= maxBytes && this.#sizes.size <= maxRecords) {
        return;
      }
      bytes -= size;
      this.#sizes.delete(key);
      this.#records.delete(key);
      this.#enqueue(() => this.#options.texts.remove(getName(key)));
      if (this.#interrupted.delete(key)) {
        this.#changed.fire();
      }
      this.#options.log.warn('Deleted the oldest drafts to stay within the limit');
    }
  }

  #enqueue(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch((error: unknown) => {
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        this.#options.log.warn(`Can't store drafts: ${getStack(error)}`);
      }
    });
  }
}

function newRecord(saved: SavedTranscript): KeptRecord {
  return { saved, time: 0, draft: emptyDraft, queue: [], seen: false, left: 0 };
}

/** Ids are opaque, so they must not become file names. */
function getName(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
