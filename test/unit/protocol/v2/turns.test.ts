import assert from 'node:assert/strict';
import { answered } from '../../../../src/model/failures/agentWords';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { isMethod, type Peer, rejectsWith, type Seen } from '../peer';
import { ablePeer2, connect2, handled, hello, Reports } from './peer2';

interface Stage extends Seen {
  readonly peer: Peer;
  readonly agent: Reports;
  /** Sends a prompt, and resolves when the agent has it. */
  prompt(): Promise<Prompted>;
  /** As `prompt`, into the work that goes on. */
  steer(): Promise<Prompted>;
}

interface Prompted {
  readonly outcome: Promise<string>;
  /** The outcome so far. */
  readonly now: () => string | undefined;
}

async function stage(): Promise<Stage> {
  const peer = ablePeer2();
  const agent = new Reports(peer);
  const seen = await connect2(peer);
  let sent = 0;
  const watch = async (outcome: Promise<string>): Promise<Prompted> => {
    let now: string | undefined;
    outcome.then(
      (value) => (now = value),
      (error: unknown) => (now = error instanceof AcpError ? `error ${error.code}` : 'error'),
    );
    await agent.prompted(sent++);
    return { outcome, now: () => now };
  };
  return {
    ...seen,
    peer,
    agent,
    prompt: () => watch(seen.connection.prompt('s1', [hello])),
    steer: () => watch(seen.connection.steer('s1', [hello])),
  };
}

/** The outcome of a prompt after everything that the agent has sent. */
async function after(seen: Stage, prompted: Prompted): Promise<string | undefined> {
  await handled(seen, seen.peer);
  return prompted.now();
}

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
