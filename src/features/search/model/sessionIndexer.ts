import { setImmediate, setTimeout } from 'node:timers/promises';
import { isConfigured } from '../../../model/agent';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { Log } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { type Entry, firstChanged } from '../../../shared/transcript/entries';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import { toSearchEntry } from './searchEntries';
import {
  entriesInChunk,
  type SearchEntry,
  type SearchIndex,
  SearchIndexError,
  type SearchIndexProblem,
  type SessionPart,
} from './searchIndex';
import type { SearchSettings } from './searchSettings';

export interface SessionIndexerOptions {
  readonly sessions: Sessions;
  readonly index: SearchIndex;
  readonly settings: SearchSettings;
  readonly log: Log;
}

/**
 * Limits of what is put at once, in entries of a session, characters and parts: they bound how long
 * the index is locked at a time.
 */
const entriesInPart = 64 * entriesInChunk;
const charactersAtOnce = 1_000_000;
const partsAtOnce = 16;
/**
 * Time for which sessions that become idle are collected, in ms: to store several takes hardly
 * longer than one, and what the user waits for is shown first.
 */
const collectMs = 50;
/** Searchable characters of a session; text after them isn't indexed. */
const charactersInSession = 32_000_000;
/** Characters of a session's ids and folders together, ten times what real ones need at most. */
const maxInfoLength = 100_000;
const maxTitleLength = 1_000;
/** Consecutive failed sessions before indexing stops: a single one may itself be the cause. */
const maxFailures = 3;
/** Time after which to yield to the event loop, in ms. */
const sliceMs = 8;

/** The indexing state of an open session. */
interface Watched {
  /** Index of the first entry that has changed since it was indexed. */
  dirty: number;
  /** Characters indexed so far. */
  characters: number;
  readonly listening: Disposable;
}

/** A session at the moment it became idle. */
interface Snapshot {
  readonly session: Session;
  readonly watched: Watched;
  readonly info: Session['info'];
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly seen: number;
}

/** Keeps the index up to date with the open transcripts: after a replay, and after each turn. */
export class SessionIndexer implements Disposable {
  readonly #options: SessionIndexerOptions;
  readonly #store = new DisposableStore();
  readonly #watched = new Map<Session, Watched>();
  /** Keys of the sessions that the user isn't looking at. */
  readonly #unseen = new Set<string>();
  readonly #failed = this.#store.add(new Emitter<SearchIndexProblem>());
  /**
   * The index can't be written any more; fires at most once until `clear` or a change of the
   * setting.
   */
  readonly onDidFail = this.#failed.event;
  /** Settles when all tasks up to now are done. */
  #idle: Promise<void> = Promise.resolve();
  /** The sessions of the last task, while it collects some. */
  #collected: Map<Session, Snapshot> | undefined;
  #isStopped = false;
  #wasOff = false;
  #failures = 0;

  constructor(options: SessionIndexerOptions) {
    this.#options = options;
    const { sessions, settings, index } = options;
    this.#store.add(sessions.onDidChange((session) => this.#look(session)));
    this.#store.add(
      sessions.onDidDelete(({ agentId, sessionId }) =>
        this.#enqueue(() => index.forget(agentId, sessionId)),
      ),
    );
    this.#store.add(settings.onDidChangeSearchIndex(() => this.#settingChanged()));
  }

  /** Settles when all sessions that have become idle so far are in the index. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  /** Runs `work`, during which the session isn't counted as seen by the user. */
  async unseen<T>(agentId: string, sessionId: string, work: () => Promise<T>): Promise<T> {
    const key = sessionKey(agentId, sessionId);
    this.#unseen.add(key);
    try {
      return await work();
    } finally {
      this.#unseen.delete(key);
    }
  }

  /** Clears the index, and resumes indexing if it had stopped. */
  async clear(): Promise<void> {
    this.#isStopped = false;
    this.#failures = 0;
    await this.#run(() => this.#options.index.clear());
  }

  /** Whether the index has the session in the state that the agent lists. */
  async has(agentId: string, info: Session['info']): Promise<boolean> {
    const version = await this.#options.index.version(agentId, info.sessionId);
    return info.updatedAt !== undefined && version?.startsWith(this.#getState(info)) === true;
  }

  dispose(): void {
    this.#isStopped = true;
    for (const { listening } of this.#watched.values()) {
      listening.dispose();
    }
    this.#watched.clear();
    this.#store.dispose();
  }

  #look(session: Session): void {
    const { sessions, settings } = this.#options;
    if (!isConfigured(session.agent)) {
      return;
    }
    if (settings.searchIndex === 'off') {
      this.#turnOff();
      return;
    }
    if (sessions.find(session.agent.id, session.info.sessionId) !== session) {
      this.#watched.get(session)?.listening.dispose();
      this.#watched.delete(session);
      return;
    }
    const watched = this.#watch(session);
    const { agent, info } = session;
    if (
      session.phase.kind === 'ready' &&
      session.turns.current.kind === 'idle' &&
      watched.dirty < Infinity
    ) {
      this.#collect(session, watched);
    } else if (session.phase.kind === 'failed' && session.phase.failure.code === 'gone') {
      this.#enqueue(() => this.#options.index.forget(agent.id, info.sessionId));
    }
  }

  #collect(session: Session, watched: Watched): void {
    this.#collected ??= this.#startCollecting();
    const from = Math.min(watched.dirty, this.#collected.get(session)?.from ?? Infinity);
    watched.dirty = Infinity;
    this.#collected.set(session, this.#snapshot(session, watched, from));
  }

  #startCollecting(): Map<Session, Snapshot> {
    const collected = new Map<Session, Snapshot>();
    const collecting = setTimeout(collectMs);
    void this.#run(async () => {
      await collecting;
      this.#collected = undefined;
      await this.#try(() => this.#index([...collected.values()]));
    });
    return collected;
  }

  #watch(session: Session): Watched {
    const known = this.#watched.get(session);
    if (known !== undefined) {
      return known;
    }
    const { transcript } = session;
    const note = (index: number): void => {
      watched.dirty = Math.min(watched.dirty, index);
    };
    const listening = new DisposableStore();
    listening.add(transcript.onDidChange((change) => note(firstChanged(change))));
    listening.add(transcript.onDidChangeNested(({ row }) => note(row)));
    const watched: Watched = {
      dirty: transcript.entries.length > 0 ? 0 : Infinity,
      characters: 0,
      listening,
    };
    this.#watched.set(session, watched);
    return watched;
  }

  #snapshot(session: Session, watched: Watched, from: number): Snapshot {
    const { agent, info, title, transcript } = session;
    const seen = this.#unseen.has(sessionKey(agent.id, info.sessionId)) ? 0 : Date.now();
    return { session, watched, info, title, entries: [...transcript.entries], from, seen };
  }

  /** Failures don't reject; see `#fail`. */
  #enqueue(work: () => Promise<void>): void {
    void this.#run(() => this.#try(work));
  }

  /** Runs the tasks in sequence. Settles like `work`. */
  #run(work: () => Promise<void>): Promise<void> {
    this.#collected = undefined;
    const done = this.#idle.then(work);
    this.#idle = done.catch(() => undefined);
    return done;
  }

  #clearAll(): void {
    const clear = async (): Promise<void> => {
      try {
        await this.#options.index.clear();
      } catch (error) {
        // Retried with the next session that changes.
        this.#wasOff = false;
        throw error;
      }
    };
    this.#enqueue(clear);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) {
      return;
    }
    try {
      await work();
      this.#failures = 0;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isStopped) {
      return;
    }
    const problem = error instanceof SearchIndexError ? error.problem : 'failed';
    this.#options.log.warn(`A session could not be indexed (${problem}): ${getStack(error)}`);
    this.#failures += problem === 'failed' ? 1 : 0;
    if (problem !== 'busy' && (problem !== 'failed' || this.#failures >= maxFailures)) {
      this.#isStopped = true;
      this.#failed.fire(problem);
    }
  }

  async #index(snapshots: readonly Snapshot[]): Promise<void> {
    try {
      await this.#put(snapshots);
    } catch (error) {
      // All of these sessions is indexed again when they next become idle.
      for (const { watched } of snapshots) {
        watched.dirty = 0;
      }
      throw error;
    }
  }

  async #put(snapshots: readonly Snapshot[]): Promise<void> {
    const { index } = this.#options;
    let parts: SessionPart[] = [];
    let characters = 0;
    const versions = await Promise.all(
      snapshots.map(({ session: { agent, info } }) => index.version(agent.id, info.sessionId)),
    );
    for (const [number, snapshot] of snapshots.entries()) {
      for await (const part of this.#getParts(snapshot, versions[number])) {
        parts.push(part);
        characters += getLength(part.entries);
        if (characters >= charactersAtOnce || parts.length === partsAtOnce) {
          await index.put(...parts);
          parts = [];
          characters = 0;
        }
      }
    }
    if (parts.length > 0) {
      await index.put(...parts);
    }
  }

  async *#getParts(snapshot: Snapshot, known: string | undefined): AsyncGenerator<SessionPart> {
    const { settings, log } = this.#options;
    const { watched, info, entries } = snapshot;
    const indexed = toIndexed(snapshot);
    if (JSON.stringify(indexed).length > maxInfoLength) {
      log.warn('A session is not indexed because its id and folders are too long');
      return;
    }
    const version = `${this.#getState(info)} ${entries.length}`;
    const isKnown = snapshot.from === 0 && known === version;
    if (settings.searchIndex === 'off' || (isKnown && snapshot.seen === 0)) {
      return;
    }
    const hasText = settings.searchIndex === 'text' && !isKnown;
    const end = Math.ceil(entries.length / entriesInChunk) * entriesInChunk;
    const first = known === undefined ? 0 : snapshot.from - (snapshot.from % entriesInChunk);
    watched.characters = first === 0 ? 0 : watched.characters;
    for (let from = hasText ? first : isKnown ? end : 0; ; ) {
      const isFull = watched.characters >= charactersInSession;
      const part = hasText && !isFull ? await partFrom(entries, from, info.cwd) : [];
      const isLast = !hasText || isFull || from + part.length >= entries.length;
      if (isFull && hasText) {
        log.warn(`Only the beginning of a very long session is searchable (“${indexed.title}”)`);
      }
      yield {
        session: indexed,
        from,
        entries: part,
        version: isLast ? version : '',
        seen: snapshot.seen,
      };
      if (isLast) {
        return;
      }
      from += part.length;
      watched.characters += getLength(part);
    }
  }

  /** The part of a version that depends on the setting and on the agent's `updatedAt`. */
  #getState({ updatedAt }: Session['info']): string {
    return `${this.#options.settings.searchIndex} ${updatedAt ?? ''}`;
  }

  #settingChanged(): void {
    this.#isStopped = false;
    this.#wasOff = false;
    this.#clearAll();
    for (const session of this.#options.sessions.all) {
      const watched = this.#watched.get(session);
      if (watched !== undefined) {
        watched.dirty = 0;
      }
      this.#look(session);
    }
  }

  /** Turns the index off, and removes what an earlier window has indexed. */
  #turnOff(): void {
    if (!this.#wasOff) {
      this.#wasOff = true;
      this.#clearAll();
    }
  }
}

function toIndexed({ session, info, title }: Snapshot) {
  const { sessionId, cwd, additionalDirectories, updatedAt } = info;
  const agentId = session.agent.id;
  return {
    agentId,
    sessionId,
    title: title.slice(0, maxTitleLength),
    cwd,
    additionalDirectories,
    ...(updatedAt !== undefined && { updatedAt }),
  };
}

function getLength(entries: readonly SearchEntry[]): number {
  return entries.reduce((sum, { text }) => sum + text.length, 0);
}

/** The next part, in whole chunks; yields to the event loop regularly. */
async function partFrom(
  entries: readonly Entry[],
  from: number,
  cwd: string,
): Promise<readonly SearchEntry[]> {
  const part: SearchEntry[] = [];
  let characters = 0;
  let sliceEnd = performance.now() + sliceMs;
  for (const entry of entries.slice(from, from + entriesInPart)) {
    if (part.length % entriesInChunk === 0 && characters > charactersAtOnce) {
      break;
    }
    const searched = toSearchEntry(entry, cwd);
    characters += searched.text.length;
    part.push(searched);
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  return part;
}
