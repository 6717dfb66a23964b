import assert from 'node:assert/strict';
import type { SessionUpdateEvent } from '../../../../src/protocol/agentConnection';
import type { AgentRpc } from '../../../../src/protocol/rpc/agentRpc';
import { WorkOfSessions } from '../../../../src/protocol/v2/workOfSessions';

describe('the states of very many sessions', () => {
  it('V2-TURN-2, V2-TURN-14: of the oldest are forgotten, but of none with a prompt that waits', async () => {
    let tell: (event: SessionUpdateEvent) => void = () => undefined;
    const rpc: Pick<AgentRpc, 'onUpdate' | 'onClosed'> = {
      onUpdate: (listener) => {
        tell = listener;
        return { dispose: () => undefined };
      },
      onClosed: () => ({ dispose: () => undefined }),
    };
    const work = new WorkOfSessions(rpc as AgentRpc);
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
