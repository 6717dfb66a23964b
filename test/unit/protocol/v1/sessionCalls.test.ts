import assert from 'node:assert/strict';
import type { GivenMcpServer, McpServer } from '../../../../src/protocol/agentConnection';
import { until } from '../../../support/until';
import {
  ablePeer,
  connect,
  goodInitialize,
  isMethod,
  Peer,
  type Raw,
  rejectsWith,
  target,
} from '../peer';

const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

function last(peer: Peer): Raw {
  return peer.received.at(-1)?.['params'] as Raw;
}

describe('session/new', () => {
  it('NEW-1, NEW-2, MCP-1: after initialize, with the folder and the servers, though there are none', async () => {
    const peer = new Peer().answer('session/new', () => ({ sessionId: 'n' }));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.newSession(place), { sessionId: 'n' });
    assert.deepEqual(peer.methods(), ['initialize', 'session/new']);
    assert.deepEqual(last(peer), { cwd: '/w', mcpServers: [] });
  });

  it('NEW-3, TR-11: a folder that is not absolute is never sent', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    for (const cwd of ['', 'relative', './x', '~/x']) {
      await rejectsWith(connection.newSession({ ...place, cwd }), 'invalidParams');
    }
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('NEW-4: ids are taken as they are; without one there is no session', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    for (const sessionId of ['a/b c', 'x'.repeat(4096), '日本語🎉', '__proto__']) {
      peer.answer('session/new', () => ({ sessionId }));
      assert.deepEqual(await connection.newSession(place), { sessionId });
    }
    for (const result of [null, {}, { sessionId: 5 }, { sessionId: '' }, [], 'x']) {
      peer.answer('session/new', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result });
        return undefined;
      });
      await rejectsWith(connection.newSession(place), 'malformed');
    }
  });

  it('NEW-5: modes and config options of the answer', async () => {
    const peer = new Peer().answer('session/new', () => ({
      sessionId: 'n',
      modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
      configOptions: [{ id: 'f', name: 'F', type: 'boolean', currentValue: true }],
    }));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.newSession(place), {
      sessionId: 'n',
      modes: { currentModeId: 'ask', modes: [{ id: 'ask', name: 'Ask' }] },
      configOptions: [{ id: 'f', name: 'F', type: 'boolean', value: true }],
    });
  });

  it('MO-5: models of the answer', async () => {
    const models = { currentModelId: 'a', availableModels: [{ modelId: 'a', name: 'A' }] };
    const peer = new Peer().answer('session/new', () => ({ sessionId: 'n', models }));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.newSession(place), {
      sessionId: 'n',
      models: { currentModelId: 'a', models: [{ value: 'a', name: 'A' }] },
    });
  });

  it('NEW-6, NEW-7: each session has the requested folder, and its own updates', async () => {
    const peer = new Peer();
    peer.answer('session/new', (message) => ({ sessionId: (message['params'] as Raw)['cwd'] }));
    const { connection, updates } = await connect(peer.client);
    const [one, two] = await Promise.all(
      ['/one', '/two'].map((cwd) => connection.newSession({ ...place, cwd })),
    );
    assert.deepEqual([one?.sessionId, two?.sessionId], ['/one', '/two']);
    for (const id of ['/one', '/two', '/one']) {
      peer.update(id, { sessionUpdate: 'plan', entries: [] });
    }
    await until(() => updates.length === 3);
    assert.deepEqual(
      updates.map((event) => event.sessionId),
      ['/one', '/two', '/one'],
    );
  });

  it('NEW-8: updates before the answer and after it arrive', async () => {
    const update = { sessionUpdate: 'available_commands_update', availableCommands: [] };
    const peer = new Peer().answer('session/new', (message) => {
      peer.update('n', update);
      peer.send({ jsonrpc: '2.0', id: message['id'], result: { sessionId: 'n' } });
      peer.update('n', update);
      return undefined;
    });
    const { connection, updates } = await connect(peer.client);
    const opened = connection.newSession(place);
    await opened;
    assert.ok(updates.length >= 1);
    await until(() => updates.length === 2);
  });

  it('AUTH-13: a login that is needed has its code', async () => {
    const peer = new Peer().fail('session/new', { code: -32000, message: 'log in' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.newSession(place), 'authRequired');
  });

  it('T-33: has its own time limit, and can be canceled', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client, { setupTimeoutMs: 20 });
    await rejectsWith(connection.newSession(place), 'timeout');
    await rejectsWith(connection.newSession(place, AbortSignal.abort()), 'cancelled');
  });
});

describe('MCP servers', () => {
  const stdio = (command: string, rest: Partial<McpServer> = {}): McpServer =>
    ({ type: 'stdio', name: 'files', command, args: [], env: {}, ...rest }) as McpServer;
  const remote = (type: 'http' | 'sse'): McpServer => ({
    type,
    name: type,
    url: `https://x/${type}`,
    headers: {},
  });

  async function sent(peer: Peer, mcpServers: readonly GivenMcpServer[]): Promise<unknown> {
    peer.answer('session/new', () => ({ sessionId: 'n' }));
    const { connection, log } = await connect(peer.client);
    await connection.newSession({ ...place, mcpServers });
    return { servers: last(peer)['mcpServers'], log: log.lines };
  }

  it('MCP-2: stdio has no type, and always lists of arguments and variables', async () => {
    const servers = [
      stdio('/bin/a'),
      stdio('C:\\b.exe', { args: ['-x', ''], env: { KEY: 's3cret', __proto: '' } }),
    ];
    assert.deepEqual(await sent(new Peer(), servers), {
      servers: [
        { name: 'files', command: '/bin/a', args: [], env: [] },
        {
          name: 'files',
          command: 'C:\\b.exe',
          args: ['-x', ''],
          env: [
            { name: 'KEY', value: 's3cret' },
            { name: '__proto', value: '' },
          ],
        },
      ],
      log: [],
    });
  });

  it('MCP-4: http and sse, with a list of headers though there are none', async () => {
    const http = { ...remote('http'), headers: { Authorization: 's3cret' } } as McpServer;
    assert.deepEqual(await sent(ablePeer(), [http, remote('sse')]), {
      servers: [
        {
          type: 'http',
          name: 'http',
          url: 'https://x/http',
          headers: [{ name: 'Authorization', value: 's3cret' }],
        },
        { type: 'sse', name: 'sse', url: 'https://x/sse', headers: [] },
      ],
      log: [],
    });
  });

  it('one of ours by the connection, with its id only, where the agent takes that', async () => {
    const peer = new Peer(
      goodInitialize({ agentCapabilities: { mcpCapabilities: { acp: true } } }),
    );
    const own = { type: 'acp', name: 'editor', serverId: 'id' } as const;
    assert.deepEqual(await sent(peer, [own]), { servers: [own], log: [] });
  });

  it('MCP-3, MCP-7, TR-11: what the agent can’t reach is left out, with a word that tells no secret', async () => {
    const servers = [
      { ...remote('http'), headers: { Authorization: 's3cret' } } as McpServer,
      remote('sse'),
      { type: 'acp', name: 'acp', serverId: 'id' } as const,
      stdio('relative/server', { env: { KEY: 's3cret' } }),
      stdio('/bin/a'),
    ];
    const { servers: list, log } = (await sent(new Peer(), servers)) as {
      servers: Raw[];
      log: string[];
    };
    assert.deepEqual(
      list.map((server) => server['command']),
      ['/bin/a'],
    );
    assert.equal(log.length, 4);
    assert.match(log.join('\n'), /http[^]*sse[^]*acp[^]*absolute/);
    assert.ok(!log.join().includes('s3cret'));
  });

  it('MCP-6: they are sent again with every load, resume and fork', async () => {
    const peer = ablePeer();
    for (const method of ['load', 'resume', 'fork']) {
      peer.answer(`session/${method}`, () => ({ sessionId: 'n' }));
    }
    const { connection } = await connect(peer.client);
    const own = { ...target, mcpServers: [stdio('/bin/a')] };
    await connection.loadSession(own);
    await connection.resumeSession(own);
    await connection.forkSession(own);
    for (const message of peer.received.slice(1)) {
      assert.deepEqual((message['params'] as Raw)['mcpServers'], [
        { name: 'files', command: '/bin/a', args: [], env: [] },
      ]);
    }
  });
});

describe('session/resume and session/fork', () => {
  it('RES-3, DIR-4: sends id, folder, servers and all extra roots', async () => {
    const peer = ablePeer().answer('session/resume', () => ({}));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.resumeSession(target), {});
    assert.deepEqual(last(peer), { sessionId: 's1', cwd: '/w', mcpServers: [] });
    await connection.resumeSession({ ...target, additionalDirectories: ['/b', '/a'] });
    assert.deepEqual(last(peer)['additionalDirectories'], ['/b', '/a']);
  });

  it('DIR-1, DIR-2, DIR-3: extra roots of new sessions and forks keep the rules', async () => {
    const additionalDirectories = ['/b', '/w', '', 'relative', '/b', '/a'];
    const able = ablePeer();
    const unable = new Peer();
    for (const peer of [able, unable]) {
      peer.answer('session/new', () => ({ sessionId: 'n' }));
      peer.answer('session/fork', () => ({ sessionId: 'f' }));
    }
    const { connection } = await connect(able.client);
    await connection.newSession({ ...place, additionalDirectories });
    assert.deepEqual(last(able)['additionalDirectories'], ['/b', '/a']);
    await connection.forkSession({ ...target, additionalDirectories });
    assert.deepEqual(last(able)['additionalDirectories'], ['/b', '/a']);
    const { connection: other } = await connect(unable.client);
    await other.newSession({ ...place, additionalDirectories });
    assert.ok(!('additionalDirectories' in last(unable)));
  });

  it('T-42: a fork at a message names it; without one, nothing is added', async () => {
    const peer = ablePeer().answer('session/fork', () => ({ sessionId: 'f' }));
    const { connection } = await connect(peer.client);
    await connection.forkSession({ ...target, at: 'm1' });
    assert.deepEqual(last(peer)['_meta'], {
      jetbrains: { air: { fork: { version: 1, messageId: 'm1' } } },
    });
    await connection.forkSession(target);
    assert.ok(!('_meta' in last(peer)));
  });

  it('T-42, ER-5: an unknown message is invalid; another text about the session means it is gone', async () => {
    const message = 'Fork point m1 was not found in session s1';
    const peer = ablePeer().fail('session/fork', { code: -32602, message });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.forkSession({ ...target, at: 'm1' }), 'invalidParams');
    peer.fail('session/fork', { code: -32602, message: 'Session s1 not found' });
    await rejectsWith(connection.forkSession({ ...target, at: 'm1' }), 'gone');
    await rejectsWith(connection.forkSession(target), 'gone');
  });

  it('SEC-23: a fork with the id of its origin, or without a usable one, is refused', async () => {
    let sessionId: unknown = target.sessionId;
    const peer = ablePeer().answer('session/fork', () => ({ sessionId }));
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.forkSession(target), 'malformed');
    sessionId = 7;
    await rejectsWith(connection.forkSession(target), 'malformed');
  });

  it('RES-5: modes and options of the answer', async () => {
    const modes = { currentModeId: 'a', availableModes: [] };
    const peer = ablePeer().answer('session/resume', () => ({ modes, configOptions: null }));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.resumeSession(target), {
      modes: { currentModeId: 'a', modes: [] },
    });
  });

  it('RES-1, RES-2: without the capabilities nothing is sent', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.resumeSession(target), 'unsupported');
    await rejectsWith(connection.forkSession(target), 'unsupported');
    await connection.whenLoadsEnded('s1');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('a fork has its own id', async () => {
    const peer = ablePeer().answer('session/fork', () => ({ sessionId: 'f' }));
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.forkSession(target), { sessionId: 'f' });
    assert.deepEqual(last(peer), { sessionId: 's1', cwd: '/w', mcpServers: [] });
    peer.answer('session/fork', () => ({}));
    await rejectsWith(connection.forkSession(target), 'malformed');
  });

  it('ER-5: a session that isn’t there is gone, for each of them', async () => {
    const peer = ablePeer();
    const error = { code: -32603, message: 'Session not found: s1' };
    peer.fail('session/resume', error).fail('session/fork', error);
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.resumeSession(target), 'gone');
    await rejectsWith(connection.forkSession(target), 'gone');
  });

  it('T-17, T-10: a resume that was given up has ended when the agent says so', async () => {
    const peer = ablePeer();
    const { connection } = await connect(peer.client);
    const abort = new AbortController();
    const resuming = connection.resumeSession(target, abort.signal);
    const request = await peer.message(isMethod('session/resume'));
    abort.abort();
    await rejectsWith(resuming, 'cancelled');
    let ended = false;
    const whenEnded = connection.whenLoadsEnded('s1').then(() => (ended = true));
    await peer.message(isMethod('$/cancel_request'));
    assert.equal(ended, false);
    peer.send({ jsonrpc: '2.0', id: request['id'], result: {} });
    await whenEnded;
  });
});
