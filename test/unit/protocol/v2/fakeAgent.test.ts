import assert from 'node:assert/strict';
import { getVersions, type ProtocolChoice } from '../../../../src/protocol/versions';
import { ableInitialize2, type Scenario, update2 } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';
import { connect, endAgents, type Seen, startAgent, target } from '../peer';
import { hello } from './peer2';

/** The scriptable agent as a process. */
async function started(scenario: Scenario, choice: ProtocolChoice = 'auto'): Promise<Seen> {
  return connect(startAgent(scenario), { versions: getVersions(choice) });
}

describe('the fake agent over version 2', () => {
  afterEach(endAgents);

  it('V2-TURN-1, V2-TURN-3, V2-RES-1: works, is loaded, and speaks 1 with others', async () => {
    const sessions = [{ sessionId: 's1', cwd: '/w', title: 'One' }];
    const scenario: Scenario = { version: 2, initialize: ableInitialize2, sessions };
    const { connection, updates } = await started(scenario);
    assert.equal(connection.protocolVersion, 2);
    assert.equal((await connection.listSessions({})).sessions.length, 1);
    await connection.loadSession(target);
    const { sessionId } = await connection.newSession(target);
    for (const _ of [1, 2]) {
      assert.equal(await connection.prompt(sessionId, [hello]), 'end_turn');
    }
    await connection.authenticate('login');
    assert.deepEqual(
      updates.map(({ update }) => update.sessionUpdate),
      [
        ...['user_message', 'agent_message', 'state_update'],
        ...['user_message', 'state_update', 'agent_message', 'state_update'],
        ...['user_message', 'state_update', 'agent_message', 'state_update'],
      ],
    );
    const old = await started({ version: 2 }, '1');
    assert.equal(old.connection.protocolVersion, 1);
    assert.equal(await old.connection.prompt('s1', [hello]), 'end_turn');
  });

  it('V2-TURN-14, V2-TURN-15: is canceled before it accepts, and while it works', async () => {
    const { connection, updates } = await started({
      version: 2,
      on: {
        'session/prompt': [
          [{ waitMs: 60_000 }],
          [
            { update: update2.user('hello', 'u1') },
            { result: { messageId: 'u1' } },
            { update: update2.running },
            { update: update2.terminal('t', { command: 'make' }) },
            { update: update2.output('t', 'ok') },
            { waitMs: 60_000 },
          ],
        ],
      },
    });
    const first = connection.prompt('s1', [hello]);
    connection.cancel('s1');
    assert.equal(await first, 'cancelled');
    const second = connection.prompt('s1', [hello]);
    await until(() => updates.length === 4);
    connection.cancel('s1');
    assert.equal(await second, 'cancelled');
  });
});
