import assert from 'node:assert/strict';
import type { AgentConnection } from '../../../../src/protocol/agentConnection';
import { ablePeer, connect, goodInitialize, Peer, type Raw, rejectsWith, target } from '../peer';

function last(peer: Peer): Raw {
  return peer.received.at(-1)?.['params'] as Raw;
}

describe('session/close', () => {
  it('CLOSE-3: sends the id', async () => {
    const peer = new Peer().answer('session/close', () => ({}));
    const { connection } = await connect(peer.client);
    await connection.closeSession('s1');
    assert.deepEqual(peer.received.at(-1)?.['params'], { sessionId: 's1' });
  });

  it('CLOSE-1, CLOSE-2: does nothing without the capability', async () => {
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

describe('delete, archive and rename', () => {
  const all: readonly [string, (peer: Peer) => Promise<unknown>][] = [
    ['session/delete', async (peer) => (await connect(peer.client)).connection.deleteSession('s1')],
    [
      'session/archive',
      async (peer) => (await connect(peer.client)).connection.setArchived('s1', true),
    ],
    [
      'session/unarchive',
      async (peer) => (await connect(peer.client)).connection.setArchived('s1', false),
    ],
    [
      'session/set_title',
      async (peer) => (await connect(peer.client)).connection.setTitle('s1', 'New'),
    ],
  ];

  for (const [method, call] of all) {
    it(`DEL-1, DEL-2, EX-6: ${method} goes only to an agent that offers it`, async () => {
      const able = ablePeer().answer(method, () => ({}));
      await call(able);
      const title = method === 'session/set_title' ? { title: 'New' } : {};
      assert.deepEqual(able.received.at(-1)?.['method'], method);
      assert.deepEqual(last(able), { sessionId: 's1', ...title });
      for (const value of [null, undefined]) {
        const sessionCapabilities = { delete: value, archive: value, title: value };
        const unable = new Peer(goodInitialize({ agentCapabilities: { sessionCapabilities } }));
        await rejectsWith(call(unable), 'unsupported');
        assert.deepEqual(unable.methods(), ['initialize']);
      }
    });

    it(`T-38: -32601 for ${method} takes the capability away`, async () => {
      const peer = ablePeer().fail(method, { code: -32601, message: 'no' });
      await rejectsWith(call(peer), 'unsupported');
    });
  }

  it('T-38: a refused request isn’t repeated', async () => {
    const peer = ablePeer();
    const { connection } = await connect(peer.client);
    peer.fail('session/delete', { code: -32601, message: 'no' });
    await rejectsWith(connection.deleteSession('s1'), 'unsupported');
    assert.equal(connection.capabilities.delete, false);
    assert.equal(connection.capabilities.archive, true);
    await rejectsWith(connection.deleteSession('s1'), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize', 'session/delete']);
  });

  it('DEL-4: a session that isn’t there counts as deleted, however the agent says it', async () => {
    const peer = ablePeer();
    const { connection } = await connect(peer.client);
    for (const code of [-32002, -32602, -32603]) {
      peer.fail('session/delete', { code, message: 'Session not found' });
      await connection.deleteSession('s1');
    }
  });

  it('DEL-3: any other refusal is one', async () => {
    const peer = ablePeer().fail('session/delete', { code: -32603, message: 'disk full' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.deleteSession('s1'), 'rpc');
  });

  it('the title is what the agent made of it', async () => {
    const peer = ablePeer().answer('session/set_title', () => ({ title: 'Shorter' }));
    const { connection } = await connect(peer.client);
    assert.equal(await connection.setTitle('s1', 'Much longer'), 'Shorter');
    peer.answer('session/set_title', () => ({}));
    assert.equal(await connection.setTitle('s1', 'Much longer'), 'Much longer');
    peer.fail('session/set_title', { code: -32602, message: 'empty' });
    await rejectsWith(connection.setTitle('s1', ''), 'invalidParams');
  });
});

describe('capabilities in every combination', () => {
  const calls: Readonly<Record<string, (connection: AgentConnection) => Promise<unknown>>> = {
    list: (connection) => connection.listSessions({}),
    load: (connection) => connection.loadSession(target),
    resume: (connection) => connection.resumeSession(target),
    close: (connection) => connection.closeSession('s1'),
    delete: (connection) => connection.deleteSession('s1'),
  };
  const names = Object.keys(calls);

  it('INIT-8, LOAD-1, RES-1, CLOSE-1, DEL-1: only what the agent offers is sent to it', async () => {
    for (let bits = 0; bits < 2 ** names.length; bits++) {
      const offered = names.filter((_, index) => bits & (1 << index));
      const agentCapabilities = {
        loadSession: offered.includes('load'),
        sessionCapabilities: Object.fromEntries(offered.map((name) => [name, {}])),
      };
      const peer = new Peer(goodInitialize({ agentCapabilities }));
      for (const name of names) {
        peer.answer(`session/${name}`, () => ({}));
      }
      const { connection } = await connect(peer.client);
      await Promise.allSettled(Object.values(calls).map((call) => call(connection)));
      const expected = ['initialize', ...offered.map((name) => `session/${name}`)];
      assert.deepEqual(peer.methods(), expected);
    }
  });
});
