import assert from 'node:assert/strict';
import { agent, methods } from '@agentclientprotocol/sdk/unstable';
import type { Transport } from '../../../../src/protocol/agentTransport';
import type { Block } from '../../../../src/shared/transcript/content';
import { ableInitialize } from '../../../fakeAgent/scenario';
import { inMemoryTransports } from '../../../support/inMemoryTransport';
import { connect, goodInitialize, type Raw, requestsWith, target } from '../peer';
import { assertWithin, streamOf } from '../sdkStream';

const { session } = methods.agent;

/** The SDK's parser drops members that the protocol doesn't know, and rejects invalid ones. */
function strictAgent(own: Transport): {
  readonly sent: Raw[];
  readonly understood: Map<string, unknown>;
} {
  const understood = new Map<string, unknown>();
  const sent: Raw[] = [];
  const note =
    <T>(method: string, result: T) =>
    ({ params }: { readonly params: unknown }): T => {
      understood.set(method, params);
      return result;
    };
  const options = { configOptions: [] };
  const app = agent({ name: 'strict' })
    .onRequest(
      methods.agent.initialize,
      note('initialize', {
        ...goodInitialize(ableInitialize),
        authMethods: [{ id: 'a', name: 'A' }],
        protocolVersion: 1,
      }),
    )
    .onRequest(methods.agent.authenticate, note('authenticate', {}))
    .onRequest(methods.agent.logout, note('logout', {}))
    .onRequest(session.new, note(session.new, { sessionId: 'n' }))
    .onRequest(session.load, note(session.load, {}))
    .onRequest(session.resume, note(session.resume, {}))
    .onRequest(session.fork, note(session.fork, { sessionId: 'f' }))
    .onRequest(session.list, note(session.list, { sessions: [] }))
    .onRequest(session.close, note(session.close, {}))
    .onRequest(session.delete, note(session.delete, {}))
    .onRequest(session.archive, note(session.archive, {}))
    .onRequest(session.unarchive, note(session.unarchive, {}))
    .onRequest(session.setTitle, note(session.setTitle, { title: 'T' }))
    .onRequest(session.setMode, note(session.setMode, {}))
    .onRequest(session.setConfigOption, note(session.setConfigOption, options))
    .onRequest(session.prompt, note(session.prompt, { stopReason: 'end_turn' as const }))
    .onNotification(session.cancel, note(session.cancel, undefined));
  app.connect(streamOf(own, (line) => sent.push(line)));
  return { sent, understood };
}

const blocks: readonly Block[] = [
  { type: 'text', text: 'x' },
  { type: 'image', mimeType: 'image/png', data: 'AA==' },
  { type: 'audio', mimeType: 'audio/wav', data: 'AA==' },
  { type: 'resource', uri: 'file:///w/a', text: 'x' },
  { type: 'resource_link', uri: 'file:///w/a', name: 'a', size: 3 },
];

describe('an agent made with the SDK', () => {
  it('TR-5, TR-13, INIT-15, EX-1, EX-3, EX-6, MCP-2, MCP-4, CF-8: understands every message, without a field too many', async () => {
    const [client, own] = inMemoryTransports();
    const { sent, understood } = strictAgent(own);
    const requests = requestsWith({});
    const { connection } = await connect(client, { requests, authTerminal: true });
    const place = {
      ...target,
      additionalDirectories: ['/x'],
      mcpServers: [
        { type: 'stdio', name: 'a', command: '/a', args: ['-x'], env: { A: '1' } },
        { type: 'http', name: 'b', url: 'https://b', headers: { H: '1' } },
        { type: 'sse', name: 'c', url: 'https://c', headers: {} },
      ],
    } as const;
    await connection.authenticate('a');
    await connection.newSession(place);
    await connection.loadSession(place);
    await connection.resumeSession(place);
    await connection.forkSession(place);
    await connection.listSessions({ cwd: '/w', cursor: 'c' });
    await connection.setArchived('s1', true);
    await connection.setArchived('s1', false);
    await connection.setTitle('s1', 'T');
    await connection.setMode('s1', 'm');
    await connection.setConfigOption('s1', 'a', 'b');
    await connection.setConfigOption('s1', 'a', true);
    connection.cancel('s1');
    assert.equal(await connection.prompt('s1', blocks), 'end_turn');
    await connection.closeSession('s1');
    await connection.deleteSession('s1');
    await connection.logout();
    // The recorded message of each method is the last one.
    const last = new Map(sent.map((message) => [String(message['method']), message['params']]));
    assert.equal(last.size, 17);
    assert.equal(
      JSON.stringify(sent).replace('"_meta":{"terminal_output":true}', '').indexOf('"_'),
      -1,
      'nothing of our own, neither methods nor _meta, but for the one capability',
    );
    for (const [method, params] of last) {
      assertWithin(params, understood.get(method), method);
    }
    await connection.close();
  });
});
