import { RequestError, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { SessionMeta } from './records';
import type { SessionStore } from './store';

/** Sends one `session/update` of this session to the client. */
export type Notify = (update: SessionUpdate) => Promise<void>;

/** The kinds of update that are the conversation: kept, and replayed by a load (LOAD-4, LOAD-10). */
const historyKinds: ReadonlySet<SessionUpdate['sessionUpdate']> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'usage_update',
  'compaction_update',
  'compaction_summary_chunk',
] as const);

/**
 * A session that is open on this connection. Everything that is written to its file or sent to the
 * client goes through one queue, so the file and the client see the same order.
 */
export class OpenSession {
  readonly #store: SessionStore;
  readonly #notify: Notify;
  #meta: SessionMeta;
  #stored: boolean;
  #queue: Promise<unknown> = Promise.resolve();
  #turn: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;
  readonly #answers = new Map<string, boolean>();

  constructor(store: SessionStore, meta: SessionMeta, stored: boolean, notify: Notify) {
    this.#store = store;
    this.#meta = meta;
    this.#stored = stored;
    this.#notify = notify;
  }

  get meta(): SessionMeta {
    return this.#meta;
  }

  /** A session without a prompt is kept in memory only, and isn't listed. */
  get stored(): boolean {
    return this.#stored;
  }

  /** What the person answered for good ("always", "never") to a kind of permission. */
  get answers(): Map<string, boolean> {
    return this.#answers;
  }

  /** Keeps what is history, then tells the client: a client never saw what a crash can lose. */
  send(...updates: readonly SessionUpdate[]): Promise<void> {
    return this.#inOrder(async () => {
      await this.#keep(updates);
      await Promise.all(updates.map((update) => this.#notify(update)));
    });
  }

  /** Keeps without telling: what the client knows already, or can only use in a replay. */
  record(...updates: readonly SessionUpdate[]): Promise<void> {
    return this.#inOrder(() => this.#keep(updates));
  }

  /** Sends the whole history, except the kinds that `wanted` refuses. */
  replay(wanted: (update: SessionUpdate) => boolean, signal: AbortSignal): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#stored) {
        return;
      }
      for await (const updates of this.#store.updates(this.#meta.sessionId)) {
        signal.throwIfAborted();
        await Promise.all(updates.filter(wanted).map((update) => this.#notify(update)));
      }
    });
  }

  /** Changes facts, in the file too once there is one. */
  patch(change: Partial<SessionMeta>): Promise<void> {
    return this.#inOrder(async () => {
      this.#meta = this.#stored
        ? await this.#store.patch(this.#meta.sessionId, change)
        : { ...this.#meta, ...change };
    });
  }

  /** Makes the session's file if there is none. */
  save(): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#stored) {
        await this.#store.create(this.#meta);
        this.#stored = true;
      }
    });
  }

  /** What the session takes in its file. */
  bytes(): Promise<number> {
    return this.#inOrder(() => this.#store.size(this.#meta.sessionId));
  }

  /**
   * Runs the one turn that a session can have at a time. `run` gets a signal that aborts when the turn
   * is cancelled: by `cancel`, by `close` or by `outer`. Throws -32600 when one is running (PR-5).
   */
  async runTurn<T>(outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#turn !== undefined) {
      throw new RequestError(-32600, 'A turn is running: wait for it, or cancel it, first');
    }
    const cancel = new AbortController();
    const turn = run(AbortSignal.any([outer, cancel.signal]));
    this.#turn = { cancel, ended: turn };
    try {
      return await turn;
    } finally {
      this.#turn = undefined;
    }
  }

  /** Cancels the turn, if there is one; it ends by itself soon after (CA-5). */
  cancel(): void {
    this.#turn?.cancel.abort();
  }

  /** Cancels the turn and waits until it and all writing have ended (CLOSE-4). */
  async close(): Promise<void> {
    this.cancel();
    await this.#turn?.ended.catch(() => undefined);
    await this.#queue;
  }

  async #keep(updates: readonly SessionUpdate[]): Promise<void> {
    const history = updates.filter((update) => historyKinds.has(update.sessionUpdate));
    if (history.length > 0) {
      await this.#store.append(this.#meta.sessionId, history);
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}
