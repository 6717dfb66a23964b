import assert from 'node:assert/strict';
import { AcpError } from '../../../src/protocol/errors';
import { ableInitialize, type Json, type Scenario, update } from '../../fakeAgent/scenario';
import { connect, endAgents, startAgent } from '../protocol/peer';

const updates: readonly Json[] = [
  update.user('One', 'u1'),
  update.agent('Said.', 'a1'),
  update.toolCall('c1', 'Look', { status: 'completed' }),
  update.user('Two', 'u2'),
  update.agent('Said again.', 'a2'),
];

const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

describe('fake agent: forks at a message', () => {
  afterEach(endAgents);

  /** The ids of what a fork at this message replays. */
  async function fork(forks: Scenario['forks'], at: string | undefined): Promise<unknown[]> {
    const scenario: Scenario = {
      initialize: ableInitialize,
      replays: { s1: [{ updates }] },
      ...(forks && { forks }),
    };
    const { connection, updates: got } = await connect(startAgent(scenario));
    const { sessionId } = await connection.forkSession({
      ...place,
      sessionId: 's1',
      ...(at !== undefined && { at }),
    });
    await connection.loadSession({ ...place, sessionId });
    return got
      .filter((event) => event.sessionId === sessionId)
      .map(({ update: one }) =>
        'messageId' in one ? one.messageId : 'toolCallId' in one ? one.toolCallId : one,
      );
  }

  it('T-42: ends at the message, with new ids of prompts, or at the end of its turn', async () => {
    assert.deepEqual(await fork('message', 'a1'), ['new-1-"u1"', 'a1']);
    assert.deepEqual(await fork('turn', 'a1'), ['u1', 'a1', 'c1']);
    assert.deepEqual(await fork('turn', 'u2'), ['u1', 'a1', 'c1', 'u2', 'a2']);
    assert.deepEqual(await fork('whole', 'a1'), ['u1', 'a1', 'c1', 'u2', 'a2']);
    assert.deepEqual(await fork('message', undefined), ['u1', 'a1', 'c1', 'u2', 'a2']);
  });

  it('T-42: an unknown message is invalid, not a missing session', async () => {
    for (const forks of ['message', 'turn'] as const) {
      await assert.rejects(
        fork(forks, 'nobody'),
        (error) => error instanceof AcpError && error.code === 'invalidParams',
      );
    }
  });
});
