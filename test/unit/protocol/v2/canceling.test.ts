import assert from 'node:assert/strict';
import { isMethod, type Peer, rejectsWith } from '../peer';
import { handled } from './peer2';
import { after, stage } from './turnStage';

describe('canceling work of version 2', () => {
  const cancels = (peer: Peer): number => peer.received.filter(isMethod('session/cancel')).length;

  it('V2-TURN-15: before the prompt is inserted', async () => {
    const seen = await stage();
    const { agent, peer } = seen;
    const turn = await seen.prompt();
    seen.connection.cancel('s1');
    await peer.message(isMethod('session/cancel'));
    await agent.refuse({ code: -32800, message: 'canceled' });
    assert.equal(await turn.outcome, 'cancelled');
  });

  for (const state of ['running', 'requires_action']) {
    it(`V2-TURN-14: while it is ${state}`, async () => {
      const seen = await stage();
      const { agent, peer } = seen;
      const turn = await seen.prompt();
      agent.user('u1');
      await agent.accept({ messageId: 'u1' });
      agent.state(state);
      await handled(seen, peer);
      seen.connection.cancel('s1');
      await peer.message(isMethod('session/cancel'));
      assert.equal(await after(seen, turn), undefined);
      agent.idle('cancelled');
      assert.equal(await turn.outcome, 'cancelled');
    });
  }

  it('V2-TURN-14: an idle without a reason is then the cancellation', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.running();
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    seen.connection.cancel('s1');
    agent.idle();
    assert.equal(await turn.outcome, 'cancelled');
  });

  it('V2-TURN-14: while idle there is nothing to cancel; background work goes on', async () => {
    const seen = await stage();
    const { agent, peer } = seen;
    agent.running();
    agent.idle('end_turn', { background: [{ type: 'terminal', terminalId: 't' }] });
    await handled(seen, peer);
    seen.connection.cancel('s1');
    await handled(seen, peer);
    assert.equal(cancels(peer), 0);
    agent.running();
    await handled(seen, peer);
    seen.connection.cancel('s1');
    seen.connection.cancel('subagent');
    await handled(seen, peer);
    assert.equal(cancels(peer), 2);
  });

  it('V2-CLOSE-2, V2-CLOSE-1: closing or deleting the session ends what waits for it', async () => {
    for (const way of ['closeSession', 'deleteSession'] as const) {
      const seen = await stage();
      const { agent, peer } = seen;
      const error = { code: -32002, message: 'no such session' };
      peer.fail('session/close', error).fail('session/delete', error);
      const turn = await seen.prompt();
      agent.running();
      agent.user('u1');
      await agent.accept({ messageId: 'u1' });
      await handled(seen, peer);
      const steered = await seen.steer();
      await seen.connection[way]('s1');
      assert.equal(await turn.outcome, 'cancelled');
      await rejectsWith(steered.outcome, 'cancelled');
      assert.deepEqual(seen.log.lines, []);
    }
  });

  it('V2-CLOSE-3: after the answer nothing is waited for, and what comes still disturbs nothing', async () => {
    const seen = await stage();
    const { agent, peer } = seen;
    peer.answer('session/close', () => ({})).answer('session/resume', () => ({}));
    const turn = await seen.prompt();
    agent.running();
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    await handled(seen, peer);
    await seen.connection.closeSession('s1');
    assert.equal(await turn.outcome, 'cancelled');
    agent.chunk('u1');
    agent.idle('end_turn');
    await handled(seen, peer);
    assert.deepEqual(seen.log.lines, []);
    await seen.connection.resumeSession({
      ...{ sessionId: 's1', cwd: '/w' },
      ...{ additionalDirectories: [], mcpServers: [] },
    });
    const next = await seen.prompt();
    agent.user('u2');
    await agent.accept({ messageId: 'u2' }, 1);
    agent.running();
    assert.equal(await after(seen, next), undefined);
    agent.idle('end_turn');
    assert.equal(await next.outcome, 'end_turn');
  });

  it('SDK-13: the end of the agent ends what waits, accepted or not', async () => {
    const seen = await stage();
    const { agent, peer } = seen;
    const accepted = await seen.prompt();
    agent.running();
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    await handled(seen, peer);
    const sent = await seen.prompt();
    const steered = await seen.steer();
    await peer.own.close();
    for (const each of [accepted, sent, steered]) {
      await rejectsWith(each.outcome, 'exited');
    }
  });

  it('SDK-13: so does the end of the connection from this side', async () => {
    for (const end of ['close', 'dispose'] as const) {
      const seen = await stage();
      const { agent } = seen;
      const turn = await seen.prompt();
      await agent.accept({ messageId: 'u1' });
      await handled(seen, seen.peer);
      await seen.connection[end]();
      await rejectsWith(turn.outcome, 'cancelled');
    }
  });
});
