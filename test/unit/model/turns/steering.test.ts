import assert from 'node:assert/strict';
import type { SteeringOutcome } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import type { SteeringState } from '../../../../src/shared/transcript/entries';
import { until } from '../../../support/until';
import { allCapabilities, idle } from '../fakes';
import { draft, prompted, type SessionBench, sessionBench, texts } from '../sessionBench';
import { agent, call, user } from '../updates';

/** Texts of the queue. */
const queued = ({ session }: SessionBench): readonly string[] =>
  session.turns.queue.map((prompt) => prompt.draft.text);

/** What the transcript says of the prompts that were sent into a turn. */
const states = ({ session }: SessionBench): readonly (SteeringState | undefined)[] =>
  session.transcript.entries.flatMap((entry) =>
    entry.kind === 'user' && entry.steering ? [entry.steering] : [],
  );

/** A turn runs, and one more prompt was sent into it. */
async function steered(text = 'other way') {
  const made = sessionBench();
  const { connection, prompt } = await prompted(made, 'go');
  const { id } = made.session.turns.submit(draft(text));
  const sent = made.session.turns.sendNow(id);
  await until(() => connection.steerings.length === 1);
  return { made, connection, prompt, sent, steering: connection.steerings[0]! };
}

describe('Steering', () => {
  it('T-39: a prompt sent now is shown in the running turn at once, and leaves the queue', async () => {
    const { made, connection, steering, sent } = await steered();
    assert.deepEqual(texts(made.session), ['go', 'other way']);
    assert.deepEqual(states(made), ['sending']);
    assert.deepEqual(queued(made), []);
    steering.resolve('injected');
    await sent;
    assert.deepEqual(states(made), ['taken']);
    assert.deepEqual(connection.calls.slice(-2), ['prompt s0 go', 'steer s0 other way']);
    assert.equal(made.session.turns.current.kind, 'running', 'the prompt still owns the turn');
  });

  it('T-39: an agent that sends it back, in pieces, doesn’t show it twice', async () => {
    const { made, connection, steering, sent } = await steered();
    connection.send('s0', user('other '), user('way'), agent('Very well.'));
    steering.resolve('injected');
    await sent;
    assert.deepEqual(texts(made.session), ['go', 'other way', 'Very well.']);
  });

  it('T-39: a message that the agent was writing goes on above it', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made, 'go');
    connection.send('s0', agent('One ', 'm'));
    const sent = made.session.turns.sendNow(made.session.turns.submit(draft('other way')).id);
    await until(() => connection.steerings.length === 1);
    connection.steerings[0]!.resolve('injected');
    await sent;
    connection.send('s0', agent('sentence.', 'm'), agent('Now the other way.', 'n'));
    assert.deepEqual(texts(made.session), [
      'go',
      'One sentence.',
      'other way',
      'Now the other way.',
    ]);
  });

  it('T-39: one that comes when the turn has just ended is its own turn, shown once', async () => {
    const { made, connection, prompt, steering, sent } = await steered();
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    steering.resolve('promptRequired');
    await sent;
    await until(() => connection.prompts.length === 2);
    assert.equal(connection.calls.at(-1), 'prompt s0 other way');
    assert.deepEqual(texts(made.session), ['go', 'other way']);
    assert.deepEqual(states(made), [], 'it is an ordinary prompt now');
    connection.prompts[1]!.resolve('refusal');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.equal(
      'dropped' in made.session.transcript.entries[1]!,
      true,
      'and its turn’s beginning',
    );
  });

  it('T-39: the same while the end of the turn is still to come: it waits for it', async () => {
    const { made, connection, prompt, steering, sent } = await steered();
    steering.resolve('promptRequired');
    await sent;
    assert.deepEqual(queued(made), ['other way']);
    assert.equal(connection.prompts.length, 1, 'one turn at a time (PR-5)');
    prompt.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.deepEqual(texts(made.session), ['go', 'other way']);
  });

  it('T-39: one that the agent doesn’t take is queued before all others, and says so', async () => {
    const { made, connection, prompt, steering, sent } = await steered();
    made.session.turns.submit(draft('later'));
    steering.resolve('failed');
    await sent;
    assert.deepEqual(states(made), ['refused']);
    assert.deepEqual(queued(made), ['other way', 'later']);
    prompt.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.equal(connection.calls.at(-1), 'prompt s0 other way');
  });

  for (const [error, state] of [
    [new AcpError('rpc', 'no'), 'refused'],
    [new AcpError('unsupported', 'no'), 'refused'],
    [new AcpError('invalidParams', 'no'), 'refused'],
    [new AcpError('timeout', 'late'), 'unknown'],
    [new AcpError('malformed', 'what?'), 'unknown'],
  ] as const) {
    it(`T-39: after the error ${error.code} it is ${state}, and never sent twice`, async () => {
      const { made, steering, sent } = await steered();
      steering.reject(error);
      await sent;
      assert.deepEqual(states(made), [state]);
      assert.deepEqual(queued(made), state === 'refused' ? ['other way'] : []);
    });
  }

  it('T-39: an agent that exits meanwhile leaves it unknown, and nothing is sent by itself', async () => {
    const { made, connection, sent } = await steered();
    made.session.turns.submit(draft('later'));
    connection.die();
    await sent;
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(states(made), ['unknown']);
    assert.deepEqual(
      made.session.turns.queue.map(({ held }) => held),
      [true],
    );
  });

  it('T-39: nothing is sent without the capability, in no turn, in a canceled one, or for an unknown id', async () => {
    const made = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, steering: false };
    });
    const { connection } = await prompted(made, 'go');
    const { id } = made.session.turns.submit(draft('other way'));
    await made.session.turns.sendNow(id);
    connection.capabilities = allCapabilities;
    await made.session.turns.sendNow(12_345);
    made.session.turns.cancel();
    await made.session.turns.sendNow(id);
    assert.deepEqual(queued(made), ['other way']);
    assert.deepEqual(connection.steerings, []);
  });

  it('T-39: two clicks send it once', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made, 'go');
    const { id } = made.session.turns.submit(draft('other way'));
    const both = [made.session.turns.sendNow(id), made.session.turns.sendNow(id)];
    await until(() => connection.steerings.length === 1);
    connection.steerings[0]!.resolve('injected');
    await Promise.all(both);
    assert.equal(connection.steerings.length, 1);
  });

  it('T-39: an answer that comes after a reload or a close changes nothing that is shown', async () => {
    const { made, steering, sent } = await steered();
    await made.session.reload();
    const before = texts(made.session);
    steering.resolve('injected');
    await sent;
    assert.deepEqual(texts(made.session), before);

    const other = await steered();
    await other.made.session.close();
    other.steering.resolve('failed');
    await other.sent;
    await idle();
    assert.equal(other.connection.prompts.length, 1);
  });

  const starts: SteeringOutcome = 'startedNewTurn';
  it(`T-39, T-40: ${starts}: a turn runs that no prompt owns, and can be stopped`, async () => {
    const { made, connection, prompt, steering, sent } = await steered();
    steering.resolve(starts);
    await sent;
    assert.deepEqual(states(made), ['taken']);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'background');
    connection.send('s0', call('c', { status: 'in_progress' }));
    made.session.turns.cancel();
    assert.equal(connection.calls.at(-1), 'cancel s0');
    const last = made.session.transcript.entries.at(-1)!;
    assert.equal(last.kind === 'toolCall' && last.status, 'cancelled');
    assert.equal(made.session.turns.current.kind, 'idle');
  });
});
