import assert from 'node:assert/strict';
import { answered } from '../../../../src/model/failures/agentWords';
import type { AcpError } from '../../../../src/protocol/errors';
import { rejectsWith } from '../peer';
import { handled, hello, Reports } from './peer2';
import { after, stage } from './turnStage';

describe('a turn of version 2', () => {
  it('V2-TURN-1, V2-TURN-3: the answer begins it, the idle that follows ends it with its reason', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    await agent.accept({ messageId: 'u1' });
    agent.user('u1');
    agent.running();
    assert.equal(await after(seen, turn), undefined);
    agent.idle('end_turn');
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('V2-TURN-1: the id in the answer is told, of a prompt that is sent into the turn as well', async () => {
    const seen = await stage();
    const told: string[] = [];
    const inserted = (messageId: string): void => void told.push(messageId);
    const turn = seen.connection.prompt('s1', [hello], inserted);
    await seen.agent.prompted(0);
    await seen.agent.accept({ messageId: 'u1' });
    seen.agent.running();
    await handled(seen, seen.peer);
    const steered = seen.connection.steer('s1', [hello], inserted);
    await seen.agent.prompted(1);
    await seen.agent.accept({ messageId: 'u2' }, 1);
    assert.equal(await steered, 'injected');
    seen.agent.idle('end_turn');
    await turn;
    assert.deepEqual(told, ['u1', 'u2']);
  });

  for (const echo of ['user', 'chunk'] as const) {
    it(`V2-TURN-7: all of it may come before the answer (${echo})`, async () => {
      const seen = await stage();
      const { agent } = seen;
      const turn = await seen.prompt();
      agent[echo]('u1');
      agent.running();
      agent.idle('max_tokens');
      assert.equal(await after(seen, turn), undefined);
      await agent.accept({ messageId: 'u1' });
      assert.equal(await turn.outcome, 'max_tokens');
    });
  }

  it('US-5, V2-TURN-2: the tokens in the idle that ends it are told, once', async () => {
    const seen = await stage();
    const told: unknown[] = [];
    const turn = seen.connection.prompt('s1', [hello], undefined, (usage) => told.push(usage));
    await seen.agent.prompted(0);
    await seen.agent.accept({ messageId: 'u1' });
    seen.agent.user('u1');
    seen.agent.running();
    const usage = { totalTokens: 7, inputTokens: 3, outputTokens: 4 };
    seen.agent.idle('end_turn', { usage });
    seen.agent.idle('end_turn', { usage });
    assert.equal(await turn, 'end_turn');
    await handled(seen, seen.peer);
    assert.deepEqual(told, [{ total: 7, input: 3, output: 4 }]);
  });

  it('V2-TURN-8: running before the message doesn’t acknowledge it', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.running();
    agent.user('u1');
    agent.idle('end_turn');
    await agent.accept({ messageId: 'u1' });
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('V2-TURN-3: the idle of earlier work, before the message is inserted, is not its end', async () => {
    const seen = await stage();
    const { agent } = seen;
    agent.running();
    await handled(seen, seen.peer);
    const turn = await seen.prompt();
    agent.idle('end_turn');
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    assert.equal(await after(seen, turn), undefined);
    agent.running();
    agent.idle('refusal');
    assert.equal(await turn.outcome, 'refusal');
  });

  it('V2-TURN-3: neither is it if the agent never sends the message back', async () => {
    const seen = await stage();
    const { agent } = seen;
    agent.running();
    await handled(seen, seen.peer);
    const turn = await seen.prompt();
    agent.idle('end_turn');
    await agent.accept({ messageId: 'u1' });
    assert.equal(await after(seen, turn), undefined);
    agent.running();
    agent.idle('refusal');
    assert.equal(await turn.outcome, 'refusal');
  });

  it('V2-TURN-16: a prompt that is inserted into the agent’s own work ends with that', async () => {
    const seen = await stage();
    const { agent } = seen;
    agent.running();
    await handled(seen, seen.peer);
    const turn = await seen.prompt();
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    await handled(seen, seen.peer);
    agent.idle();
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('V2-TURN-2, V2-RES-4: an idle that only says again how earlier work ended is no end', async () => {
    const seen = await stage();
    const { agent } = seen;
    const first = await seen.prompt();
    agent.user('u1');
    agent.running();
    agent.idle('end_turn');
    await agent.accept({ messageId: 'u1' });
    assert.equal(await first.outcome, 'end_turn');
    const second = await seen.prompt();
    agent.idle('end_turn');
    agent.user('u2');
    agent.idle('end_turn', { background: [{ type: 'terminal', terminalId: 't' }] });
    await agent.accept({ messageId: 'u2' }, 1);
    agent.idle('end_turn');
    assert.equal(await after(seen, second), undefined);
    agent.running();
    agent.idle('max_tokens');
    assert.equal(await second.outcome, 'max_tokens');
  });

  it('V2-TURN-3: an agent that never says that it works', async () => {
    const seen = await stage();
    const { agent } = seen;
    for (const number of [0, 1]) {
      const turn = await seen.prompt();
      agent.user(`u${number}`);
      await agent.accept({ messageId: `u${number}` }, number);
      await handled(seen, seen.peer);
      // An idle without a reason may be about background work.
      agent.state('idle', { background: [] });
      assert.equal(await after(seen, turn), undefined);
      agent.idle('end_turn');
      assert.equal(await turn.outcome, 'end_turn');
    }
  });

  it('V2-TURN-3: such an agent’s second end, which looks like the first one, counts after a second', async () => {
    const seen = await stage();
    const { agent } = seen;
    for (const number of [0, 1]) {
      const turn = await seen.prompt();
      agent.user(`u${number}`);
      await agent.accept({ messageId: `u${number}` }, number);
      await handled(seen, seen.peer);
      agent.idle('end_turn');
      assert.equal(await after(seen, turn), number === 0 ? 'end_turn' : undefined);
      assert.equal(await turn.outcome, 'end_turn');
    }
  });

  it('V2-TURN-7: an agent that never sends the message back, and answers last', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.running();
    agent.idle('end_turn');
    await agent.accept({ messageId: 'u1' });
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('V2-TURN-18: an agent that never says idle leaves it pending', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.user('u1');
    agent.running();
    await agent.accept({ messageId: 'u1' });
    assert.equal(await after(seen, turn), undefined);
    await seen.connection.close();
    await rejectsWith(turn.outcome, 'cancelled');
  });

  for (const state of ['requires_action', 'unknown', '_acme_sleeping', 'dreaming']) {
    it(`V2-TURN-9, V2-TURN-10: ${state} is work`, async () => {
      const seen = await stage();
      const { agent } = seen;
      const turn = await seen.prompt();
      agent.user('u1');
      await agent.accept({ messageId: 'u1' });
      agent.state(state);
      assert.equal(await after(seen, turn), undefined);
      agent.idle();
      assert.equal(await turn.outcome, 'end_turn');
    });
  }

  for (const [stopReason, expected] of [
    ['refusal', 'refusal'],
    ['_acme_tired', '_acme_tired'],
    [undefined, 'end_turn'],
    [null, 'end_turn'],
    [7, 'end_turn'],
  ] as const) {
    it(`V2-TURN-4: the reason ${String(stopReason)} is ${expected}`, async () => {
      const seen = await stage();
      const { agent } = seen;
      const turn = await seen.prompt();
      agent.user('u1');
      await agent.accept({ messageId: 'u1' });
      agent.running();
      agent.state('idle', { stopReason });
      assert.equal(await turn.outcome, expected);
    });
  }

  it('V2-TURN-5: an error ends it as failed, with its message', async () => {
    const seen = await stage();
    const { agent } = seen;
    for (const [number, error, code, message] of [
      [0, { code: -32603, message: 'no credit' }, 'rpc', 'no credit'],
      [1, { code: -32000, message: 'log in' }, 'authRequired', 'log in'],
      [2, { code: -32601, message: 'what?' }, 'rpc', 'what?'],
      [3, null, 'rpc', 'The agent’s work failed'],
    ] as const) {
      const turn = await seen.prompt();
      agent.user(`u${number}`);
      await agent.accept({ messageId: `u${number}` }, number);
      agent.running();
      agent.idle('error', { error });
      await assert.rejects(turn.outcome, (failure: AcpError) => {
        assert.deepEqual([failure.code, failure.message], [code, message]);
        assert.equal(failure.facts.rpcCode, error?.code);
        return true;
      });
    }
  });

  it('V2-TURN-5: without a code, the words are the agent’s all the same', async () => {
    const seen = await stage();
    const { agent } = seen;
    for (const [number, error, words] of [
      [0, { message: 'no credit' }, 'no credit'],
      [1, { code: 'E1', message: 'no credit' }, 'no credit'],
      [2, {}, ''],
      [3, null, ''],
    ] as const) {
      const turn = await seen.prompt();
      agent.user(`u${number}`);
      await agent.accept({ messageId: `u${number}` }, number);
      agent.running();
      agent.idle('error', { error });
      await assert.rejects(turn.outcome, (failure: AcpError) => {
        assert.equal(failure.code, 'rpc');
        assert.equal(answered(failure), words);
        return true;
      });
    }
  });

  it('V2-TURN-6: an error in answer to the prompt is its end, whatever work goes on', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.running();
    await agent.refuse({ code: -32602, message: 'no such model' });
    await rejectsWith(turn.outcome, 'invalidParams');
    const next = await seen.prompt();
    agent.user('u2');
    await agent.accept({ messageId: 'u2' }, 1);
    agent.idle('end_turn');
    assert.equal(await next.outcome, 'end_turn');
  });

  it('T-48, V2-TURN-1: an answer as in version 1 ends the turn', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    await agent.accept({ stopReason: 'end_turn' });
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('T-51: an answer with both ends it only if the agent reports no work', async () => {
    const seen = await stage();
    const { agent } = seen;
    const first = await seen.prompt();
    await agent.accept({ messageId: 'u1', stopReason: 'end_turn' });
    assert.equal(await first.outcome, 'end_turn');
    const second = await seen.prompt();
    agent.running();
    await agent.accept({ messageId: 'u2', stopReason: 'end_turn' }, 1);
    assert.equal(await after(seen, second), undefined);
    agent.idle('refusal');
    assert.equal(await second.outcome, 'refusal');
  });

  it('T-51: an answer without anything says that the prompt was inserted', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    await agent.accept({});
    agent.running();
    assert.equal(await after(seen, turn), undefined);
    agent.idle('end_turn');
    assert.equal(await turn.outcome, 'end_turn');
  });

  it('V2-TURN-11: work of other sessions, and of other messages, ends nothing', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.user('other');
    agent.running();
    agent.idle('end_turn');
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    new Reports(seen.peer, 's2').running();
    new Reports(seen.peer, 's2').idle('end_turn');
    assert.equal(await after(seen, turn), undefined);
    agent.running();
    agent.idle('max_tokens');
    assert.equal(await turn.outcome, 'max_tokens');
  });

  it('SDK-11: what precedes the end is delivered before the turn ends', async () => {
    const seen = await stage();
    const { agent } = seen;
    const turn = await seen.prompt();
    agent.user('u1');
    await agent.accept({ messageId: 'u1' });
    agent.running();
    agent.idle('end_turn');
    await turn.outcome;
    assert.deepEqual(
      seen.updates.map(({ update }) => update.sessionUpdate),
      ['user_message', 'state_update', 'state_update'],
    );
  });

  it('V2-TURN-17: a prompt without content is never sent', async () => {
    const seen = await stage();
    await rejectsWith(seen.connection.prompt('s1', []), 'invalidParams');
    assert.deepEqual(seen.peer.methods(), ['initialize']);
  });
});
