import assert from 'node:assert/strict';
import { maxSubagents } from '../../../../src/model/subagents/subagents';
import { until } from '../../../support/until';
import { prompted, sessionBench, texts } from '../sessionBench';
import { agent, call, change } from '../updates';
import { announced, ask, shown, subagentsIn, working } from './subagentBench';

const done = { kind: 'idle', stopReason: 'end_turn' } as const;

describe('Subagents of an agent that says odd things', () => {
  it('SUB-5: what one says after its end is still its own, and changes no state', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', announced('a'), announced('a', { state: done }));
    connection.send('a', agent('late'), call('c', { status: 'in_progress' }));
    assert.equal(shown(made), 'a idle(late, c)');
    assert.deepEqual(made.session.subagents.running, []);
  });

  it('SUB-5: a question after the turn, or after the subagent’s end, is asked all the same', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made);
    connection.send('s0', announced('a'), announced('a', { state: done }));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    const answer = ask(connection, 'a');
    const entry = made.session.transcript.entries[made.session.requests.waiting[0] ?? 0];
    assert.ok(entry?.kind === 'permission');
    assert.equal(shown(made), 'a requires_action(c), permission');
    made.session.requests.answerPermission(entry.requestId, 'yes');
    assert.deepEqual(await answer, { optionId: 'yes' });
    assert.equal(shown(made), 'a idle(c), permission');
  });

  it('SUB-5: the same question twice is two questions; a stop answers both', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a', { canCancel: true }));
    const both = [ask(connection, 'a'), ask(connection, 'a')];
    assert.equal(session.requests.waiting.length, 2);
    session.stopSubagent(1);
    session.stopSubagent(1);
    assert.deepEqual(await Promise.all(both), [undefined, undefined]);
    assert.equal(shown(made), 'a running(c), permission, permission');
  });

  it('SUB-5: announced again, one keeps its place, and what isn’t said anew', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a', { title: 'Look', description: 'Look around' }));
    connection.send('a', agent('hi'));
    connection.send('s0', agent('and'), { sessionUpdate: 'subagent_update', sessionId: 'a' });
    connection.send('s0', announced('a', { title: 'Look again' }));
    assert.equal(shown(made), 'Look again running(hi), and');
    assert.equal(subagentsIn(session.transcript.entries)[0]?.description, 'Look around');
  });

  it('SUB-2: two calls that name one subagent: it stays with the first', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', call('first'), call('second'), announced('a'));
    connection.send('s0', change('first', { subagentIds: ['a', 'a'] }));
    connection.send('s0', change('second', { subagentIds: ['a'] }));
    assert.equal(subagentsIn(session.transcript.entries)[0]?.call, 1);
    assert.equal(shown(made), 'first, second, a running()');
  });

  it('SUB-2: a call of a subagent that names itself, or who started it, moves nothing', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a'));
    connection.send('a', announced('b'));
    connection.send('b', call('c', { subagentIds: ['b', 'a', 's0'] }));
    connection.send('a', call('d', { subagentIds: ['a', 's0'] }));
    assert.equal(shown(made), 'a running(b running(c), d)');
    const [a] = subagentsIn(session.transcript.entries);
    assert.deepEqual([a?.call, subagentsIn(a?.entries ?? [])[0]?.call], [undefined, undefined]);
  });

  it('SUB-3: two calls that name each other as parents stay where they came', async () => {
    const made = await working();
    const { connection } = made;
    connection.send('s0', call('x', { title: 'X', parentCallId: 'y' }));
    connection.send('s0', call('y', { title: 'Y', parentCallId: 'x' }));
    connection.send('s0', change('x', { parentCallId: 'y' }), change('y', { parentCallId: 'x' }));
    connection.send('s0', call('z', { parentCallId: 'y' }));
    assert.equal(shown(made), 'x, X running(y, Y running(z))');
  });

  it('SUB-5: closing the session cancels their questions; answers and stops after that do nothing', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a', { canCancel: true }));
    const answer = ask(connection, 'a');
    const entry = session.transcript.entries[session.requests.waiting[0] ?? 0];
    assert.ok(entry?.kind === 'permission');
    await session.close();
    assert.equal(await answer, undefined);
    session.requests.answerPermission(entry.requestId, 'yes');
    session.stopSubagent(1);
    assert.ok(!connection.calls.includes('cancel a'));
    assert.deepEqual(texts(session), []);
  });

  it('SUB-5: after a reload, what one says waits until it is announced again', async () => {
    const made = await working();
    const { connection, session } = made;
    connection.send('s0', announced('a'));
    connection.send('a', agent('before'));
    connection.replay = () => {
      connection.send('a', agent('early'));
      connection.send('s0', announced('a', { title: 'Again' }));
    };
    await session.reload();
    assert.equal(
      subagentsIn(session.transcript.entries)
        .map(({ title, entries }) => `${title} ${entries.length}`)
        .join(),
      'Again 1',
    );
  });

  it('SUB-5, SEC-96: calls with subagents beyond the bound keep what those do beside them', async () => {
    const made = await working();
    const { connection, session } = made;
    const count = 2 * maxSubagents;
    for (let at = 0; at < count; at++) {
      connection.send('s0', call(`task ${at}`, { status: 'in_progress' }));
      connection.send('s0', call(`inner ${at}`, { parentCallId: `task ${at}` }));
    }
    const { entries } = session.transcript;
    assert.equal(subagentsIn(entries).length, maxSubagents);
    const own = entries.filter((entry) => entry.kind === 'toolCall');
    assert.equal(own.length, count + (count - maxSubagents));
  });

  it('SUB-5: 10,000 at work at once, of which the first ask, are bounded and can all end', async () => {
    const made = await working();
    const { connection, session } = made;
    const ids = Array.from({ length: 10_000 }, (_, at) => `a${at}`);
    connection.send('s0', ...ids.map((id) => announced(id)));
    const answers = ids.slice(0, 50).map((id) => ask(connection, id));
    assert.equal(session.requests.waiting.length, 50);
    assert.ok(session.subagents.running.length <= maxSubagents + 1);
    session.requests.cancelAll();
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([undefined]));
    connection.send('s0', ...ids.map((id) => announced(id, { state: done })));
    assert.deepEqual(session.subagents.running, []);
  });
});
