import type {
  ClientCapabilities,
  ContentBlock,
  ForkSessionRequest,
  ListSessionsRequest,
  LoadSessionRequest,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/unstable';
import { availableCommands } from '../commands/commands';
import type { DemoSessions } from '../sessions/demoSessions';
import { injectPrompt, prompt, steer } from '../turns/promptTurn';
import { unusable } from '../vocabulary/requestErrors';
import type { Connection } from '../wire/connection';
import { Client } from './client';
import { toCommands, toOptions } from './version2Updates';

interface Named {
  readonly sessionId: string;
}

/** Answers a request of either version; `signal` aborts when it is canceled. */
type Handler = (params: never, signal: AbortSignal) => unknown;

/** What the agent does for a message, by its method. */
export type Methods = Readonly<Record<string, Handler>>;

export function getMethods(sessions: DemoSessions, connection: Connection): Methods {
  return {
    initialize: (params: Offer) => initialize(sessions, connection, params),
    ...openingMethods(sessions),
    'session/close': ({ sessionId }: Named) => sessions.close(sessionId),
    'session/list': (params: ListSessionsRequest) => sessions.list(params),
    'session/delete': ({ sessionId }: Named) => sessions.delete(sessionId),
    'session/archive': ({ sessionId }: Named) => sessions.archive(sessionId),
    'session/unarchive': ({ sessionId }: Named) => sessions.patch(sessionId, { archived: false }),
    'session/set_title': ({ sessionId, title }: Named & { title: string }) =>
      sessions.setTitle(sessionId, title),
    'session/prompt': async (params: PromptRequest, signal) =>
      sessions.client.speaks2
        ? { messageId: await insert(sessions, params) }
        : await prompt(sessions, { ...params, prompt: readBlocks(params.prompt) }, signal, ignore),
    '_session/steering': (params: PromptRequest) =>
      steer(sessions.get(params.sessionId), readBlocks(params.prompt)),
    'session/cancel': ({ sessionId }: Named) => sessions.cancel(sessionId),
  };
}

/** The members that must be texts. */
export function neededBy(method: string): readonly string[] {
  switch (method) {
    case 'initialize':
    case 'session/list':
      return [];
    case 'session/new':
    case 'session/options':
      return ['cwd'];
    case 'session/load':
    case 'session/resume':
    case 'session/fork':
      return ['sessionId', 'cwd'];
    case 'session/set_title':
      return ['sessionId', 'title'];
    default:
      return ['sessionId'];
  }
}

/** The methods that answer with the settings of a session. */
function openingMethods(sessions: DemoSessions): Methods {
  const told = (state: Omit<NewSessionResponse, 'sessionId'>): object =>
    sessions.client.speaks2
      ? {
          configOptions: toOptions(state.configOptions ?? []),
          availableCommands: toCommands(availableCommands(sessions.client.capabilities)),
        }
      : state;
  const created = ({ sessionId, ...state }: NewSessionResponse): object => ({
    sessionId,
    ...told(state),
  });
  return {
    ...(sessions.options.tellsOptions === true && {
      'session/options': (params: NewSessionRequest) => told(sessions.firstOptions(params)),
    }),
    'session/new': (params: NewSessionRequest) => created(sessions.create(params)),
    'session/fork': async (params: ForkSessionRequest) => created(await sessions.fork(params)),
    'session/load': async (params: LoadSessionRequest, signal) =>
      told(await sessions.load(params, signal)),
    'session/resume': async (params: LoadSessionRequest & Replay, signal) =>
      told(await (replays(params) ? sessions.load(params, signal) : sessions.resume(params))),
    'session/set_mode': ({ sessionId, modeId }: Named & { modeId: string }) =>
      sessions.setMode(sessionId, modeId),
    'session/set_config_option': async (params: OptionChange) => {
      const { speaks2 } = sessions.client;
      const change = speaks2 ? optionChange(params) : params;
      const { configOptions } = await sessions.setConfigOption(change);
      return { configOptions: speaks2 ? toOptions(configOptions) : configOptions };
    },
  };
}

/** The members of both versions, of which a request may have either or all. */
interface Offer {
  readonly protocolVersion?: number;
  readonly clientCapabilities?: ClientCapabilities;
  readonly capabilities?: ClientCapabilities;
}

/** Speaks the highest version that the client offers, and advertises exactly what is handled (INIT-6, INIT-12, V2-INIT-8). */
function initialize(sessions: DemoSessions, connection: Connection, offer: Offer): object {
  const speaks2 = (offer.protocolVersion ?? 1) >= 2;
  const capabilities = speaks2 ? offer.capabilities : offer.clientCapabilities;
  sessions.client = new Client(connection, speaks2, capabilities ?? {});
  const info = { name: 'demo-agent', title: 'Demo Agent', version: sessions.options.version };
  const session = {
    ...{ delete: {}, fork: {}, archive: {}, title: {}, additionalDirectories: {} },
    ...(sessions.options.tellsOptions === true && { options: {} }),
  };
  // MCP servers are accepted, but never called.
  return speaks2
    ? {
        protocolVersion: 2,
        info,
        authMethods: [],
        capabilities: {
          session: {
            prompt: { image: {}, audio: {}, embeddedContext: {} },
            mcp: { stdio: {}, http: {} },
            ...session,
          },
        },
      }
    : {
        protocolVersion: 1,
        agentInfo: info,
        _meta: { steering: { supported: true } },
        authMethods: [],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, ...session },
        },
      };
}

function ignore(): void {
  // In version 1 nobody asks for a prompt's id.
}

/** Resolves to the prompt's id once it is a part of the session: of the running turn, or of its own, which continues. */
async function insert(sessions: DemoSessions, params: PromptRequest): Promise<string> {
  const session = sessions.get(params.sessionId);
  const blocks = readBlocks(params.prompt);
  return session.isRunning
    ? injectPrompt(session, blocks)
    : await new Promise((resolve, reject) => {
        // A turn that fails before the prompt is inserted fails it; the state reports a later failure.
        prompt(sessions, { ...params, prompt: blocks }, undefined, resolve).catch(reject);
      });
}

function readBlocks(blocks: unknown): ContentBlock[] {
  if (!Array.isArray(blocks) || blocks.length === 0) {
    throw unusable('A prompt needs at least one block');
  }
  return blocks as ContentBlock[];
}

interface Replay {
  readonly replayFrom?: { readonly type: string } | null;
}

function replays({ replayFrom }: Replay): boolean {
  if (replayFrom && replayFrom.type !== 'start') {
    throw unusable(`I can't replay from ${JSON.stringify(replayFrom.type)}`);
  }
  return Boolean(replayFrom);
}

type OptionChange = SetSessionConfigOptionRequest & { readonly type?: string };

/** A change of an option; in version 2 each value has a type. */
function optionChange(change: OptionChange): SetSessionConfigOptionRequest {
  const { sessionId, configId, type, value } = change;
  if (type === 'id' && typeof value === 'string') {
    return { sessionId, configId, value };
  }
  if (type === 'boolean' && typeof value === 'boolean') {
    return { sessionId, configId, type, value };
  }
  throw unusable(`A value of the type ${JSON.stringify(type)} fits no option`);
}
