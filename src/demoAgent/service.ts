import type {
  ListSessionsRequest,
  ListSessionsResponse,
  PromptRequest,
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

  /**
   * Runs a turn; throws if there is no such session or it has one already. `tellInserted` gets the id that the prompt has
   * in the session.
   */
  async prompt(
    { sessionId, prompt }: Pick<PromptRequest, 'sessionId' | 'prompt'>,
    signal: AbortSignal | undefined,
    tellInserted: (messageId: string) => void,
  ): Promise<PromptResponse> {
    const { client } = this.sessions;
    const session = this.sessions.get(sessionId);
    // Fails only if the connection is closed; then nobody is left to notify.
    const tellChange = (): Promise<void> => client.listChanged().catch(() => undefined);
    try {
      return await session.runTurn(signal, async (cancelled) => {
        await tellChange();
        const { pace, now } = this.options;
        const turn = new DemoTurn({ session, client, prompt, pace, signal: cancelled });
        return await runPrompt(turn, now, tellInserted);
      });
    } finally {
      void tellChange();
    }
  }
}
