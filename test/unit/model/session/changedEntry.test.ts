import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { config, idle } from '../fakes';
import { draft, prompted, sessionBench } from '../sessionBench';
import { agent as answer } from '../updates';

/** An agent that works on a prompt when its settings entry changes. */
async function changedAtWork() {
  const made = sessionBench();
  await made.session.load();
  const { connection, prompt } = await prompted(made);
  made.settings.set(config('demo', { args: ['--new'] }));
  return { ...made, connection, prompt };
}

describe('an agent whose settings entry changes while it works', () => {
  it('keeps its process until the turn has ended, and is replaced then', async () => {
    const { agents, agent, session, connection, prompt } = await changedAtWork();
    assert.equal(agents.get('demo'), agent);
    assert.equal(agent.changesLater, true);
    assert.equal(connection.closed, false);
    connection.send('s0', answer('Done.'));
    prompt.resolve('end_turn');
    await until(() => agents.get('demo') !== agent);
    assert.ok(!session.transcript.entries.some(({ kind }) => kind === 'turn'), 'it ended well');
    assert.ok(connection.closed);
    assert.deepEqual(agents.get('demo')?.config.args, ['--new']);
    assert.equal(agents.get('demo')?.changesLater, false);
  });

  it('finishes what is queued first', async () => {
    const { agents, agent, session, connection, prompt } = await changedAtWork();
    session.turns.submit(draft('next'));
    prompt.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.equal(agents.get('demo'), agent);
    connection.prompts[1]!.resolve('end_turn');
    await until(() => agents.get('demo') !== agent);
    assert.ok(connection.closed);
  });

  it('starts with the new entry when the user restarts it', async () => {
    const { agents, agent, connections } = await changedAtWork();
    await agent.restart();
    assert.notEqual(agents.get('demo'), agent);
    assert.equal(agents.get('demo')?.state.kind, 'ready');
    assert.deepEqual(
      connections.map(({ closed }) => closed),
      [true, false],
    );
  });

  it('is replaced when its process dies', async () => {
    const { agents, agent, connection } = await changedAtWork();
    connection.die();
    await until(() => agents.get('demo') !== agent);
    assert.deepEqual(agents.get('demo')?.config.args, ['--new']);
  });

  it('stays if the entry becomes what it was', async () => {
    const { agents, agent, session, settings, connection, prompt } = await changedAtWork();
    settings.set(config('demo'));
    assert.equal(agent.changesLater, false);
    prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    await idle();
    assert.equal(agents.get('demo'), agent);
    assert.equal(connection.closed, false);
  });

  it('ends at once if its entry is removed', async () => {
    const { agents, settings, connection } = await changedAtWork();
    settings.set();
    assert.equal(agents.get('demo'), undefined);
    assert.ok(connection.closed);
  });
});
