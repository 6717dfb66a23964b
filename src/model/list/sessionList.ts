import { setTimeout as delay } from 'node:timers/promises';
import type { SessionInfo } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { SessionInfoPatch } from '../../protocol/updates';
import type { Failure } from '../../shared/failure';
import { deferred } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type {
  Agent,
  MorePages,
  SessionList,
  SessionListChange,
  SessionListState,
  SessionRow,
} from '../agent';
import { describeFailure } from '../failures/failures';
import type { Log, RealPath, WorkspaceFolder } from '../ports';
import { CurrentListing, EarlyPatches, type KnownBefore } from './currentListing';
import { getListings, type Listings, type SessionListLimits } from './listing';
import { ListNews } from './listNews';
import { SessionRows } from './sessionRows';

/** A read of the list that isn't over. */
interface PendingRead {
  readonly kind: 'first' | 'more';
  readonly abort: AbortController;
  /** Resolves when it is over; never rejects. */
  readonly promise: Promise<void>;
}

/** Reads an agent's list for one folder or for all; the agent reports pushes and new connections. */
export class PagedSessionList implements SessionList, Disposable {
  readonly agent: Agent;
  readonly folder: WorkspaceFolder | undefined;
  readonly #limits: Pick<SessionListLimits, 'drawingMs'>;
  readonly #changed = new Emitter<SessionListChange>();
  readonly onDidChange = this.#changed.event;
  readonly #rows: SessionRows;
  readonly #listings: Listings;
  readonly #early = new EarlyPatches();
  readonly #listing: CurrentListing;
  readonly #news: ListNews;
  #state: SessionListState = { kind: 'unread' };
  #stale: Failure | undefined;
  /** The user waits for the pending page. */
  #waiting = false;
  #task: PendingRead | undefined;
  #isDisposed = false;

  constructor(
    agent: Agent,
    folder: WorkspaceFolder | undefined,
    realPath: RealPath,
    log: Log,
    limits: SessionListLimits,
    before: KnownBefore,
  ) {
    this.agent = agent;
    this.folder = folder;
    this.#limits = limits;
    this.#news = new ListNews({
      limits,
      isAsked: () => this.#isAsked,
      pending: () => this.#task?.promise,
      read: () => this.#readForNews(),
    });
    this.#rows = new SessionRows(agent.id, before.promptTitle, before.isHidden);
    this.#listings = getListings(folder, realPath, log, limits);
    this.#listing = new CurrentListing({
      agentId: agent.id,
      folder,
      before,
      listings: this.#listings,
      rows: this.#rows,
      early: this.#early,
      log,
    });
  }

  get rows(): readonly SessionRow[] {
    return this.#rows.sorted;
  }

  get state(): SessionListState {
    return this.#state;
  }

  get more(): MorePages {
    // Whoever reads all pages of a list ends with it.
    return this.#isDisposed ? { kind: 'none' } : this.#listing.more;
  }

  get older(): MorePages {
    const { more } = this.#listing;
    if (more.kind === 'loading') {
      return this.#waiting ? more : { kind: 'ready' };
    }
    return this.#rows.hasAhead ? { kind: 'ready' } : more;
  }

  get isKnown(): boolean {
    return this.#state.kind !== 'unread' || this.#listing.isRecalled;
  }

  get stale(): Failure | undefined {
    return this.#stale;
  }

  find(sessionId: string): SessionRow | undefined {
    return this.#rows.get(sessionId);
  }

  async load(): Promise<void> {
    if (this.#state.kind === 'unread') {
      await this.refresh();
    } else {
      await this.#task?.promise;
    }
  }

  refresh(): Promise<void> {
    if (this.#task?.kind === 'first') {
      return this.#task.promise;
    }
    if (this.#task !== undefined) {
      // A pending answer belongs to the old listing (T-5).
      this.#task.abort.abort();
      this.#listing.more = { kind: 'ready' };
    }
    return this.#run('first', (signal) => this.#readFirst(signal));
  }

  async loadMore(ahead = false): Promise<void> {
    while (this.#task?.kind === 'first') {
      await this.#task.promise;
    }
    const isLoaded = this.#state.kind === 'loaded';
    if (!isLoaded || (!ahead && this.#admit()) || this.#listing.more.kind === 'none') {
      return;
    }
    const bound = this.#listing.bound(ahead);
    if (this.#task === undefined && bound !== undefined) {
      this.#listing.more = bound;
      this.#changed.fire({ type: 'rows' });
    } else if (this.#task === undefined) {
      await this.#run('more', (signal) => this.#readMore(signal, ahead));
    } else if (ahead) {
      await this.#task.promise;
    } else {
      await this.#waitFor(this.#task);
    }
  }

  /** Waits for a page that was already requested, perhaps ahead. */
  async #waitFor({ promise }: PendingRead): Promise<void> {
    this.#waiting = true;
    this.#changed.fire({ type: 'rows' });
    await promise;
    this.#waiting = false;
    if (!this.#admit()) {
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** Admits a page's worth of prefetched rows. */
  #admit(): boolean {
    const admitted = this.#rows.admit();
    if (admitted) {
      this.#changed.fire({ type: 'rows' });
    }
    return admitted;
  }

  /** `session_info_update`: changes the row, or keeps the patch until the session is listed (T-19). */
  push(sessionId: string, patch: SessionInfoPatch): void {
    const pushed = this.#rows.push(sessionId, patch);
    if (pushed !== undefined) {
      this.#changed.fire(pushed.moved ? { type: 'rows' } : { type: 'row', row: pushed.row });
      return;
    }
    const isNews = patch.title !== undefined || patch.updatedAt !== undefined;
    // One refresh for each unknown session: most belong to other folders and are never listed here.
    if (this.#early.add(sessionId, patch) && isNews) {
      this.#news.missing();
    }
  }

  /** `session/list_changed` */
  agentChangedIt(): void {
    this.#news.told();
  }

  /**
   * Adds a session that was just created: most agents list it only after its first prompt, so its row
   * is held until then.
   */
  hold(info: SessionInfo): void {
    if (this.#rows.hold(info, this.#early.take(info.sessionId))) {
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** The agent should list a held session by now. */
  lookFor(sessionId: string): void {
    if (this.#rows.isHeld(sessionId)) {
      this.#readAgain();
    }
  }

  /** A held session was closed: its row stays if the agent lists it (CLOSE-6). */
  letGo(sessionId: string): void {
    if (!this.#rows.isHeld(sessionId)) {
      return;
    }
    this.#rows.letGo(sessionId);
    // A push must not start the agent.
    if (this.#isAsked && this.agent.state.kind === 'ready') {
      this.#readAgain();
    } else {
      this.remove(sessionId);
    }
  }

  /** The session was deleted (DEL-3). */
  remove(sessionId: string): void {
    if (this.#rows.remove(sessionId)) {
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** The agent is running (again): refreshes rows of an earlier connection. */
  agentReady(): void {
    if (this.#state.kind !== 'unread' && this.#task === undefined) {
      void this.refresh();
    }
  }

  /** Includes archived sessions from now on, as far as the agent can list them. */
  includeArchived(): void {
    if (!this.#listings.includesArchived) {
      this.#listings.includesArchived = true;
      if (this.#state.kind === 'loaded' && this.agent.supports('archive')) {
        void this.refresh();
      }
    }
  }

  /** The agent has archived or unarchived a session. */
  setArchived(sessionId: string, archived: boolean): void {
    if (archived && !this.#listings.includesArchived) {
      this.remove(sessionId);
    } else if (this.#rows.setArchived(sessionId, archived)) {
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** The remembered sessions of the agent have changed. */
  rememberedChanged(): void {
    if (this.#state.kind === 'unsupported') {
      this.#listing.takeRemembered();
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** What is only remembered is forgotten. */
  forgetRecalled(): void {
    if (this.#rows.forgetRecalled()) {
      this.#changed.fire({ type: 'rows' });
    }
  }

  /** The workspace became trusted: a list that failed for lack of trust can be loaded again. */
  trustGranted(): void {
    if (this.#state.kind === 'failed' && this.#state.failure.code === 'untrusted') {
      this.#state = { kind: 'unread' };
      this.#changed.fire({ type: 'rows' });
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#news.dispose();
    this.#task?.abort.abort();
    this.#changed.dispose();
  }

  /** Whether the agent has told its list, or is about to: then its answer may be older than what it says meanwhile. */
  get #isAsked(): boolean {
    return this.#state.kind === 'loaded' || this.#state.kind === 'loading';
  }

  #readAgain(): void {
    if (this.#state.kind === 'loaded') {
      void this.refresh();
    } else {
      this.#news.missing();
    }
  }

  async #readForNews(): Promise<void> {
    // A push must not start the agent.
    if (this.#state.kind === 'loaded' && this.agent.state.kind === 'ready') {
      await this.refresh();
    }
  }

  #run(kind: PendingRead['kind'], work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#isDisposed) {
      return Promise.resolve();
    }
    const abort = new AbortController();
    const over = deferred<undefined>();
    const task = { kind, abort, promise: over.promise };
    // Set before the work begins: its first event may lead back here.
    this.#task = task;
    void work(abort.signal).finally(() => {
      if (this.#task === task) {
        this.#task = undefined;
      }
      over.resolve(undefined);
    });
    return task.promise;
  }

  async #readFirst(signal: AbortSignal): Promise<void> {
    const before = this.#state;
    if (before.kind === 'unread') {
      this.#recall();
    }
    if (before.kind !== 'loaded') {
      this.#state = { kind: 'loading' };
      this.#changed.fire({ type: 'rows' });
    }
    try {
      if (before.kind === 'unread' && this.rows.length > 0) {
        await delay(this.#limits.drawingMs);
        signal.throwIfAborted();
      }
      const connection = await this.agent.connect();
      signal.throwIfAborted();
      if (this.agent.state.kind === 'ready' && !this.agent.supports('list')) {
        this.#setUnsupported();
      } else {
        await this.#listing.begin(connection, signal);
        this.#state = { kind: 'loaded' };
      }
      this.#stale = undefined;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#firstFailed(error, before);
    }
    this.#changed.fire({ type: 'rows' });
  }

  #recall(): void {
    void this.#listing.recall()?.then((add) => {
      if (this.#state.kind === 'loading' || this.#state.kind === 'failed') {
        add();
        this.#changed.fire({ type: 'rows' });
      }
    });
  }

  #firstFailed(error: unknown, before: SessionListState): void {
    if (error instanceof AcpError && error.code === 'unsupported') {
      this.#setUnsupported();
      return;
    }
    const failure = describeFailure(error, this.agent.title);
    if (before.kind === 'loaded') {
      this.#stale = failure;
    } else {
      this.#state = { kind: 'failed', failure };
    }
  }

  #setUnsupported(): void {
    this.#state = { kind: 'unsupported' };
    this.#listing.takeRemembered();
  }

  async #readMore(signal: AbortSignal, ahead: boolean): Promise<void> {
    const { version } = this.#rows;
    this.#waiting = !ahead;
    this.#listing.more = { kind: 'loading' };
    this.#changed.fire({ type: ahead ? 'ahead' : 'rows' });
    try {
      const connection = await this.agent.connect();
      signal.throwIfAborted();
      await this.#listing.goOn(connection, signal, ahead);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#listing.more = { kind: 'failed', failure: describeFailure(error, this.agent.title) };
    }
    this.#waiting = false;
    const isAheadOnly = this.#rows.version === version && this.older.kind === 'ready';
    this.#changed.fire({ type: isAheadOnly ? 'ahead' : 'rows' });
  }
}
