import {
  type AgentApp,
  type AgentContext,
  agent,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  type PromptRequest,
} from '@agentclientprotocol/sdk/unstable';
import type { ForkKind } from './forks';
import { listSessions } from './listing';
import { OpenSessions } from './openSessions';
import { runPrompt, steer } from './prompt';
import { steeringParams } from './steering';
import type { SessionStore } from './store';
import { checkedTitle } from './title';
import { DemoTurn } from './turn';

/** The agent's configuration, apart from the protocol. */
export interface AgentOptions {
  readonly version: string;
  readonly pageSize: number;
  /** Multiplies every pause in the scripts; 0 removes them. */
  readonly pace: number;
  /** Where forks at a message end. */
  readonly forks: ForkKind;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The demo agent, and a function that shuts it down. */
export interface DemoAgent {
  readonly app: AgentApp;
  /** Cancels all turns and waits until everything is written. */
  readonly close: () => Promise<void>;
}

/** An ACP v1 agent that serves a store's sessions over one connection. */
export function createDemoAgent(store: SessionStore, options: AgentOptions): DemoAgent {
  const sessions = new OpenSessions(store, options.now, options.forks);
  const app = agent({ name: 'demo-agent' });
  registerLifecycle(app, sessions, options.version);
  registerStored(app, sessions, store, options.pageSize);
  registerTurns(app, sessions, options);
  return { app, close: () => sessions.closeAll() };
}

function registerLifecycle(app: AgentApp, sessions: OpenSessions, version: string): void {
  app
    .onRequest(methods.agent.initialize, ({ params }) => {
      sessions.capabilities = params.clientCapabilities ?? {};
      return initializeResponse(version);
    })
    .onRequest(methods.agent.session.new, ({ params, client }) => sessions.create(params, client))
    .onRequest(methods.agent.session.load, ({ params, client, signal }) =>
      sessions.load(params, client, signal),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      sessions.resume(params, client),
    )
    .onRequest(methods.agent.session.fork, ({ params, client }) => sessions.fork(params, client))
    .onRequest(methods.agent.session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      sessions.setMode(params.sessionId, params.modeId),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      sessions.setConfigOption(params),
    );
}

function registerStored(
  app: AgentApp,
  sessions: OpenSessions,
  store: SessionStore,
  pageSize: number,
): void {
  app
    .onRequest(methods.agent.session.list, ({ params }) =>
      listSessions(store, params, pageSize, (meta) => sessions.told(meta)),
    )
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await sessions.closeIfOpen(params.sessionId);
      await store.delete(params.sessionId);
    })
    .onRequest(methods.agent.session.archive, async ({ params }) => {
      await sessions.patch(params.sessionId, { archived: true });
      await sessions.closeIfOpen(params.sessionId);
    })
    .onRequest(methods.agent.session.unarchive, ({ params }) =>
      sessions.patch(params.sessionId, { archived: false }),
    )
    .onRequest(methods.agent.session.setTitle, async ({ params }) => {
      const title = checkedTitle(params.title);
      await sessions.patch(params.sessionId, { title, titledByPerson: true });
      return { title };
    });
}

function registerTurns(app: AgentApp, sessions: OpenSessions, options: AgentOptions): void {
  const turnOf = (params: PromptRequest, client: AgentContext, signal: AbortSignal): DemoTurn =>
    new DemoTurn({
      session: sessions.get(params.sessionId),
      client,
      capabilities: sessions.capabilities,
      prompt: params.prompt,
      pace: options.pace,
      signal,
    });
  app
    .onRequest(methods.agent.session.prompt, ({ params, client, signal }) => {
      const session = sessions.get(params.sessionId);
      // Fails only if the connection is closed; then nobody is left to notify.
      const tellChange = (): Promise<void> =>
        client.notify('_session/list_changed', {}).catch(() => undefined);
      const turn = session.runTurn(signal, async (cancelled) => {
        await tellChange();
        try {
          return await runPrompt(turnOf(params, client, cancelled), options.now);
        } finally {
          session.lastTurnEndedAt = session.meta.updatedAt;
        }
      });
      void turn.then(tellChange, tellChange);
      return turn;
    })
    .onRequest('_session/steering', steeringParams, ({ params, client, signal }) =>
      steer(sessions.get(params.sessionId), params.prompt, () => turnOf(params, client, signal)),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      sessions.cancel(params.sessionId);
    });
}

/**
 * Advertises exactly what is handled here (INIT-6, INIT-12). MCP servers are accepted, but never
 * called.
 */
function initializeResponse(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'demo-agent', title: 'Demo Agent', version },
    _meta: { steering: { supported: true } },
    authMethods: [],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        archive: {},
        title: {},
        additionalDirectories: {},
      },
    },
  };
}
