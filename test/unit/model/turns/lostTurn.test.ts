import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { until } from '../../../support/until';
import { idle } from '../fakes';
import { draft, lastOutcome, prompted, replays, sessionBench, texts } from '../sessionBench';
import { agent, call, change, user } from '../updates';

/** A session whose agent was killed in a turn; the next one replays this. */
async function killed(...history: readonly SessionUpdate[]) {
  const made = sessionBench(
    (connection) => {
      connection.replay = () => connection.send('s0', ...history);
    },
    { quietMs: 20 },
  );
  const { connection } = await prompted(made, 'kill me');
  connection.send('s0', agent('one '));
  connection.die();
  await until(() => made.session.turns.current.kind === 'idle');
  const { session } = made;
  const at = () => made.connections.at(-1)!;
  return { made, session, at, failed: session.transcript.entries.length - 1 };
}

describe('a turn that goes on after its agent was killed', () => {
  it('T-82: shows what the agent does, and sends what was to be sent again only then', async () => {
    const { session, at, failed } = await killed(user('before'));
    session.turns.sendAgain(failed);
    await until(() => at().loads.length === 1 && session.isLive);
    at().send('s0', call('c'), agent('two '));
    assert.equal(session.turns.current.kind, 'background');
    assert.deepEqual(
      session.turns.queue.map(({ draft: { text }, held }) => [text, held]),
      [['kill me', undefined]],
    );
    at().send('s0', agent('three'), change('c', { status: 'completed' }));
    await until(() => at().prompts.length === 1);
    at().send('s0', agent('the new answer'));
    assert.deepEqual(texts(session), [
      'before',
      'toolCall',
      'two three',
      'kill me',
      'the new answer',
    ]);
  });

  it('holds what waits if the user stops it', async () => {
    const { session, at } = await killed(user('before'));
    await session.load();
    at().send('s0', call('c'));
    session.turns.submit(draft('more'));
    assert.equal(at().prompts.length, 0);
    session.turns.cancel();
    await idle();
    assert.equal(session.turns.current.kind, 'idle');
    assert.equal(session.turns.queue[0]?.held, true);
    assert.equal(at().prompts.length, 0);
    assert.equal(at().calls.includes('cancel s0'), true);
  });

  it('a prompt that is stopped before the turn goes on is sent neither then nor later', async () => {
    const { session, at, failed } = await killed(user('before'));
    session.turns.sendAgain(failed);
    await until(() => at().loads.length === 1 && session.isLive);
    session.turns.cancel();
    at().send('s0', call('c'), change('c', { status: 'completed' }));
    await until(() => session.turns.queue.length === 0);
    await until(() => session.turns.current.kind === 'idle');
    assert.equal(at().prompts.length, 0);
  });

  it('T-82: takes back that it was interrupted', async () => {
    const made = sessionBench((connection) => replays(connection, 'before'), { quietMs: 20 });
    const { session, connections } = made;
    session.turns.restore([], draft('lost'));
    await session.load();
    assert.equal(lastOutcome(session).type, 'failed');
    connections[0]!.send('s0', agent('still here'));
    assert.deepEqual(
      session.transcript.entries.filter(({ kind }) => kind === 'turn'),
      [],
    );
    assert.deepEqual(session.turns.unfinished.interrupted, draft('lost'), 'for another reload');
    assert.equal(session.turns.current.kind, 'background');
    assert.equal(texts(session).at(-1), 'still here');
    await until(() => session.turns.current.kind === 'idle');
    assert.equal(session.turns.unfinished.interrupted, undefined);
  });

  it('T-9: isn’t mistaken for a replay that comes late', async () => {
    const made = sessionBench();
    const { session, connections } = made;
    session.turns.restore([], draft('lost'));
    await session.load();
    connections[0]!.send('s0', user('before'), agent('answer'));
    assert.equal(session.transcript.entries[0]?.kind, 'turn');
    assert.equal(session.turns.current.kind, 'idle');
  });

  it('a prompt is sent after a moment if nothing goes on', async () => {
    const { made, session, at, failed } = await killed(user('before'));
    session.turns.sendAgain(failed);
    await until(() => made.connections.length === 2 && at().prompts.length === 1);
    assert.deepEqual(texts(session), ['before', 'kill me']);
  });
});
