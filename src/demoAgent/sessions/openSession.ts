import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import type { SessionMeta } from '../store/records';
import type { SessionStore } from '../store/sessionStore';
import type { DemoUpdate, SessionState } from '../vocabulary/demoUpdates';
import { RequestError } from '../vocabulary/requestErrors';

/** Sends an update of this session to the client. */
export type Notify = (update: DemoUpdate) => Promise<void>;

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
  'plan_update',
  'usage_update',
  'compaction_update',
  'compaction_summary_chunk',
  'subagent_update',
  'session_message',
]);

interface Turn {
  readonly cancel: AbortController;
  readonly ended: Promise<unknown>;
}

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
  #turn: Turn | undefined;
  #state: SessionState = { state: 'idle' };
  readonly #answers = new Map<string, boolean>();
  /** The prompts that were sent into the running turn and not answered yet, oldest first. */
  readonly injected: (readonly ContentBlock[])[] = [];
  /** What ends the subagents that run, by their session's id. */
  readonly subagents = new Map<string, AbortController>();
  /** The time in ms since the epoch, if a turn has ended since the session was opened. */
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
  send(...updates: readonly DemoUpdate[]): Promise<void> {
    return this.#inOrder(async () => {
      await this.#keep(updates);
      await Promise.all(updates.map((update) => this.#notify(update)));
    });
  }

  /**
   * Stores updates without notifying the client: it already knows them, or can only use them in a
   * replay.
   */
  record(...updates: readonly DemoUpdate[]): Promise<void> {
    return this.#inOrder(() => this.#keep(updates));
  }

  /** Sends the whole history, filtered by `wanted`, with `notify`. */
  replay(
    wanted: (update: DemoUpdate) => boolean,
    notify: Notify,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#stored) {
        return;
      }
      for await (const updates of this.#store.updates(this.#meta.sessionId)) {
        signal.throwIfAborted();
        await Promise.all(updates.filter(wanted).map(notify));
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
  async runTurn<T>(
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#turn !== undefined) {
      throw new RequestError(-32600, 'A turn is running: wait for it, or cancel it, first');
    }
    const cancel = new AbortController();
    const ended = run(AbortSignal.any([...(outer ? [outer] : []), cancel.signal]));
    const turn = { cancel, ended };
    this.#turn = turn;
    try {
      return await ended;
    } finally {
      if (this.#turn === turn) {
        this.#turn = undefined;
      }
    }
  }

  /** The running turn takes nothing more; to be called before the client is told that it is over. */
  endTurn(): void {
    this.lastTurnEndedAt = this.#meta.updatedAt;
    this.#turn = undefined;
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** Tells what the session does now; without a state, the last one again. */
  tellState(state: SessionState = this.#state): Promise<void> {
    this.#state = state;
    return this.send({ sessionUpdate: 'state_update', ...state });
  }

  /** Waits for the user, and tells so. */
  async waiting<T>(answer: () => Promise<T>): Promise<T> {
    await this.tellState({ state: 'requires_action' });
    const answered = await answer();
    await this.tellState({ state: 'running' });
    return answered;
  }

  /** Cancels the running turn, if any; it ends soon afterward (CA-5). */
  cancel(): void {
    this.#turn?.cancel.abort();
  }

  /** Cancels the turn and waits until it and all writes have ended (CLOSE-4). */
  async close(): Promise<void> {
    this.cancel();
    await this.#turn?.ended.catch(() => undefined);
    await this.#queue;
  }

  async #keep(updates: readonly DemoUpdate[]): Promise<void> {
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
