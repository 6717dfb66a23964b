import {
  type AgentApp,
  agent,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk/unstable';
import type { DemoService } from '../service';
import { steer, steeringParams } from '../turns/prompt';
import { Version1Client } from './client';

/** The agent as a client of version 1 sees it. */
export function version1Agent(service: DemoService): AgentApp {
  const { sessions, options } = service;
  const { agent: names } = methods;
  return agent({ name: 'demo-agent' })
    .onRequest(names.initialize, ({ params, client }) => {
      sessions.client = new Version1Client(client, params.clientCapabilities ?? {});
      return initializeResponse(options.version);
    })
    .onRequest(names.session.new, ({ params }) => sessions.create(params))
    .onRequest(names.session.load, ({ params, signal }) => sessions.load(params, signal))
    .onRequest(names.session.resume, ({ params }) => sessions.resume(params))
    .onRequest(names.session.fork, ({ params }) => sessions.fork(params))
    .onRequest(names.session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(names.session.setMode, ({ params }) =>
      sessions.setMode(params.sessionId, params.modeId),
    )
    .onRequest(names.session.setConfigOption, ({ params }) => sessions.setConfigOption(params))
    .onRequest(names.session.list, ({ params }) => service.list(params))
    .onRequest(names.session.delete, ({ params }) => service.delete(params.sessionId))
    .onRequest(names.session.archive, ({ params }) => service.archive(params.sessionId))
    .onRequest(names.session.unarchive, ({ params }) => service.unarchive(params.sessionId))
    .onRequest(names.session.setTitle, ({ params }) =>
      service.setTitle(params.sessionId, params.title),
    )
    .onRequest(names.session.prompt, ({ params, signal }) => service.prompt(params, signal).ended)
    .onRequest('_session/steering', steeringParams, ({ params }) =>
      steer(sessions.get(params.sessionId), params.prompt),
    )
    .onNotification(names.session.cancel, ({ params }) => {
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
