import assert from 'node:assert/strict';
import { createServer as createHttp1 } from 'node:http';
import { agent, methods } from '@agentclientprotocol/sdk';
import { createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';
import { connectHttp } from '../../../../../../src/features/remote/model/transport/http';
import type { RemoteOptions } from '../../../../../../src/features/remote/model/transport/remoteTransport';
import { connectWebSocket } from '../../../../../../src/features/remote/model/transport/webSocket';
import type { Transport } from '../../../../../../src/protocol/agentTransport';
import { endServers, http2Server, listening } from '../../../../../support/remoteServers';
import { until } from '../../../../../support/until';
import { connect, requestsWith, type Seen, target } from '../../../../protocol/peer';

afterEach(endServers);

/** The SDK's own agent: a turn asks for permission, says what was chosen, and ends. */
function sdkServer(): AcpServer {
  const app = agent({ name: 'sdk' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
    }))
    .onRequest(methods.agent.session.list, () => ({ sessions: [{ sessionId: 's1', cwd: '/w' }] }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 'new' }))
    .onRequest(methods.agent.session.close, () => ({}))
    .onRequest(methods.agent.session.load, async ({ params: { sessionId }, client }) => {
      for (const text of ['one', 'two']) {
        await client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      }
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 'c1', title: 'Do it' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      const text = outcome.outcome === 'selected' ? outcome.optionId : 'none';
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
      return { stopReason: 'end_turn' };
    });
  return new AcpServer({ agent: app });
}

/** The SDK's own handler is for HTTP/1.1. */
async function sdkHttp(): Promise<URL> {
  const server = sdkServer();
  return http2Server(({ stream, headers, body }) => {
    const method = String(headers[':method']);
    const request = new Request('http://127.0.0.1/acp', {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith(':') ? [] : [[name, String(value)]],
      ),
      ...(method === 'POST' && { body }),
    });
    void server.handleRequest(request).then(async (response) => {
      // A header of HTTP/1.1.
      response.headers.delete('connection');
      stream.respond({ ':status': response.status, ...Object.fromEntries(response.headers) });
      for await (const piece of response.body ?? []) {
        stream.write(piece);
      }
      stream.end();
    });
  });
}

async function sdkWebSocket(): Promise<URL> {
  const server = createHttp1();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', createNodeWebSocketUpgradeHandler(sdkServer(), sockets));
  return listening(server, 'ws');
}

type Connect = (options: RemoteOptions) => Transport;

for (const [name, serve, make] of [
  ['a WebSocket', sdkWebSocket, connectWebSocket],
  ['streamable HTTP', sdkHttp, connectHttp],
] as const satisfies readonly (readonly [string, () => Promise<URL>, Connect])[]) {
  describe(`the SDK’s server over ${name}`, function () {
    this.timeout(20_000);
    it('HTTP-1, HTTP-2, HTTP-9: lists, replays, asks and answers, with everything in its session', async () => {
      const requests = requestsWith({
        requestPermission: () => Promise.resolve({ optionId: 'yes' }),
      });
      const transport = make({ url: await serve() });
      const seen: Seen = await connect(transport, { requests, machine: false });
      const { connection, texts } = seen;
      const { sessions } = await connection.listSessions({});
      assert.deepEqual(
        sessions.map(({ sessionId }) => sessionId),
        ['s1'],
      );
      await connection.loadSession(target);
      // The replay comes on a stream of its own (HTTP-9).
      await until(() => texts().join() === 'one,two');
      const { sessionId } = await connection.newSession(target);
      assert.equal(await connection.prompt(sessionId, [{ type: 'text', text: 'Go' }]), 'end_turn');
      assert.deepEqual(texts(), ['one', 'two', 'yes']);
      await connection.closeSession(sessionId);
      await connection.close();
    });
  });
}
