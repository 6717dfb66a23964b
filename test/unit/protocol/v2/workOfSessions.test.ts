import assert from 'node:assert/strict';
import type { SessionUpdateEvent } from '../../../../src/protocol/agentConnection';
import type { AgentRpc } from '../../../../src/protocol/rpc/agentRpc';
import { WorkOfSessions } from '../../../../src/protocol/v2/workOfSessions';
import { deferred } from '../../../../src/util/async';

/** Work, with what an agent tells of it. */
function workOfAgent(): {
  readonly work: WorkOfSessions;
  readonly tell: (event: SessionUpdateEvent) => void;
} {
  let tell: (event: SessionUpdateEvent) => void = () => undefined;
  const rpc: Pick<AgentRpc, 'onUpdate' | 'onClosed'> = {
    onUpdate: (listener) => {
      tell = listener;
      return { dispose: () => undefined };
    },
    onClosed: () => ({ dispose: () => undefined }),
  };
  return { work: new WorkOfSessions(rpc as AgentRpc), tell: (event) => tell(event) };
}

describe('a prompt that is answered after very many messages', () => {
  /** Tells of those messages and a turn, then answers the prompt: it was the message with this number. */
  async function turnOf(message: number): Promise<string | undefined> {
    const { work, tell } = workOfAgent();
    const answer = deferred<{ readonly messageId: string }>();
    const turn = work.of('s').prompt(answer.promise);
    const state = (update: SessionUpdateEvent['update']): void => tell({ sessionId: 's', update });
    for (let count = 0; count < 400; count++) {
      state({ sessionUpdate: 'user_message', messageId: `m${count}` });
    }
    state({ sessionUpdate: 'state_update', state: 'running' });
    state({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'refusal' });
    answer.resolve({ messageId: `m${message}` });
    return turn;
  }

  it('V2-TURN-7: ends with the work of a message that is remembered, one of the last 200', async () => {
    assert.equal(await turnOf(399), 'refusal');
    assert.equal(await turnOf(200), 'refusal');
  });

  it('V2-TURN-7: also ends if its message is forgotten, when no work follows', async () => {
    assert.equal(await turnOf(0), 'refusal');
  });
});

describe('the states of very many sessions', () => {
  it('V2-TURN-2, V2-TURN-14, SEC-91: of the oldest are forgotten, but of none with a prompt that waits', async () => {
    const { work, tell } = workOfAgent();
    const idle = (sessionId: string): void =>
      tell({
        sessionId,
        update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'refusal' },
      });
    const turn = work.of('prompted').prompt(Promise.resolve({ messageId: 'm' }));
    idle('first');
    // Nothing to cancel: its state is known.
    assert.equal(work.cancelling('first'), false);
    for (let count = 0; count < 2_000; count++) {
      idle(`${count}`);
    }
    assert.equal(work.cancelling('first'), true);
    assert.equal(work.cancelling('0'), true);
    assert.equal(work.cancelling('1999'), false);
    tell({
      sessionId: 'prompted',
      update: { sessionUpdate: 'state_update', state: 'running' },
    });
    tell({
      sessionId: 'prompted',
      update: { sessionUpdate: 'user_message', messageId: 'm' },
    });
    idle('prompted');
    assert.equal(await turn, 'refusal');
  });
});
