import type {
  ContentBlock,
  ListSessionsRequest,
  ListSessionsResponse,
  PromptResponse,
} from '@agentclientprotocol/sdk/unstable';
import { OpenSessions } from './sessions/openSessions';
import { checkedTitle } from './sessions/title';
import { listSessions } from './store/listing';
import type { SessionStore } from './store/store';
import { runPrompt } from './turns/prompt';
import { DemoTurn } from './turns/turn';

/** The agent's configuration, apart from the protocol. */
export interface AgentOptions {
  readonly version: string;
  readonly pageSize: number;
  /** Multiplies every pause in the scripts; 0 removes them. */
  readonly pace: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly ContentBlock[];
}

/** A prompt that runs. */
interface RunningPrompt {
  /** The id that the prompt has in the session; rejects if it wasn't inserted. */
  readonly inserted: Promise<string>;
  readonly ended: Promise<PromptResponse>;
}

/** What the agent does for its client over one connection, whichever version that speaks. */
export class DemoService {
  readonly sessions: OpenSessions;
  readonly options: AgentOptions;
  readonly #store: SessionStore;

  constructor(store: SessionStore, options: AgentOptions) {
    this.#store = store;
    this.options = options;
    this.sessions = new OpenSessions(store, options.now);
  }

  list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    return listSessions(this.#store, request, this.options.pageSize, (meta) =>
      this.sessions.told(meta),
    );
  }

  async delete(sessionId: string): Promise<void> {
    await this.sessions.closeIfOpen(sessionId);
    await this.#store.delete(sessionId);
  }

  async archive(sessionId: string): Promise<void> {
    await this.sessions.patch(sessionId, { archived: true });
    await this.sessions.closeIfOpen(sessionId);
  }

  unarchive(sessionId: string): Promise<void> {
    return this.sessions.patch(sessionId, { archived: false });
  }

  async setTitle(sessionId: string, wanted: string): Promise<{ title: string }> {
    const title = checkedTitle(wanted);
    await this.sessions.patch(sessionId, { title, titledByPerson: true });
    return { title };
  }

  /** Runs a turn; throws if there is no such session or it has one already. */
  prompt(prompt: Prompt, signal?: AbortSignal): RunningPrompt {
    const session = this.sessions.get(prompt.sessionId);
    // Fails only if the connection is closed; then nobody is left to notify.
    const tellChange = (): Promise<void> =>
      this.sessions.client.listChanged().catch(() => undefined);
    const run = (tellInserted: (messageId: string) => void): Promise<PromptResponse> =>
      session.runTurn(signal, async (cancelled) => {
        await tellChange();
        try {
          const turn = new DemoTurn({
            session,
            client: this.sessions.client,
            prompt: prompt.prompt,
            pace: this.options.pace,
            signal: cancelled,
          });
          return await runPrompt(turn, this.options.now, tellInserted);
        } finally {
          session.lastTurnEndedAt = session.meta.updatedAt;
        }
      });
    let tellInserted: (messageId: string) => void = () => undefined;
    const id = new Promise<string>((resolve) => {
      tellInserted = resolve;
    });
    const ended = run(tellInserted);
    // A turn that fails before the prompt is inserted fails it.
    const inserted = Promise.race([id, ended.then(() => id)]);
    inserted.catch(() => undefined);
    void ended.then(tellChange, tellChange);
    return { inserted, ended };
  }
}
