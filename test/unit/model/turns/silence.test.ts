import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { until } from '../../../support/until';
import { prompted, type SessionBench, sessionBench } from '../sessionBench';
import { agent } from '../updates';

const silentMs = 300_000;
const never = new AbortController().signal;

describe('A turn without a word of the agent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 }));
  afterEach(() => mock.timers.reset());

  const since = ({ session }: SessionBench): number | undefined => {
    const { current } = session.turns;
    return current.kind === 'idle' ? undefined : current.silentSince;
  };
  const running = async () => {
    const made = sessionBench(undefined, { silentMs });
    return { made, ...(await prompted(made)) };
  };

  it('T-171: says since when, until the agent says something, and tells views only then', async () => {
    const { made, connection, prompt } = await running();
    let told = 0;
    made.session.onDidChangeState(() => told++);
    mock.timers.tick(silentMs - 1);
    assert.deepEqual([since(made), told], [undefined, 0]);
    mock.timers.tick(1);
    assert.deepEqual([since(made), told], [1_000, 1]);
    connection.send('s0', agent('Still there.'));
    assert.equal(since(made), undefined);
    mock.timers.tick(silentMs / 2);
    connection.send('s0', agent('And on.'));
    mock.timers.tick(silentMs - 1);
    assert.equal(since(made), undefined);
    mock.timers.tick(silentMs);
    assert.equal(since(made), 1_000 + silentMs * 1.5);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    const next = await prompted(made);
    assert.equal(since(made), undefined, 'another turn has just begun');
    next.prompt.resolve('end_turn');
  });

  it('T-171: doesn’t count while the user is asked, and begins anew with the answer', async () => {
    const { made } = await running();
    const ask = { mode: 'form', fields: [] } as const;
    const asked = made.session.requests.elicit({ message: 'Which?', ask }, never);
    mock.timers.tick(silentMs * 5.5);
    assert.equal(since(made), undefined);
    const [index = -1] = made.session.requests.waiting;
    const entry = made.session.transcript.entries[index];
    assert.ok(entry?.kind === 'elicitation');
    made.session.requests.answerElicitation(entry.requestId, 'decline', {});
    await asked;
    mock.timers.tick(silentMs - 1);
    assert.equal(since(made), undefined);
    mock.timers.tick(1);
    assert.equal(since(made), 1_000 + silentMs * 5.5);
  });

  it('T-171: doesn’t count while a command of the agent runs here', async () => {
    const { made } = await running();
    const { session, terminals } = made;
    await session.terminals.create({ sessionId: 's0', command: 'make', args: [], env: {} });
    mock.timers.tick(silentMs * 3);
    assert.equal(since(made), undefined);
    terminals.all[0]?.end(0);
    await until(() => !session.terminals.isRunning);
    for (const time of [100, silentMs, silentMs]) {
      mock.timers.tick(time);
    }
    assert.ok(since(made));
  });
});
