import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { connect, isMethod, Peer, type Raw, rejectsWith, target } from '../peer';

const text = (value: string) => ({ type: 'text', text: value });
const chunk = (value: string) => ({ sessionUpdate: 'agent_message_chunk', content: text(value) });

describe('session/load', () => {
  const loads = (peer: Peer): Raw[] => peer.received.filter(isMethod('session/load'));

  it('LOAD-3, MCP-1: sends the id, the folder and the servers, nothing else', async () => {
    const peer = new Peer().answer('session/load', () => ({}));
    const { connection } = await connect(peer.client);
    await connection.loadSession({ ...target, additionalDirectories: ['/x'] });
    assert.deepEqual(loads(peer)[0]?.['params'], { sessionId: 's1', cwd: '/w', mcpServers: [] });
  });

  it('DIR-1 to DIR-4, DIR-6, LOAD-9: extra roots in full, absolute, once, when the agent takes them', async () => {
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
    const modes = { currentModeId: 'x', availableModes: [{ id: 'x', name: 'X' }] };
    for (const result of [null, {}, { modes }]) {
      const peer = new Peer().answer('session/load', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result });
        return undefined;
      });
      const { connection } = await connect(peer.client);
      const expected = { modes: { currentModeId: 'x', modes: [{ id: 'x', name: 'X' }] } };
      assert.deepEqual(await connection.loadSession(target), result?.modes ? expected : {});
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

  it('LOAD-5, T-9: updates after the answer arrive as well', async () => {
    const peer = new Peer().answer('session/load', () => ({}));
    const { connection, texts } = await connect(peer.client);
    await connection.loadSession(target);
    peer.update('s1', chunk('tail'));
    await until(() => texts().includes('tail'));
  });

  it('T-19: updates for sessions that weren’t requested carry their own id', async () => {
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

  it('LOAD-12, T-10: canceling rejects at once; the load has ended when the agent says so', async () => {
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
