import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { rejectsWith } from '../peer';
import { ablePeer2, connect2, handled, hello, Reports } from './peer2';
import { after, type Prompted, type Stage, stage } from './turnStage';

describe('a prompt for work that goes on, in version 2', () => {
  async function working(): Promise<Stage & { readonly turn: Prompted }> {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.user('u1');
    agent.running();
    await agent.accept({ messageId: 'u1' });
    await handled(seen, seen.peer);
    return { ...seen, turn };
  }

  it('V2-TURN-16, T-39: inserted while it goes on, it is part of it', async () => {
    const seen = await working();
    const { agent } = seen;
    const steered = await seen.steer();
    agent.user('u2');
    await agent.accept({ messageId: 'u2' }, 1);
    assert.equal(await steered.outcome, 'injected');
    assert.equal(await after(seen, seen.turn), undefined);
    agent.idle('end_turn');
    assert.equal(await seen.turn.outcome, 'end_turn');
    assert.deepEqual(seen.peer.received.at(-1)?.['method'], 'session/list');
  });

  it('V2-TURN-16: so it is if the answer comes late', async () => {
    const seen = await working();
    const { agent } = seen;
    const steered = await seen.steer();
    agent.user('u2');
    agent.idle('end_turn');
    await agent.accept({ messageId: 'u2' }, 1);
    assert.equal(await steered.outcome, 'injected');
  });

  for (const echoes of [true, false]) {
    it(`V2-TURN-16: inserted after the end, it begins other work (${echoes ? 'sent back' : 'not sent back'})`, async () => {
      const seen = await working();
      const { agent } = seen;
      const steered = await seen.steer();
      agent.idle('end_turn');
      assert.equal(await seen.turn.outcome, 'end_turn');
      if (echoes) {
        agent.user('u2');
      }
      agent.running();
      await agent.accept({ messageId: 'u2' }, 1);
      assert.equal(await steered.outcome, 'startedNewTurn');
    });
  }

  it('V2-TURN-6: an error refuses it and nothing else', async () => {
    const seen = await working();
    const { agent } = seen;
    const steered = await seen.steer();
    await agent.refuse({ code: -32603, message: 'busy' }, 1);
    await rejectsWith(steered.outcome, 'rpc');
    assert.equal(await after(seen, seen.turn), undefined);
  });

  it('T-39: without work, nothing is sent', async () => {
    const seen = await stage();
    assert.equal(await seen.connection.steer('s1', [hello]), 'promptRequired');
    seen.agent.idle('end_turn');
    await handled(seen, seen.peer);
    assert.equal(await seen.connection.steer('s1', [hello]), 'promptRequired');
    assert.ok(!seen.peer.methods().includes('session/prompt'));
  });

  it('V2-TURN-16: it waits without a time limit', async () => {
    const peer = ablePeer2();
    const agent = new Reports(peer);
    const seen = await connect2(peer, { requestTimeoutMs: 20, setupTimeoutMs: 20 });
    const turn = seen.connection.prompt('s1', [hello]);
    agent.running();
    await agent.prompted();
    let steered: string | undefined;
    void seen.connection.steer('s1', [hello]).then((outcome) => (steered = outcome));
    await agent.prompted(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(steered, undefined);
    agent.user('u2');
    await agent.accept({ messageId: 'u2' }, 1);
    await until(() => steered === 'injected');
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    agent.idle('end_turn');
    assert.equal(await turn, 'end_turn');
  });
});
