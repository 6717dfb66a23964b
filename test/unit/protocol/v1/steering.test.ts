import assert from 'node:assert/strict';
import type { Block } from '../../../../src/shared/transcript/content';
import { connect, goodInitialize, Peer, rejectsWith } from '../peer';

const hello: Block = { type: 'text', text: 'other way' };

/** An agent that advertises steering as Claude and Codex do. */
function steeredPeer(): Peer {
  return new Peer(goodInitialize({ _meta: { steering: { supported: true } } }));
}

describe('_session/steering', () => {
  for (const outcome of ['injected', 'startedNewTurn', 'promptRequired', 'failed']) {
    it(`T-39: ${outcome} is told as it is`, async () => {
      const peer = steeredPeer().answer('_session/steering', () => ({ outcome, reason: 'x' }));
      const { connection } = await connect(peer.client);
      assert.equal(await connection.steer('s1', [hello]), outcome);
      assert.deepEqual(peer.received.at(-1)?.['params'], {
        sessionId: 's1',
        prompt: [hello],
        _meta: { steering: { idleBehavior: 'promptRequired' } },
      });
    });
  }

  for (const result of [null, {}, { outcome: 'banana' }, { outcome: ['injected'] }, 'injected']) {
    it(`T-39: an answer of ${JSON.stringify(result)} says nothing`, async () => {
      const peer = steeredPeer().answer('_session/steering', (message) => {
        peer.send({ jsonrpc: '2.0', id: message['id'], result });
        return undefined;
      });
      const { connection } = await connect(peer.client);
      await rejectsWith(connection.steer('s1', [hello]), 'malformed');
    });
  }

  for (const _meta of [
    undefined,
    null,
    {},
    { steering: true },
    { steering: { supported: 'yes' } },
  ]) {
    it(`T-39: nothing is sent to an agent that advertises ${JSON.stringify(_meta)}`, async () => {
      const peer = new Peer(goodInitialize({ _meta }));
      const { connection } = await connect(peer.client);
      assert.equal(connection.capabilities.steering, false);
      await rejectsWith(connection.steer('s1', [hello]), 'unsupported');
      assert.deepEqual(peer.methods(), ['initialize']);
    });
  }

  it('T-39, T-38: an agent that has advertised it and doesn’t know it isn’t asked again', async () => {
    const peer = steeredPeer().fail('_session/steering', { code: -32601, message: 'no' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.steer('s1', [hello]), 'unsupported');
    assert.equal(connection.capabilities.steering, false);
  });

  it('T-39: an agent that never answers ends in a time limit', async () => {
    const peer = steeredPeer();
    const { connection } = await connect(peer.client, { requestTimeoutMs: 1 });
    await rejectsWith(connection.steer('s1', [hello]), 'timeout');
  });
});
