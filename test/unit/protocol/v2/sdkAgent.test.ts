import assert from 'node:assert/strict';
import { agent as agent1, methods as methods1 } from '@agentclientprotocol/sdk';
import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2';
import {
  type AgentApp,
  type AgentContext,
  agent,
  methods,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { PermissionRequest } from '../../../../src/protocol/agentRequests';
import { getVersions, type ProtocolChoice } from '../../../../src/protocol/versions';
import type { Block } from '../../../../src/shared/transcript/content';
import { inMemoryTransports } from '../../../support/inMemoryTransport';
import { connect, goodInitialize, type Raw, requestsWith, type Seen, target } from '../peer';
import { assertWithin, streamOf } from '../sdkStream';
import { able2, hello, initialize2 } from './peer2';

const { session, auth } = methods.agent;

/** What the SDK's agent has understood, by method: its parser refuses what version 2 doesn't allow. */
type Understood = Map<string, unknown>;

/** Takes part in a prompt's turn, after the prompt was accepted. */
type Turn = (client: AgentContext) => Promise<void>;

function update(client: AgentContext, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId: 's1', update });
}

const work: Turn = async (client) => {
  await update(client, { sessionUpdate: 'state_update', state: 'running' });
  await update(client, {
    ...{ sessionUpdate: 'agent_message_chunk', messageId: 'a1' },
    content: { type: 'text', text: 'Done.' },
  });
  await update(client, { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
};

function strictAgent(understood: Understood, turn: Turn = work): AgentApp {
  const note =
    <T>(method: string, result: T) =>
    ({ params }: { readonly params: unknown }): T => {
      understood.set(method, params);
      return result;
    };
  const authMethods = [{ type: 'agent', methodId: 'a', name: 'A' }] as const;
  const initialized = initialize2(able2, { authMethods, protocolVersion: 2 });
  return agent({ name: 'strict' })
    .onRequest(methods.agent.initialize, note('initialize', initialized as never))
    .onRequest(auth.login, note(auth.login, {}))
    .onRequest(auth.logout, note(auth.logout, {}))
    .onRequest(session.new, note(session.new, { sessionId: 'n' }))
    .onRequest(session.resume, note(session.resume, {}))
    .onRequest(session.fork, note(session.fork, { sessionId: 'f' }))
    .onRequest(session.list, note(session.list, { sessions: [] }))
    .onRequest(session.close, note(session.close, {}))
    .onRequest(session.delete, note(session.delete, {}))
    .onRequest(session.archive, note(session.archive, {}))
    .onRequest(session.unarchive, note(session.unarchive, {}))
    .onRequest(session.setTitle, note(session.setTitle, { title: 'T' }))
    .onRequest(session.setConfigOption, note(session.setConfigOption, { configOptions: [] }))
    .onRequest(session.prompt, async ({ params, client }) => {
      understood.set(session.prompt, params);
      const content = [{ type: 'text', text: 'hello' } as const];
      await update(client, { sessionUpdate: 'user_message', messageId: 'u1', content });
      void turn(client);
      return { messageId: 'u1' };
    })
    .onNotification(session.cancel, note(session.cancel, undefined));
}

const blocks: readonly Block[] = [
  { type: 'text', text: 'x' },
  { type: 'image', mimeType: 'image/png', data: 'AA==' },
  { type: 'audio', mimeType: 'audio/wav', data: 'AA==' },
  { type: 'resource', uri: 'file:///w/a', text: 'x' },
  { type: 'resource_link', uri: 'file:///w/a', name: 'a', size: 3 },
];

describe('an agent made with the SDK, of version 2', () => {
  it('V2-INIT-9, V2-MCP-1, V2-CONF-1, EX-1: understands every message, without a field too many', async () => {
    const [client, own] = inMemoryTransports();
    const understood: Understood = new Map();
    const sent: Raw[] = [];
    strictAgent(understood).connect(streamOf(own, (line) => sent.push(line)));
    const { connection } = await connect(client, {
      versions: getVersions('2'),
      requests: requestsWith({}),
      authTerminal: true,
    });
    const place = {
      ...target,
      additionalDirectories: ['/x'],
      mcpServers: [
        { type: 'stdio', name: 'a', command: '/a', args: ['-x'], env: { A: '1' } },
        { type: 'http', name: 'b', url: 'https://b', headers: { H: '1' } },
      ],
    } as const;
    await connection.authenticate('a');
    await connection.newSession(place);
    await connection.resumeSession(place);
    await connection.loadSession(place);
    await connection.forkSession(place);
    await connection.listSessions({ cwd: '/w', cursor: 'c', archived: 'include' });
    await connection.setArchived('s1', true);
    await connection.setArchived('s1', false);
    await connection.setTitle('s1', 'T');
    await connection.setConfigOption('s1', 'a', 'b');
    await connection.setConfigOption('s1', 'a', true);
    connection.cancel('s1');
    assert.equal(await connection.prompt('s1', blocks), 'end_turn');
    await connection.closeSession('s1');
    await connection.deleteSession('s1');
    await connection.logout();
    // The recorded message of each method is the last one.
    const last = new Map(sent.map((message) => [String(message['method']), message['params']]));
    assert.equal(last.size, 15);
    assert.equal(JSON.stringify(sent).indexOf('"_'), -1, 'nothing of our own');
    for (const [method, params] of last) {
      assertWithin(params, understood.get(method), method);
    }
    await connection.close();
  });

  it('V2-PERM-1, V2-RPC-3: asks, cancels its questions, and has its requests canceled', async () => {
    const [client, own] = inMemoryTransports();
    const asked: PermissionRequest[] = [];
    const outcomes: unknown[] = [];
    const turn: Turn = async (agentsClient) => {
      await update(agentsClient, { sessionUpdate: 'state_update', state: 'requires_action' });
      const abort = new AbortController();
      for (const cancellationSignal of [undefined, abort.signal]) {
        const answer = agentsClient.request(
          methods.client.session.requestPermission,
          {
            sessionId: 's1',
            title: 'May I?',
            subject: { type: 'command', command: 'make', cwd: '/w' },
            options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
          },
          cancellationSignal && { cancellationSignal },
        );
        setTimeout(() => abort.abort(), 20);
        outcomes.push(await answer.then(({ outcome }) => outcome.outcome).catch(() => 'rejected'));
      }
      await work(agentsClient);
    };
    const understood: Understood = new Map();
    let aborted = false;
    strictAgent(understood, turn).connect(streamOf(own, () => undefined));
    const { connection } = await connect(client, {
      versions: getVersions('2'),
      requests: requestsWith({
        requestPermission: (request, signal) => {
          asked.push(request);
          signal.addEventListener('abort', () => (aborted = true));
          return asked.length === 1
            ? Promise.resolve({ optionId: 'y' })
            : new Promise(() => undefined);
        },
      }),
    });
    assert.equal(await connection.prompt('s1', [hello]), 'end_turn');
    assert.equal(asked[0]?.toolCall.title, 'make');
    assert.equal(outcomes[0], 'selected');
    assert.ok(aborted);
    assert.equal(outcomes.length, 2);
    await connection.close();
  });

  /** Connects to an agent that serves both versions. */
  async function routed(choice: ProtocolChoice): Promise<Seen> {
    const [client, own] = inMemoryTransports();
    const old = agent1({ name: 'old' })
      .onRequest(methods1.agent.initialize, () => ({ ...goodInitialize(), protocolVersion: 1 }))
      .onRequest(methods1.agent.session.prompt, () => ({ stopReason: 'end_turn' as const }));
    agentProtocolRouter()
      .withV1(old)
      .withV2(strictAgent(new Map()))
      .connect(streamOf(own, () => undefined));
    return connect(client, { versions: getVersions(choice), requests: requestsWith({}) });
  }

  for (const [choice, version] of [
    ['1', 1],
    ['2', 2],
    ['auto', 2],
  ] as const) {
    it(`V2-INIT-2, V2-INIT-3: one that serves both speaks ${version} if ${choice} is allowed`, async () => {
      const { connection } = await routed(choice);
      assert.equal(connection.protocolVersion, version);
      assert.equal(await connection.prompt('s1', [hello]), 'end_turn');
      await connection.close();
    });
  }

  it('V2-INIT-2: one that serves only version 1 goes on in it', async () => {
    const [client, own] = inMemoryTransports();
    agentProtocolRouter()
      .withV1(
        agent1({ name: 'old' }).onRequest(methods1.agent.initialize, ({ params }) => {
          assert.ok(params.clientCapabilities?.terminal);
          return { ...goodInitialize(), protocolVersion: 1 };
        }),
      )
      .connect(streamOf(own, () => undefined));
    const { connection } = await connect(client, {
      ...{ versions: getVersions('auto'), requests: requestsWith({}) },
    });
    assert.equal(connection.protocolVersion, 1);
    await connection.close();
  });
});
