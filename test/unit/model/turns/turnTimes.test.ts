import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { draft, prompted, replays, sessionBench } from '../sessionBench';

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

  it('has no times of a prompt that could not be sent', async () => {
    const made = sessionBench();
    made.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    made.session.turns.submit(draft('hello'));
    await until(() => made.session.turns.current.kind === 'idle');
    assert.ok(!JSON.stringify(made.session.transcript.entries).includes('began'));
  });
});
