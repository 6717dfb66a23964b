import {
  type AgentApp,
  agent,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptRequest,
  type ResumeSessionRequest,
  type SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type * as version1 from '@agentclientprotocol/sdk/unstable';
import { availableCommands } from '../commands/commands';
import type { DemoService } from '../service';
import { injectPrompt } from '../turns/prompt';
import { unusable } from '../vocabulary/errors';
import { Version2Client } from './client';
import { commandsOf, optionsOf } from './updates';

/** The agent as a client of version 2 sees it. */
export function version2Agent(service: DemoService): AgentApp {
  const { sessions, options } = service;
  const { agent: names } = methods;
  const stateOf = (state: Pick<version1.NewSessionResponse, 'configOptions'>) => ({
    configOptions: optionsOf(state.configOptions ?? []),
    availableCommands: commandsOf(availableCommands(sessions.capabilities)),
  });
  const created = (session: version1.NewSessionResponse): NewSessionResponse => ({
    sessionId: session.sessionId,
    ...stateOf(session),
  });
  return agent({ name: 'demo-agent' })
    .onRequest(names.initialize, ({ params, client: context }) => {
      sessions.client = new Version2Client(context, params.capabilities ?? {});
      return initializeResponse(options.version);
    })
    .onRequest(names.session.new, ({ params }) => created(sessions.create(asVersion1(params))))
    .onRequest(names.session.fork, async ({ params }) =>
      created(await sessions.fork(asVersion1(params))),
    )
    .onRequest(names.session.resume, async ({ params, signal }) => {
      const request = asVersion1(params);
      return stateOf(
        await (replays(params) ? sessions.load(request, signal) : sessions.resume(request)),
      );
    })
    .onRequest(names.session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(names.session.setConfigOption, async ({ params }) => {
      const { configOptions } = await sessions.setConfigOption(optionChange(params));
      return { configOptions: optionsOf(configOptions) };
    })
    .onRequest(names.session.list, ({ params }) => service.list(params))
    .onRequest(names.session.delete, ({ params }) => service.delete(params.sessionId))
    .onRequest(names.session.archive, ({ params }) => service.archive(params.sessionId))
    .onRequest(names.session.unarchive, ({ params }) => service.unarchive(params.sessionId))
    .onRequest(names.session.setTitle, ({ params }) =>
      service.setTitle(params.sessionId, params.title),
    )
    .onRequest(names.session.prompt, async ({ params }) => ({
      messageId: await insert(service, params),
    }))
    .onNotification(names.session.cancel, ({ params }) => {
      sessions.cancel(params.sessionId);
    });
}

/** Resolves to the prompt's id once it is a part of the session: of the running turn, or of its own, which goes on. */
async function insert(service: DemoService, params: PromptRequest): Promise<string> {
  const session = service.sessions.get(params.sessionId);
  const prompt = params.prompt as version1.ContentBlock[];
  if (prompt.length === 0) {
    throw unusable('A prompt needs at least one block');
  }
  return session.isRunning
    ? injectPrompt(session, prompt)
    : await service.prompt({ sessionId: params.sessionId, prompt }).inserted;
}

function replays({ replayFrom }: ResumeSessionRequest): boolean {
  if (replayFrom && replayFrom.type !== 'start') {
    throw unusable(`I can't replay from ${JSON.stringify(replayFrom.type)}`);
  }
  return Boolean(replayFrom);
}

/** MCP servers are accepted, but never called. */
function asVersion1<T extends object>(
  request: T,
): Omit<T, 'mcpServers' | 'systemPrompt'> & { mcpServers: [] } {
  return { ...request, mcpServers: [] };
}

function optionChange(
  params: SetSessionConfigOptionRequest,
): version1.SetSessionConfigOptionRequest {
  const { sessionId, configId, type, value } = params;
  if (type !== 'boolean' && typeof value === 'string' && type === 'id') {
    return { sessionId, configId, value };
  }
  if (type === 'boolean' && typeof value === 'boolean') {
    return { sessionId, configId, type: 'boolean', value };
  }
  throw unusable(`A value of the type ${JSON.stringify(type)} fits no option`);
}

/** Advertises exactly what is handled here (V2-INIT-8). */
function initializeResponse(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    info: { name: 'demo-agent', title: 'Demo Agent', version },
    authMethods: [],
    capabilities: {
      session: {
        prompt: { image: {}, audio: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        fork: {},
        archive: {},
        title: {},
        additionalDirectories: {},
      },
    },
  };
}
