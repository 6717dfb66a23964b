import assert from 'node:assert/strict';
import { AcpError } from '../../../src/protocol/errors';
import { connect, goodInitialize, Peer, type Raw, target } from './peer';
import { until } from './temporary';

const text = (value: string) => ({ type: 'text', text: value });
const chunk = (value: string) => ({ sessionUpdate: 'agent_message_chunk', content: text(value) });

function rejectsWith(promise: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(promise, (error) => error instanceof AcpError && error.code === code);
}

const isMethod =
  (method: string) =>
  (message: Raw): boolean =>
    message['method'] === method;

describe('connecting', () => {
  it('INIT-1 to INIT-5, INIT-11 to INIT-13: initialize comes first, once, and says exactly what is handled', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection } = await connect(peer.client);
    await connection.listSessions({});
    await connection.listSessions({});
    assert.deepEqual(peer.methods(), ['initialize', 'session/list', 'session/list']);
    assert.deepEqual(peer.received[0]?.['params'], {
      protocolVersion: 1,
      clientCapabilities: { session: { notices: {}, compaction: {} } },
      clientInfo: { name: 'acp-sessions', title: 'ACP Sessions', version: '1.2.3' },
    });
  });

  it('INIT-14: who it is', async () => {
    const agentInfo = { name: 'a', title: 'Agent A', version: '2' };
    const { connection } = await connect(new Peer(goodInitialize({ agentInfo })).client);
    assert.deepEqual(connection.info, { title: 'Agent A', version: '2' });
  });

  for (const protocolVersion of [2, 0, '1', undefined]) {
    it(`INIT-7, T-36: version ${JSON.stringify(protocolVersion)} ends the connection, nothing else is sent`, async () => {
      const peer = new Peer(goodInitialize({ protocolVersion }));
      let ended = false;
      peer.own.onEnd(() => (ended = true));
      await rejectsWith(connect(peer.client), 'version');
      await until(() => ended);
      assert.deepEqual(peer.methods(), ['initialize']);
    });
  }

  it('T-33: an agent that never answers initialize is given up after the time limit', async () => {
    const peer = new Peer(undefined).answer('initialize', () => undefined);
    let ended = false;
    peer.own.onEnd(() => (ended = true));
    await rejectsWith(connect(peer.client, { initializeTimeoutMs: 20 }), 'timeout');
    await until(() => ended);
  });

  it('T-33: connecting can be given up', async () => {
    const peer = new Peer(undefined).answer('initialize', () => undefined);
    const giveUp = new AbortController();
    const connecting = connect(peer.client, { signal: giveUp.signal });
    await peer.message(isMethod('initialize'));
    giveUp.abort();
    await rejectsWith(connecting, 'cancelled');
  });

  it('an agent that only echoes is not an agent', async () => {
    const peer = new Peer(undefined);
    peer.own.onData(
      (bytes) => void peer.own.write(Buffer.from(bytes).toString()).catch(() => undefined),
    );
    peer.answer('initialize', () => undefined);
    await rejectsWith(connect(peer.client), 'malformed');
  });

  it('AUTH-13: a refusal of initialize keeps its code', async () => {
    const peer = new Peer(undefined).fail('initialize', { code: -32000, message: 'log in' });
    await rejectsWith(connect(peer.client), 'authRequired');
  });

  it('an agent that ends instead of answering', async () => {
    const peer = new Peer(undefined).answer('initialize', () => void peer.own.close());
    await rejectsWith(connect(peer.client), 'exited');
  });
});

describe('session/list', () => {
  it('LIST-4, LIST-5, LIST-6, LIST-17: sends what was asked, cursors byte for byte', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection } = await connect(peer.client);
    const cursor = '"=/+é \u0000';
    await connection.listSessions({});
    await connection.listSessions({ cwd: '/w', cursor });
    const sent = peer.received.filter(isMethod('session/list')).map((message) => message['params']);
    assert.deepEqual(sent, [{}, { cwd: '/w', cursor }]);
  });

  it('LIST-19: bad input is left out and mentioned', async () => {
    const rows = [null, { sessionId: 'a', cwd: '/w' }];
    const peer = new Peer().answer('session/list', () => ({ sessions: rows, nextCursor: 7 }));
    const { connection, log } = await connect(peer.client);
    assert.deepEqual(await connection.listSessions({ cwd: '/w' }), {
      sessions: [{ sessionId: 'a', cwd: '/w', additionalDirectories: [] }],
    });
    assert.match(log.lines.join(), /1 entries/);
  });

  it('LIST-3: without the capability nothing is sent', async () => {
    const peer = new Peer({ protocolVersion: 1 });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('T-38: -32601 takes the capability away', async () => {
    const peer = new Peer().fail('session/list', { code: -32601, message: 'no' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.equal(connection.capabilities.list, false);
    assert.equal(connection.capabilities.load, true);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize', 'session/list']);
  });

  it('LIST-10: a refused cursor is invalidParams', async () => {
    const peer = new Peer().fail('session/list', { code: -32602, message: 'bad cursor' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({ cursor: 'x' }), 'invalidParams');
  });

  it('has a time limit, after which it is cancelled', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client, { requestTimeoutMs: 20 });
    await rejectsWith(connection.listSessions({}), 'timeout');
    const cancel = await peer.message(isMethod('$/cancel_request'));
    const request = peer.received.find(isMethod('session/list'));
    assert.deepEqual(cancel['params'], { requestId: request?.['id'] });
  });

  it('CA-6, SDK-12: aborting cancels and rejects at once; the late answer does no harm', async () => {
    const peer = new Peer();
    const { connection, log } = await connect(peer.client);
    const abort = new AbortController();
    const listing = connection.listSessions({}, abort.signal);
    const request = await peer.message(isMethod('session/list'));
    abort.abort();
    await rejectsWith(listing, 'cancelled');
    await peer.message(isMethod('$/cancel_request'));
    peer.send({ jsonrpc: '2.0', id: request['id'], result: { sessions: [] } });
    peer.answer('session/list', () => ({ sessions: [] }));
    await connection.listSessions({});
    assert.deepEqual(log.lines, []);
  });

  it('SDK-12: a signal that is aborted already sends nothing', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}, AbortSignal.abort()), 'cancelled');
    assert.deepEqual(peer.methods(), ['initialize']);
  });
});

describe('session/load', () => {
  const loads = (peer: Peer): Raw[] => peer.received.filter(isMethod('session/load'));

  it('LOAD-3, MCP-1: sends the id, the folder and the servers, nothing else', async () => {
    const peer = new Peer().answer('session/load', () => ({}));
    const { connection } = await connect(peer.client);
    await connection.loadSession({ ...target, additionalDirectories: ['/x'] });
    assert.deepEqual(loads(peer)[0]?.['params'], { sessionId: 's1', cwd: '/w', mcpServers: [] });
  });

  it('DIR-1 to DIR-4: extra roots in full, absolute, once, when the agent takes them', async () => {
    const sessionCapabilities = { additionalDirectories: {} };
    const peer = new Peer({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities },
    });
    peer.answer('session/load', () => null);
    const { connection } = await connect(peer.client);
    const additionalDirectories = ['/b', '/w', '/a', '/b', 'relative', '', 'C:\\c'];
    await connection.loadSession({ ...target, additionalDirectories });
    await connection.loadSession(target);
    assert.deepEqual(
      loads(peer).map((load) => (load['params'] as Raw)['additionalDirectories']),
      [['/b', '/a', 'C:\\c'], undefined],
    );
  });

  it('TR-11: a folder that is not absolute is never sent', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.loadSession({ ...target, cwd: 'relative' }), 'invalidParams');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('LOAD-2: without the capability nothing is sent', async () => {
    const peer = new Peer({ protocolVersion: 1 });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.loadSession(target), 'unsupported');
    await connection.whenLoadsEnded('s1');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('LOAD-6: null and objects are both a success', async () => {
    for (const result of [null, {}, { modes: { currentModeId: 'x' } }]) {
      const peer = new Peer().answer('session/load', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result });
        return undefined;
      });
      const { connection } = await connect(peer.client);
      await connection.loadSession(target);
    }
  });

  it('LOAD-4, SDK-11: all updates before the answer are there when it settles, in order', async () => {
    const peer = new Peer();
    peer.answer('session/load', (message) => {
      const lines = Array.from({ length: 200 }, (_, i) => ({
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 's1', update: chunk(String(i)) },
      }));
      const all = [...lines, { jsonrpc: '2.0', id: message['id'], result: {} }];
      peer.sendText(all.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return undefined;
    });
    const { connection, texts } = await connect(peer.client);
    await connection.loadSession(target);
    assert.deepEqual(
      texts(),
      Array.from({ length: 200 }, (_, i) => String(i)),
    );
  });

  it('T-9: updates after the answer arrive as well', async () => {
    const peer = new Peer().answer('session/load', () => ({}));
    const { connection, texts } = await connect(peer.client);
    await connection.loadSession(target);
    peer.update('s1', chunk('tail'));
    await until(() => texts().includes('tail'));
  });

  it('T-19: updates for sessions that nobody asked for carry their own id', async () => {
    const peer = new Peer();
    const { updates } = await connect(peer.client);
    peer.update('foreign', chunk('x'));
    await until(() => updates.length > 0);
    assert.equal(updates[0]?.sessionId, 'foreign');
  });

  it('LOAD-11: each refusal has its code', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    for (const [code, expected] of [
      [-32002, 'gone'],
      [-32000, 'authRequired'],
      [-32603, 'rpc'],
    ] as const) {
      peer.fail('session/load', { code, message: 'm' });
      await rejectsWith(connection.loadSession(target), expected);
    }
  });

  it('ER-5: a missing session is gone, however it is said', async () => {
    const peer = new Peer().fail('session/load', {
      code: -32602,
      message: 'Invalid params',
      data: 'Unknown sessionId: s1',
    });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.loadSession(target), 'gone');
  });

  it('T-13, T-38: -32601 despite the capability', async () => {
    const peer = new Peer().fail('session/load', { code: -32601, message: 'no' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.loadSession(target), 'unsupported');
    assert.equal(connection.capabilities.load, false);
  });

  it('LOAD-12, T-10: cancelling rejects at once; the load has ended when the agent says so', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const abort = new AbortController();
    const loading = connection.loadSession(target, abort.signal);
    const request = await peer.message(isMethod('session/load'));
    abort.abort();
    await rejectsWith(loading, 'cancelled');
    const cancel = await peer.message(isMethod('$/cancel_request'));
    assert.deepEqual(cancel['params'], { requestId: request['id'] });

    let ended = false;
    const whenEnded = connection.whenLoadsEnded('s1').then(() => (ended = true));
    await connection.whenLoadsEnded('other');
    assert.equal(ended, false);
    peer.send({ jsonrpc: '2.0', id: request['id'], error: { code: -32800, message: 'cancelled' } });
    await whenEnded;
  });

  it('T-10: two loads of two sessions at once each get their own answer', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const first = connection.loadSession({ ...target, sessionId: 'a' });
    const second = connection.loadSession({ ...target, sessionId: 'b' });
    await until(() => loads(peer).length === 2);
    const [one, two] = loads(peer);
    peer.send({ jsonrpc: '2.0', id: two?.['id'], result: {} });
    await second;
    peer.send({ jsonrpc: '2.0', id: one?.['id'], error: { code: -32002, message: 'gone' } });
    await rejectsWith(first, 'gone');
  });
});

describe('session/close', () => {
  it('CLOSE-3: sends the id', async () => {
    const peer = new Peer().answer('session/close', () => ({}));
    const { connection } = await connect(peer.client);
    await connection.closeSession('s1');
    assert.deepEqual(peer.received.at(-1)?.['params'], { sessionId: 's1' });
  });

  it('CLOSE-2: does nothing without the capability', async () => {
    const peer = new Peer({ protocolVersion: 1 });
    const { connection } = await connect(peer.client);
    await connection.closeSession('s1');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('CLOSE-5: an error counts as closed; one that says more than gone is logged', async () => {
    const peer = new Peer().fail('session/close', { code: -32002, message: 'not found' });
    const { connection, log } = await connect(peer.client);
    await connection.closeSession('s1');
    assert.deepEqual(log.lines, []);
    peer.fail('session/close', { code: -32603, message: 'disk full' });
    await connection.closeSession('s1');
    assert.match(log.lines.join(), /disk full/);
  });
});
