import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { draft, prompted, replays, sessionBench } from '../sessionBench';
import { state } from '../updates';

describe('times of turns', () => {
  it('knows when a turn began and ended, for as long as its prompt is there', async () => {
    const made = sessionBench((connection) => replays(connection, 'before'));
    const before = Date.now();
    const { prompt } = await prompted(made, 'go on');
    const { session } = made;
    const times = () =>
      session.transcript.entries.map((entry) => ('turn' in entry ? entry.turn : undefined));
    const [replayed, sent] = times();
    assert.equal(replayed, undefined, 'ACP says nothing of when that was');
    assert.ok(sent && sent.began >= before && sent.ended === undefined);
    assert.equal(
      session.turns.current.kind === 'running' && session.turns.current.began,
      sent.began,
    );
    prompt.resolve('max_tokens');
    await until(() => session.turns.current.kind === 'idle');
    const ended = times()[1];
    assert.ok(ended?.ended !== undefined && ended.ended >= ended.began);
    assert.equal(ended.began, sent.began);
    await session.reload();
    assert.deepEqual(
      times().filter((known) => known),
      [],
    );
  });

  it('US-5: sums the tokens of a session’s turns, as far as they are told, until it is loaded again', async () => {
    const made = sessionBench();
    const heard: unknown[] = [];
    made.sessions.onDidHappen(({ turn }) => heard.push(turn?.usage));
    const { turns } = made.session;
    const usage = { total: 15, input: 10, output: 5 };
    for (const each of [usage, undefined, { ...usage, thought: 2 }]) {
      const { prompt } = await prompted(made);
      if (each !== undefined) {
        prompt.used?.(each);
      }
      prompt.resolve('end_turn');
      await until(() => turns.current.kind === 'idle');
    }
    assert.deepEqual(turns.tokens, { total: 30, input: 20, output: 10, thought: 2 });
    assert.deepEqual(heard, [usage, undefined, { ...usage, thought: 2 }]);
    made.connections[0]?.send('s0', state('running'), state('idle', { usage }));
    assert.equal(made.session.turns.tokens?.total, 45, 'and those of a turn that the agent begins');
    await made.session.reload();
    assert.equal(made.session.turns.tokens, undefined);
  });

  it('has no times of a prompt that could not be sent', async () => {
    const made = sessionBench();
    made.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    made.session.turns.submit(draft('hello'));
    await until(() => made.session.turns.current.kind === 'idle');
    assert.ok(!JSON.stringify(made.session.transcript.entries).includes('began'));
  });
});
