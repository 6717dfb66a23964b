import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { until } from '../../../support/until';
import {
  draft,
  lastOutcome,
  prompted,
  type SessionBench,
  sessionBench,
  texts,
} from '../sessionBench';
import { agent, call, thought, unknown } from '../updates';

const silent = { type: 'stopped', stopReason: 'end_turn', canResend: true };
const usage: SessionUpdate = { sessionUpdate: 'usage_update', used: 1, size: 2 };

/** A turn in which the agent sends this and ends. */
async function turn(...updates: readonly SessionUpdate[]): Promise<SessionBench> {
  const made = sessionBench();
  const { connection, prompt } = await prompted(made, 'go');
  connection.send('s0', ...updates);
  prompt.resolve('end_turn');
  await until(() => made.session.turns.current.kind === 'idle');
  return made;
}

describe('a turn without an answer', () => {
  for (const [name, updates] of [
    ['nothing', []],
    ['only thoughts', [thought('hm')]],
    ['only its usage', [usage]],
    ['only what isn’t known here', [unknown('future')]],
    ['only blanks', [agent('\n \n')]],
  ] as const) {
    it(`PR-6: says so after ${name}`, async () => {
      const { session } = await turn(...updates);
      assert.deepEqual(lastOutcome(session), silent);
      assert.equal(session.transcript.entries.filter(({ kind }) => kind === 'turn').length, 1);
    });
  }

  for (const [name, update] of [
    ['a text', agent('done')],
    ['a call', call('c1')],
  ] as const) {
    it(`says nothing after ${name}`, async () => {
      const { session } = await turn(thought('hm'), update);
      assert.deepEqual(
        session.transcript.entries.filter(({ kind }) => kind === 'turn'),
        [],
      );
    });
  }

  it('T-20: takes its word back if the answer comes late', async () => {
    const { session, connections } = await turn(thought('hm'));
    connections[0]!.send('s0', thought('or'), usage);
    assert.equal(texts(session).includes('turn'), true);
    connections[0]!.send('s0', agent('here it is'));
    assert.deepEqual(
      session.transcript.entries.filter(({ kind }) => kind === 'turn'),
      [],
    );
    assert.equal(texts(session).includes('here it is'), true);
  });

  it('keeps its word when the next turn is answered', async () => {
    const { session, connections } = await turn();
    session.turns.submit(draft('again'));
    await until(() => connections[0]!.prompts.length === 2);
    connections[0]!.send('s0', agent('now'));
    assert.deepEqual(texts(session), ['go', 'turn', 'again', 'now']);
  });

  it('offers its prompt again until another turn begins, and sends it once', async () => {
    const { session, connections } = await turn();
    session.turns.sendAgain(1);
    session.turns.sendAgain(1);
    await until(() => connections[0]!.prompts.length === 2);
    assert.deepEqual(texts(session), ['go', 'turn', 'go']);
    assert.deepEqual(session.transcript.entries[1], {
      ...{ kind: 'turn', outcome: { type: 'stopped', stopReason: 'end_turn' } },
    });
    connections[0]!.prompts[1]!.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    assert.deepEqual(lastOutcome(session), silent);
    session.turns.submit(draft('more'));
    await until(() => connections[0]!.prompts.length === 3);
    session.turns.sendAgain(3);
    assert.deepEqual(session.turns.queue, []);
  });

  it('offers nothing for an answer that comes late, and nothing in a history that is loaded anew', async () => {
    const { session, connections } = await turn();
    connections[0]!.send('s0', agent('here it is'));
    session.turns.sendAgain(1);
    assert.equal(session.turns.current.kind, 'idle');
    const other = (await turn()).session;
    await other.reload();
    other.turns.sendAgain(1);
    assert.equal(other.turns.current.kind, 'idle');
  });
});
