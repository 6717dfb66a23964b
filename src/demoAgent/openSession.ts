import { RequestError, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { SessionMeta } from './records';
import { SteeringPrompts } from './steering';
import type { SessionStore } from './store';

/** Sends a `session/update` of this session to the client. */
export type Notify = (update: SessionUpdate) => Promise<void>;

/**
 * The kinds of update that form the conversation: stored, and replayed by `session/load` (LOAD-4,
 * LOAD-10).
 */
const historyKinds: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'usage_update',
  'compaction_update',
  'compaction_summary_chunk',
  'subagent_update',
  'subagent_spawned',
  'subagent_state_update',
  'session_message',
]);

/**
 * A session that is open on this connection. All writes to its file and all updates to the client
 * go through one queue, so that both have the same order.
 */
export class OpenSession {
  readonly #store: SessionStore;
  readonly #notify: Notify;
  #meta: SessionMeta;
  #stored: boolean;
  #queue: Promise<unknown> = Promise.resolve();
  #turn: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;
  #background: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;
  readonly #answers = new Map<string, boolean>();
  readonly steering = new SteeringPrompts();
  /** What ends the subagents that run, by their session's id. */
  readonly subagents = new Map<string, AbortController>();
  /** What the session has cost since it was opened, if it said so. */
  cost: { readonly amount: number; readonly currency: string } | undefined;
  /** In milliseconds since the epoch, if a turn has ended since the session was opened. */
  lastTurnEndedAt: number | undefined;

  constructor(store: SessionStore, meta: SessionMeta, stored: boolean, notify: Notify) {
    this.#store = store;
    this.#meta = meta;
    this.#stored = stored;
    this.#notify = notify;
  }

  get meta(): SessionMeta {
    return this.#meta;
  }

  /** Whether the session has a file. Until its first prompt it is only in memory, and isn't listed. */
  get stored(): boolean {
    return this.#stored;
  }

  /** The user's permanent answers ("always", "never"), by kind of permission. */
  get answers(): Map<string, boolean> {
    return this.#answers;
  }

  /**
   * Stores the history, then notifies the client, so that the client never sees what a crash could
   * lose.
   */
  send(...updates: readonly SessionUpdate[]): Promise<void> {
    return this.#inOrder(async () => {
      await this.#keep(updates);
      await Promise.all(updates.map((update) => this.#notify(update)));
    });
  }

  /**
   * Stores updates without notifying the client: it already knows them, or can only use them in a
   * replay.
   */
  record(...updates: readonly SessionUpdate[]): Promise<void> {
    return this.#inOrder(() => this.#keep(updates));
  }

  /** Sends the whole history, filtered by `wanted`. */
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

  /** Changes metadata; also in the file, if there is one. */
  patch(change: Partial<SessionMeta>): Promise<void> {
    return this.#inOrder(async () => {
      this.#meta = this.#stored
        ? await this.#store.patch(this.#meta.sessionId, change)
        : { ...this.#meta, ...change };
    });
  }

  /** Creates the session's file if it doesn't exist. */
  save(): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#stored) {
        await this.#store.create(this.#meta);
        this.#stored = true;
      }
    });
  }

  /** Size of the session's file in bytes. */
  bytes(): Promise<number> {
    return this.#inOrder(() => this.#store.size(this.#meta.sessionId));
  }

  /**
   * Runs a turn; a session can only have one at a time. The signal passed to `run` aborts when the
   * turn is canceled: by `cancel`, `close` or `outer`. Throws -32600 while another turn is running
   * (PR-5).
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

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Does something that no prompt waits for; `cancel` and `close` end it. */
  work(run: (signal: AbortSignal) => Promise<void>): void {
    const cancel = new AbortController();
    const ended = run(cancel.signal).catch(() => undefined);
    this.#background = { cancel, ended };
  }

  /** Cancels the running turn and the work in the background, if any; they end soon afterward (CA-5). */
  cancel(): void {
    this.#turn?.cancel.abort();
    this.#background?.cancel.abort();
  }

  /** Cancels the turn and waits until it and all writes have ended (CLOSE-4). */
  async close(): Promise<void> {
    this.cancel();
    await this.#turn?.ended.catch(() => undefined);
    await this.#background?.ended;
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
