import { setTimeout as pause } from 'node:timers/promises';
import type { Agents } from '../../../model/agents/agents';
import type { KnownTranscripts } from '../../../model/kept/knownTranscripts';
import { getProgram } from '../../../model/list/rememberedLists';
import { getKey } from '../../../model/list/sessionInfo';
import type { Log, Workspace } from '../../../model/ports';
import { newRequestId } from '../../../model/requests/pendingRequests';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import type { CachedEntries, ShownTranscript } from '../../../model/transcript/shownTranscript';
import type { TurnNotes } from '../../../model/transcript/turnNotes/turnNotes';
import { getRef, type SessionRef } from '../../../shared/sessionRef';
import { type Entry, firstChanged } from '../../../shared/transcript/entries';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { Event } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import { type CachedOf, planWriting } from './cacheBlocks';
import { CacheFiles, type OwnFile } from './cacheFiles';
import { isStreaming } from './isStreaming';
import { type FirstRead, readNewest, readWhole } from './readCached';
import { retellCached } from './retellCached';

/** How long changes are gathered before they are stored, in ms. */
const gatherMs = 2_000;
/** How long the rest is left unread, in ms: the page is drawn meanwhile, which the user waits for. */
const restMs = 500;

export interface TranscriptCacheParts {
  /** The folder for all workspaces, and what tells this one apart. */
  readonly folder: string;
  readonly place: string;
  readonly agents: Pick<Agents, 'all' | 'problems' | 'onDidChange'>;
  readonly sessions: Pick<Sessions, 'all' | 'find' | 'onDidChange' | 'onDidDelete'>;
  readonly workspace: Pick<Workspace, 'trusted'>;
  /** Bytes that all cached transcripts may have together; with 0, nothing is cached. */
  readonly settings: {
    readonly transcriptCacheLimit: number;
    readonly onDidChangeTranscriptCache: Event<void>;
  };
  readonly log: Log;
  /** What is kept of turns besides, and forgotten together with the transcripts. */
  readonly notes?: Pick<TurnNotes, 'of' | 'forget' | 'forgetAgent' | 'clear'>;
}

/** An open session. */
interface Watched {
  /** Index of the first entry that has changed since it was stored. */
  dirty: number;
  /** What was stored of it last. */
  own: OwnFile | undefined;
  isTooLarge: boolean;
  readonly listening: DisposableStore;
}

/** A session that has come to rest. The entries stay as they are when it is closed. */
interface Due {
  readonly watched: Watched;
  readonly of: CachedOf;
  readonly entries: readonly Entry[];
}

/**
 * Stores the transcripts of sessions that have come to rest, never while one streams, and shows them when the sessions
 * are opened the next time.
 */
export class TranscriptCache implements KnownTranscripts, Disposable {
  readonly #parts: TranscriptCacheParts;
  readonly #files: CacheFiles;
  readonly #store = new DisposableStore();
  readonly #watched = new Map<Session, Watched>();
  readonly #due = new Map<string, Due>();
  /** Sessions that were deleted: what is being written of one then isn't kept, nor written again. */
  readonly #deleted = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: TranscriptCacheParts) {
    const { folder, place, agents, sessions, settings, log, notes } = parts;
    this.#parts = parts;
    this.#files = new CacheFiles(folder, place);
    this.#store.add(sessions.onDidChange((session) => this.#note(session)));
    this.#store.add(
      sessions.onDidDelete((ref) => {
        void this.forget(ref);
        void notes?.forget(ref);
      }),
    );
    this.#store.add(agents.onDidChange(() => this.#keepConfigured()));
    this.#store.add(
      settings.onDidChangeTranscriptCache(() => {
        this.settingChanged().catch((error: unknown) => log.warn(getStack(error)));
      }),
    );
    for (const session of sessions.all) {
      this.#note(session);
    }
    this.#keepConfigured();
  }

  /**
   * Shows what is cached of a session that is being opened, unless the agent is quicker. Resolves when that is shown,
   * or there is nothing.
   */
  async recall(session: Session): Promise<void> {
    if (!this.#isFor(session) || session.shown.isAwaited || hasBegun(session)) {
      return;
    }
    session.shown.await();
    await this.#show(session);
  }

  /** Shows all that is cached of a session that couldn't be loaded, to be read at once. Never rejects. */
  async recallWhole(session: Session): Promise<void> {
    if (!this.#isFor(session) || session.phase.kind !== 'failed') {
      return;
    }
    try {
      const file = await this.#files.read(getCached(session));
      const cached = file && (await readWhole(file, () => true));
      if (cached !== undefined) {
        session.shown.await();
        session.shown.begin(await this.#retold(session, cached));
      }
    } catch {
      await this.#forgetDamaged(session);
    }
  }

  /** Which of these sessions are cached. */
  among(
    agentId: string,
    program: string,
    sessionIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.#isOn
      ? this.#files.among(agentId, program, sessionIds)
      : Promise.resolve(new Set());
  }

  /** Forgets all transcripts of an agent. */
  async forgetAgent(agentId: string): Promise<void> {
    await this.#try(() => this.#files.forgetAgent(agentId));
    await this.#parts.notes?.forgetAgent(agentId);
  }

  /** Forgets everything, also what is only shown from the cache. */
  async clear(): Promise<void> {
    this.#due.clear();
    for (const { shown } of this.#parts.sessions.all) {
      shown.end();
    }
    await this.#try(() => this.#files.clear());
    await this.#parts.notes?.clear();
  }

  /** Stores what has changed: the window closes. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#writeAll(() => false);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
    for (const { listening } of this.#watched.values()) {
      listening.dispose();
    }
  }

  get #isOn(): boolean {
    const { settings, workspace } = this.#parts;
    return settings.transcriptCacheLimit > 0 && workspace.trusted;
  }

  /** The session was deleted. */
  async forget(ref: SessionRef): Promise<void> {
    const key = getKey(ref);
    this.#due.delete(key);
    this.#deleted.add(key);
    await this.#try(() => this.#files.forget(ref.agentId, ref.sessionId));
  }

  /** The user's setting has changed. */
  async settingChanged(): Promise<void> {
    const { transcriptCacheLimit } = this.#parts.settings;
    await (transcriptCacheLimit > 0
      ? this.#try(() => this.#files.bound(transcriptCacheLimit))
      : this.clear());
  }

  #isFor({ agent: { config } }: Session): boolean {
    return this.#isOn && !config.ofWindow;
  }

  #note(session: Session): void {
    const { agent, info } = session;
    const isOpen = this.#parts.sessions.find(agent.id, info.sessionId) === session;
    let watched = this.#watched.get(session);
    if (!isOpen) {
      watched?.listening.dispose();
      this.#watched.delete(session);
      return;
    }
    if (watched === undefined) {
      watched = this.#watch(session);
      this.#watched.set(session, watched);
    }
    this.#noteAtRest(session, watched);
  }

  #watch(session: Session): Watched {
    const { transcript } = session;
    const listening = new DisposableStore();
    const watched: Watched = {
      dirty: transcript.entries.length > 0 ? 0 : Infinity,
      own: undefined,
      isTooLarge: false,
      listening,
    };
    const note = (index: number): void => {
      watched.dirty = Math.min(watched.dirty, index);
    };
    listening.add(
      transcript.onDidChange((change) => {
        note(firstChanged(change));
        // A session that is closed forgets its transcript.
        if (change.type !== 'reset') {
          this.#noteAtRest(session, watched);
        }
      }),
    );
    listening.add(transcript.onDidChangeNested(({ row }) => note(row)));
    return watched;
  }

  #noteAtRest(session: Session, watched: Watched): void {
    const { transcript } = session;
    // Only then the transcript is the whole one.
    const isWhole = session.phase.kind === 'ready' && transcript.entries.length > 0;
    const isNew = watched.dirty < Infinity && !watched.isTooLarge;
    if (!isWhole || !isNew || isStreaming(session) || !this.#isFor(session)) {
      return;
    }
    const key = getKey(getRef(session));
    if (this.#deleted.has(key)) {
      return;
    }
    this.#due.set(key, { watched, of: getCached(session), entries: transcript.entries });
    this.#timer ??= setTimeout(() => this.#writeSoon(), gatherMs);
  }

  #writeSoon(): void {
    this.#timer = undefined;
    const isStreamingNow = (): boolean => this.#parts.sessions.all.some(isStreaming);
    this.#writing = this.#writeAll(isStreamingNow).then(() => {
      this.#writing = undefined;
      if (this.#due.size > 0 && !this.#store.disposed) {
        this.#timer ??= setTimeout(() => this.#writeSoon(), gatherMs);
      }
    });
  }

  async #writeAll(isOff: () => boolean): Promise<void> {
    const isEmpty = this.#due.size === 0;
    for (const [key, due] of this.#due) {
      if (isOff()) {
        return;
      }
      this.#due.delete(key);
      await this.#try(() => this.#write(key, due, isOff));
    }
    if (!isEmpty && this.#isOn) {
      await this.#try(() => this.#files.bound(this.#parts.settings.transcriptCacheLimit));
    }
  }

  async #write(key: string, due: Due, isOff: () => boolean): Promise<void> {
    const { watched, of } = due;
    const { dirty } = watched;
    watched.dirty = Infinity;
    const entries = due.entries.slice();
    const own = await this.#files.write(of, watched.own, (header, blocks, isOwn) => {
      const known = isOwn
        ? (watched.own?.blocks ?? []).filter(({ until, isFull }) => isFull && until <= dirty)
        : [];
      return this.#mayStore(key, of)
        ? planWriting(entries, header, { blocks, known }, isOff)
        : nothing;
    });
    watched.own = own;
    if (this.#deleted.has(key)) {
      await this.#files.forget(of.agentId, of.sessionId);
    }
    if (own !== undefined || !this.#mayStore(key, of)) {
      return;
    }
    watched.dirty = 0;
    if (!isOff()) {
      watched.isTooLarge = true;
    } else if (!this.#due.has(key)) {
      this.#due.set(key, due);
    }
  }

  /** Whether the session is there, and its agent still configured as the program that the transcript is from. */
  #mayStore(key: string, { agentId, program }: CachedOf): boolean {
    const isThere = this.#parts.agents.all.some(
      ({ id, config }) => id === agentId && getProgram(config) === program,
    );
    return this.#isOn && isThere && !this.#deleted.has(key);
  }

  /** Forgets agents that aren't configured any more, or have become another program. */
  #keepConfigured(): void {
    const { agents, workspace } = this.#parts;
    // Without trust, VS Code leaves out the agents in the settings of the workspace.
    if (workspace.trusted) {
      const kept = [
        ...agents.all.map(({ id, config }) => ({ agentId: id, program: getProgram(config) })),
        ...agents.problems.map(({ id }) => ({ agentId: id })),
      ];
      void this.#try(() => this.#files.keepOnly(kept));
    }
  }

  async #show(session: Session): Promise<void> {
    const { shown } = session;
    const read = await this.#readFirst(session);
    const first = read?.isWhole ? await this.#retold(session, read.shown) : read?.shown;
    if (read !== undefined && first !== undefined && !hasBegun(session)) {
      shown.begin(first);
      void this.#readRest(session, shown, read);
    }
  }

  /** Retells the cached entries, with what is known of their turns besides. */
  async #retold(session: Session, cached: CachedEntries): Promise<CachedEntries> {
    const notes = (await this.#parts.notes?.of(getRef(session))) ?? [];
    return { ...cached, entries: retellCached(cached.entries, notes, newRequestId) };
  }

  async #readFirst(session: Session): Promise<FirstRead | undefined> {
    try {
      const file = await this.#files.read(getCached(session));
      return file && (await readNewest(file));
    } catch {
      await this.#forgetDamaged(session);
      return undefined;
    }
  }

  async #forgetDamaged(session: Session): Promise<void> {
    await this.forget(getRef(session));
  }

  async #readRest(session: Session, shown: ShownTranscript, first: FirstRead): Promise<void> {
    try {
      if (first.isWhole) {
        return;
      }
      await pause(restMs, undefined, { ref: false });
      const cached = await readWhole(first.file, () => shown.isCached);
      if (cached !== undefined) {
        shown.complete(await this.#retold(session, cached));
      }
    } catch {
      // It is damaged, so nothing of it counts.
      shown.end();
      await this.#forgetDamaged(session);
    }
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn(`cached transcripts: ${getStack(error)}`);
    }
  }
}

const nothing = Promise.resolve(undefined);

function getCached({ agent, info: { sessionId, cwd } }: Session): CachedOf {
  return { agentId: agent.id, program: getProgram(agent.config), sessionId, cwd };
}

/** Whether there is already more than a cached transcript could show. */
function hasBegun({ phase, transcript, requests }: Session): boolean {
  const isOpening = phase.kind === 'loading' || phase.kind === 'failed';
  const wasPrompted = transcript.entries.some(({ kind }) => kind === 'turn');
  return !isOpening || wasPrompted || requests.waiting.length > 0;
}
