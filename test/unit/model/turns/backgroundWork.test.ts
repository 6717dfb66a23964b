import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { until } from '../../../support/until';
import { idle } from '../fakes';
import { draft, prompted, replays, type SessionBench, sessionBench } from '../sessionBench';
import { agent, call, change } from '../updates';

const says = (isWorking: boolean): SessionUpdate => ({
  sessionUpdate: 'session_info_update',
  isWorking,
});
const kind = ({ session }: SessionBench): string => session.turns.current.kind;

/** A session whose only turn has ended. */
async function rested(own: { tailMs?: number; quietMs?: number } = {}) {
  const made = sessionBench(undefined, { tailMs: -1, ...own });
  const { connection, prompt } = await prompted(made);
  prompt.resolve('end_turn');
  await until(() => kind(made) !== 'running');
  return { made, connection };
}

describe('Work in the background', () => {
  it('T-40: an agent that goes on by itself is shown at work, and at rest once it is silent', async () => {
    const { made, connection } = await rested({ quietMs: 5 });
    connection.send('s0', agent('I saw something.'));
    assert.equal(kind(made), 'background');
    assert.equal(made.session.isBusy, true);
    await until(() => kind(made) === 'idle');
    assert.equal(made.session.isBusy, false);
  });

  it('T-40: an unfinished call keeps it at work, however silent it is', async () => {
    const { made, connection } = await rested({ quietMs: 1 });
    connection.send('s0', call('c', { status: 'in_progress' }));
    for (let round = 0; round < 5; round++) {
      await idle();
    }
    assert.equal(kind(made), 'background');
    connection.send('s0', change('c', { status: 'completed' }));
    await until(() => kind(made) === 'idle');
  });

  it('T-40, T-9, T-20: what comes right after a turn, or in a load, is no work of its own', async () => {
    const { made, connection } = await rested({ tailMs: 3_600_000 });
    connection.send('s0', agent('late'));
    assert.equal(kind(made), 'idle');

    const loaded = sessionBench((each) => replays(each, 'before'), { tailMs: -1 });
    await loaded.session.load();
    assert.equal(kind(loaded), 'idle');
  });

  it('T-40: titles, usage and commands are no work', async () => {
    const { made, connection } = await rested();
    connection.send(
      's0',
      { sessionUpdate: 'session_info_update', title: 'New' },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      { sessionUpdate: 'available_commands_update', availableCommands: [] },
    );
    assert.equal(kind(made), 'idle');
  });

  it('T-40: an agent that says when it works is believed', async () => {
    const { made, connection } = await rested({ tailMs: 3_600_000 });
    connection.send('s0', says(true));
    assert.equal(kind(made), 'background');
    connection.send('s0', agent('x'), says(false));
    assert.equal(kind(made), 'idle');
    connection.send('s0', says(false));
    assert.equal(kind(made), 'idle');
  });

  it('T-40: what it says in a turn of this client changes nothing', async () => {
    const made = sessionBench(undefined, { tailMs: -1 });
    const { connection, prompt } = await prompted(made);
    connection.send('s0', says(true), agent('x'), says(false));
    assert.equal(kind(made), 'running');
    prompt.resolve('end_turn');
    await until(() => kind(made) === 'idle');
  });

  it('T-40: a prompt can be sent meanwhile, and takes over', async () => {
    const { made, connection } = await rested();
    connection.send('s0', agent('by myself'));
    made.session.turns.submit(draft('and now'));
    await until(() => connection.prompts.length === 2);
    assert.equal(kind(made), 'running');
    connection.prompts[1]!.resolve('end_turn');
    await until(() => kind(made) === 'idle');
  });

  it('T-40, CA-1: stopping cancels it at the agent once, and answers its questions', async () => {
    const { made, connection } = await rested();
    connection.send('s0', call('c', { status: 'in_progress' }));
    made.session.turns.cancel();
    made.session.turns.cancel();
    assert.deepEqual(
      connection.calls.filter((each) => each === 'cancel s0'),
      ['cancel s0'],
    );
    assert.equal(kind(made), 'idle');
  });

  it('T-40: it ends with the session, and with its agent', async () => {
    const first = await rested({ quietMs: 5 });
    first.connection.send('s0', agent('x'));
    await first.made.session.close();
    assert.equal(kind(first.made), 'idle');

    const second = await rested({ quietMs: 5 });
    second.connection.send('s0', call('c', { status: 'in_progress' }));
    second.connection.die();
    await until(() => kind(second.made) === 'idle');
  });
});
