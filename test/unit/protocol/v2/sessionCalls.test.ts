import assert from 'node:assert/strict';
import type { GivenMcpServer } from '../../../../src/protocol/agentConnection';
import { isMethod, Peer, type Raw, rejectsWith, target } from '../peer';
import { ablePeer2, connect2, hello, initialize2 } from './peer2';

const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

function last(peer: Peer): Raw {
  return peer.received.at(-1)?.['params'] as Raw;
}

const option = {
  configId: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select',
  currentValue: 'ask',
  options: [{ value: 'ask', name: 'Ask' }],
};

const setup = {
  configOptions: [
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      value: 'ask',
      groups: [{ choices: [{ value: 'ask', name: 'Ask' }] }],
    },
  ],
  commands: [{ name: 'plan', description: 'Plans', hint: 'what' }],
};

const wireSetup = {
  configOptions: [option, { ...option, configId: 'x', type: '_acme_color' }],
  availableCommands: [
    { type: 'command', name: 'plan', description: 'Plans', input: { type: 'text', hint: 'what' } },
  ],
};

describe('the sessions of an agent of version 2', () => {
  it('V2-NEW-1, V2-NEW-3, V2-CONF-4: a new one has the first options and commands of the answer', async () => {
    const peer = ablePeer2().answer('session/new', () => ({ sessionId: 'n', ...wireSetup }));
    const { connection } = await connect2(peer);
    assert.deepEqual(await connection.newSession(place), { sessionId: 'n', ...setup });
    assert.deepEqual(last(peer), { cwd: '/w', mcpServers: [] });
    peer.answer('session/new', () => ({
      ...{
        sessionId: 'm',
        configOptions: null,
        availableCommands: null,
        modes: { currentModeId: 'x' },
      },
    }));
    assert.deepEqual(await connection.newSession(place), { sessionId: 'm' });
    await rejectsWith(connection.newSession({ ...place, cwd: 'x' }), 'invalidParams');
  });

  it('V2-RES-1: a load is a resume that replays from the start, however long that takes', async () => {
    const peer = ablePeer2();
    const { connection, updates } = await connect2(peer, {
      setupTimeoutMs: 20,
      requestTimeoutMs: 20,
    });
    const loading = connection.loadSession({ ...target, additionalDirectories: ['/x'] });
    const { id } = await peer.message(isMethod('session/resume'));
    assert.deepEqual(last(peer), {
      sessionId: 's1',
      cwd: '/w',
      additionalDirectories: ['/x'],
      mcpServers: [],
      replayFrom: { type: 'start' },
    });
    await new Promise((resolve) => setTimeout(resolve, 40));
    peer.update('s1', { sessionUpdate: 'user_message', messageId: 'u', content: [] });
    peer.update('s1', { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    peer.send({ jsonrpc: '2.0', id, result: wireSetup });
    assert.deepEqual(await loading, setup);
    assert.equal(updates.length, 2);
    await connection.whenLoadsEnded('s1');
  });

  it('V2-RES-2, V2-RES-5: a resume replays nothing and has a time limit', async () => {
    const peer = ablePeer2().answer('session/resume', () => ({}));
    const { connection } = await connect2(peer, { setupTimeoutMs: 50 });
    assert.deepEqual(await connection.resumeSession(target), {});
    assert.deepEqual(last(peer), { sessionId: 's1', cwd: '/w', mcpServers: [] });
    peer.answer('session/resume', () => undefined);
    await rejectsWith(connection.resumeSession(target), 'timeout');
  });

  it('V2-RPC-3, LOAD-12: an aborted load is canceled, and has ended when the agent has answered', async () => {
    const peer = ablePeer2();
    const { connection } = await connect2(peer);
    const abort = new AbortController();
    const loading = connection.loadSession(target, abort.signal);
    const { id } = await peer.message(isMethod('session/resume'));
    abort.abort();
    await rejectsWith(loading, 'cancelled');
    assert.deepEqual((await peer.message(isMethod('$/cancel_request')))['params'], {
      requestId: id,
    });
    const ended = connection.whenLoadsEnded('s1');
    peer.send({ jsonrpc: '2.0', id, error: { code: -32800, message: 'canceled' } });
    await ended;
  });

  it('T-38: without session/resume the agent has neither load nor resume', async () => {
    const peer = ablePeer2().fail('session/resume', { code: -32601, message: 'no' });
    const { connection } = await connect2(peer);
    await rejectsWith(connection.loadSession(target), 'unsupported');
    assert.equal(connection.capabilities.load, false);
    assert.equal(connection.capabilities.resume, false);
    assert.equal(connection.capabilities.list, true);
    await rejectsWith(connection.resumeSession(target), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize', 'session/resume']);
  });

  it('V2-RPC-5, LOAD-11: a session that the agent doesn’t have', async () => {
    const peer = ablePeer2().fail('session/resume', {
      code: -32002,
      message: 'Session not found',
      data: { sessionId: 's1' },
    });
    const { connection } = await connect2(peer);
    await rejectsWith(connection.loadSession(target), 'gone');
  });

  it('V2-LIST-1 to V2-LIST-3: the list, page by page', async () => {
    const rows = [
      { sessionId: 'a', cwd: '/w', title: null, updatedAt: null },
      { sessionId: 7 },
      { sessionId: 'b', cwd: '/w', title: 'B', additionalDirectories: ['/x'], archived: true },
    ];
    const peer = ablePeer2().answer('session/list', () => ({ sessions: rows, nextCursor: '' }));
    const { connection } = await connect2(peer);
    const page = await connection.listSessions({ cwd: '/w', cursor: '', archived: 'include' });
    assert.deepEqual(last(peer), { cwd: '/w', cursor: '', archived: 'include' });
    assert.deepEqual(page, {
      sessions: [
        { sessionId: 'a', cwd: '/w', additionalDirectories: [] },
        { sessionId: 'b', cwd: '/w', title: 'B', additionalDirectories: ['/x'], archived: true },
      ],
      nextCursor: '',
    });
    peer.answer('session/list', () => ({ sessions: [], nextCursor: null }));
    assert.deepEqual(await connection.listSessions({}), { sessions: [] });
  });

  it('V2-FORK-1, V2-FORK-2, T-42: a fork, also at a message', async () => {
    const peer = ablePeer2().answer('session/fork', () => ({ sessionId: 'f', ...wireSetup }));
    const { connection } = await connect2(peer);
    assert.deepEqual(await connection.forkSession({ ...target, at: 'm1' }), {
      sessionId: 'f',
      ...setup,
    });
    const _meta = { jetbrains: { air: { fork: { version: 1, messageId: 'm1' } } } };
    assert.deepEqual(last(peer), { sessionId: 's1', cwd: '/w', mcpServers: [], _meta });
    peer.answer('session/fork', () => ({ sessionId: 's1' }));
    await rejectsWith(connection.forkSession(target), 'malformed');
  });

  it('V2-CLOSE-1, V2-DEL-1, V2-LIST-4: close, delete, archive and title', async () => {
    const peer = ablePeer2().answer('session/set_title', () => ({ title: 'Trimmed' }));
    for (const method of ['close', 'delete', 'archive', 'unarchive']) {
      peer.answer(`session/${method}`, () => ({}));
    }
    const { connection, log } = await connect2(peer);
    await connection.closeSession('s1');
    await connection.setArchived('s1', true);
    await connection.setArchived('s1', false);
    assert.equal(await connection.setTitle('s1', ' T '), 'Trimmed');
    await connection.deleteSession('s1');
    const gone = { code: -32002, message: 'no such session' };
    peer.fail('session/close', gone).fail('session/delete', gone);
    await connection.closeSession('s1');
    await connection.deleteSession('s1');
    assert.deepEqual(log.lines, []);
    assert.deepEqual(
      peer.methods().map((method) => String(method).replace('session/', '')),
      ['initialize', 'close', 'archive', 'unarchive', 'set_title', 'delete', 'close', 'delete'],
    );
  });

  it('V2-CONF-1, V2-CONF-3: options have a typed value, and modes are options', async () => {
    const peer = ablePeer2().answer('session/set_config_option', () => wireSetup);
    const { connection } = await connect2(peer);
    assert.deepEqual(await connection.setConfigOption('s1', 'mode', 'ask'), setup.configOptions);
    assert.deepEqual(last(peer), { sessionId: 's1', configId: 'mode', type: 'id', value: 'ask' });
    await connection.setConfigOption('s1', 'fast', true);
    assert.deepEqual(last(peer), {
      ...{ sessionId: 's1', configId: 'fast', type: 'boolean', value: true },
    });
    await rejectsWith(connection.setMode('s1', 'ask'), 'unsupported');
    await rejectsWith(connection.setModel('s1', 'a'), 'unsupported');
    peer.answer('session/set_config_option', () => ({}));
    await rejectsWith(connection.setConfigOption('s1', 'mode', 'ask'), 'malformed');
  });

  it('V2-INIT-8, V2-LIST-4, V2-FORK-1, V2-DEL-1, V2-AUTH-2: nothing is sent that isn’t offered', async () => {
    const peer = new Peer({ protocolVersion: 2, info: {}, capabilities: {} });
    const { connection } = await connect2(peer);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => connection.listSessions({}),
      () => connection.newSession(place),
      () => connection.loadSession(target),
      () => connection.resumeSession(target),
      () => connection.forkSession(target),
      () => connection.deleteSession('s1'),
      () => connection.setArchived('s1', true),
      () => connection.setTitle('s1', 'T'),
      () => connection.prompt('s1', [hello]),
      () => connection.steer('s1', [hello]),
      () => connection.authenticate('a'),
      () => connection.logout(),
    ];
    for (const call of calls) {
      await rejectsWith(call(), 'unsupported');
    }
    await connection.closeSession('s1');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('V2-AUTH-1, V2-AUTH-6: signing in with an advertised method, and out', async () => {
    const peer = ablePeer2()
      .answer('auth/login', () => ({}))
      .answer('auth/logout', () => ({}));
    const { connection } = await connect2(peer);
    await connection.authenticate('login');
    assert.deepEqual(last(peer), { methodId: 'login' });
    await rejectsWith(connection.authenticate('other'), 'unsupported');
    await connection.logout();
    assert.deepEqual(peer.methods(), ['initialize', 'auth/login', 'auth/logout']);
  });

  it('V2-INIT-10: content that isn’t offered is not sent', async () => {
    const peer = new Peer(initialize2());
    const { connection } = await connect2(peer);
    const image = { type: 'image', mimeType: 'image/png', data: '' } as const;
    await rejectsWith(connection.prompt('s1', [hello, image]), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize']);
  });
});

describe('MCP servers and folders, in version 2', () => {
  const servers: readonly GivenMcpServer[] = [
    { type: 'stdio', name: 'a', command: '/a', args: ['-x'], env: { A: '1' } },
    { type: 'http', name: 'b', url: 'https://b', headers: { H: '1' } },
    { type: 'sse', name: 'c', url: 'https://c', headers: {} },
    { type: 'acp', name: 'd', serverId: 'id' },
  ];

  async function sent(session: Raw): Promise<{ readonly params: Raw; readonly log: string }> {
    const peer = new Peer(initialize2(session)).answer('session/new', () => ({ sessionId: 'n' }));
    const { connection, log } = await connect2(peer);
    await connection.newSession({
      ...place,
      additionalDirectories: ['/x', 'y'],
      mcpServers: servers,
    });
    return { params: last(peer), log: log.lines.join('\n') };
  }

  it('V2-MCP-1: each has a type', async () => {
    const { params, log } = await sent({ mcp: { stdio: {}, http: {}, acp: {} } });
    assert.deepEqual(params['mcpServers'], [
      { type: 'stdio', name: 'a', command: '/a', args: ['-x'], env: [{ name: 'A', value: '1' }] },
      { type: 'http', name: 'b', url: 'https://b', headers: [{ name: 'H', value: '1' }] },
      { type: 'acp', name: 'd', serverId: 'id' },
    ]);
    assert.match(log, /"c" was left out: the agent does not connect over sse/);
  });

  it('V2-MCP-1: those that the agent can’t reach are left out and logged', async () => {
    const { params, log } = await sent({});
    assert.deepEqual(params, { cwd: '/w', mcpServers: [] });
    assert.match(log, /"a" was left out: the agent does not start servers/);
    assert.match(log, /"b" was left out/);
    assert.match(log, /"d" was left out: the agent does not connect over the protocol/);
  });

  it('V2-DIR-1: additional directories only where they are taken, and only absolute ones', async () => {
    const { params } = await sent({ additionalDirectories: {} });
    assert.deepEqual(params['additionalDirectories'], ['/x']);
  });
});
