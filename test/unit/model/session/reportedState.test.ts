import assert from 'node:assert/strict';
import { TablessSessions } from '../../../../src/model/kept/tablessSessions';
import { AcpError } from '../../../../src/protocol/errors';
import type { BackgroundItem } from '../../../../src/protocol/updates';
import type { Turn } from '../../../../src/shared/transcript/prompt';
import { until } from '../../../support/until';
import { idle } from '../fakes';
import {
  draft,
  lastOutcome,
  prompted,
  replays,
  type SessionBench,
  sessionBench,
  texts,
} from '../sessionBench';
import { agent, call, change, chunk, state, whole } from '../updates';

const turn = ({ session }: SessionBench): Turn => session.turns.current;
const kind = (made: SessionBench): string => turn(made).kind;
const cancels = ({ connections }: SessionBench): number =>
  connections.flatMap(({ calls }) => calls).filter((each) => each === 'cancel s0').length;

/** How often a turn has ended. */
function ends(made: SessionBench): () => number {
  let count = 0;
  made.sessions.onDidHappen(({ kind: what }) => {
    count += what === 'needsAnswer' ? 0 : 1;
  });
  return () => count;
}

/** A session whose agent has loaded it and reports its state; silence would end a guessed turn at once. */
async function loaded(own: { cancelMs?: number } = {}) {
  const made = sessionBench((each) => replays(each, 'before'), { tailMs: -1, quietMs: 1, ...own });
  await made.session.load();
  const connection = made.connections[0]!;
  connection.send('s0', state('idle'));
  return { made, connection };
}

const oneMillisecond = { cancelMs: 1 };

const tasks = (count: number): readonly BackgroundItem[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'other', name: `${at}` }));

describe('The state that an agent reports', () => {
  it('V2-TURN-11: work without a prompt is a turn from running to idle, whatever comes and however silent it is', async () => {
    const { made, connection } = await loaded();
    const ended = ends(made);
    connection.send('s0', chunk('agent', 'a', 'an afterthought'));
    assert.equal(kind(made), 'idle', 'updates are no state');
    connection.send('s0', state('running'), chunk('agent', 'b', 'x'));
    for (let round = 0; round < 5; round++) {
      await idle();
    }
    assert.equal(kind(made), 'background');
    assert.equal(made.session.isBusy, true);
    connection.send('s0', state('idle', { stopReason: 'end_turn' }));
    assert.equal(kind(made), 'idle');
    assert.equal(ended(), 1);
    assert.deepEqual(texts(made.session), ['before', 'an afterthought', 'x']);
  });

  it('V2-TURN-2: repeated snapshots are no events', async () => {
    const { made, connection } = await loaded();
    const ended = ends(made);
    connection.send('s0', state('running'), state('running'), state('requires_action'));
    const [began] = made.session.turns.background;
    connection.send('s0', state('running'));
    assert.deepEqual(made.session.turns.background, [began]);
    const end = state('idle', { stopReason: 'max_tokens' });
    connection.send('s0', end, end, end);
    assert.equal(ended(), 1);
    assert.deepEqual(texts(made.session), ['before', 'turn']);
    assert.deepEqual(lastOutcome(made.session), { type: 'stopped', stopReason: 'max_tokens' });
  });

  it('V2-RES-3, V2-NEW-2: what was reported before the answer shows once the session is open', async () => {
    for (const reported of ['running', 'requires_action', 'unknown'] as const) {
      const made = sessionBench((each) => {
        each.replay = () => each.send('s0', state(reported), chunk('agent', 'a', 'x'));
      });
      await made.session.load();
      assert.equal(kind(made), 'background', reported);
      made.connections[0]!.send('s0', state('idle'));
      assert.equal(kind(made), 'idle');
    }
  });

  it('V2-RES-4: the reason that comes with a load is no end of a turn', async () => {
    const made = sessionBench((each) => {
      each.replay = () =>
        each.send('s0', chunk('agent', 'a', 'x'), state('idle', { stopReason: 'cancelled' }));
    });
    const ended = ends(made);
    await made.session.load();
    assert.equal(kind(made), 'idle');
    assert.deepEqual([ended(), texts(made.session)], [0, ['x']]);
  });

  it('V2-TURN-3, V2-TURN-11: running right behind the idle of our turn isn’t lost', async () => {
    const { made, connection } = await loaded();
    const { prompt } = await prompted(made);
    connection.send('s0', state('running'), chunk('agent', 'a', 'x'));
    assert.equal(kind(made), 'running');
    prompt.resolve('end_turn');
    connection.send('s0', state('idle', { stopReason: 'end_turn' }), state('running'));
    await until(() => kind(made) === 'background');
    connection.send('s0', state('idle'));
    assert.equal(kind(made), 'idle');
  });

  it('V2-TURN-16: what a prompt that is queued finds running becomes its own turn', async () => {
    const { made, connection } = await loaded();
    await prompted(made, 'one');
    made.session.turns.submit(draft('two'));
    connection.send('s0', state('idle'), state('running'));
    connection.prompts[0]!.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.equal(kind(made), 'running');
    assert.deepEqual(made.session.turns.background, []);
    connection.send('s0', state('idle'));
    connection.prompts[1]!.resolve('end_turn');
    await until(() => kind(made) === 'idle');
  });

  it('V2-TURN-10: a state that isn’t known is shown as work', async () => {
    const { made, connection } = await loaded();
    connection.send('s0', state('unknown'));
    assert.equal(kind(made), 'background');
  });

  it('V2-TURN-9: waiting for the user is told, unless the question is here', async () => {
    const { made, connection } = await loaded();
    connection.send('s0', state('requires_action'));
    assert.deepEqual(turn(made), { ...turn(made), kind: 'background', waits: true });
    const answer = made.session.requests.permission(
      {
        sessionId: 's0',
        toolCall: { toolCallId: 'c' },
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
      },
      new AbortController().signal,
    );
    await until(() => made.session.requests.waiting.length === 1);
    assert.equal('waits' in turn(made), false);
    const entry = made.session.transcript.entries[made.session.requests.waiting[0]!];
    assert.ok(entry?.kind === 'permission');
    made.session.requests.answerPermission(entry.requestId, 'y');
    await answer;
    assert.equal('waits' in turn(made), true, 'an answer doesn’t say that the agent goes on');
    connection.send('s0', state('running'));
    assert.equal('waits' in turn(made), false);
  });

  it('V2-TURN-9: it is told in a turn of ours as well', async () => {
    const { made, connection } = await loaded();
    const { prompt } = await prompted(made);
    connection.send('s0', state('requires_action'));
    const now = turn(made);
    assert.ok(now.kind === 'running' && now.waits);
    connection.send('s0', state('idle'));
    prompt.resolve('end_turn');
    await until(() => kind(made) === 'idle');
  });

  it('V2-TURN-12, V2-TURN-13: tasks in the background leave the session at rest, but busy', async () => {
    const { made, connection } = await loaded();
    const tabless = new TablessSessions(made.sessions);
    connection.send('s0', state('idle', { background: tasks(2) }));
    assert.deepEqual(turn(made), { kind: 'idle', background: 2 });
    assert.equal(made.session.isBusy, true);
    tabless.tabClosed(made.session);
    await idle();
    assert.deepEqual(made.sessions.all, [made.session]);
    const { prompt } = await prompted(made);
    connection.send(
      's0',
      state('running', { background: tasks(2) }),
      state('idle', { background: tasks(1) }),
    );
    prompt.resolve('end_turn');
    await until(() => kind(made) === 'idle');
    assert.deepEqual(turn(made), { kind: 'idle', background: 1 });
    connection.send('s0', state('idle', { background: tasks(0) }));
    assert.deepEqual(turn(made), { kind: 'idle' });
    assert.equal(made.session.isBusy, false);
    await until(() => made.sessions.all.length === 0);
    tabless.dispose();
  });

  it('V2-TURN-14: a turn of the agent is stopped when it says so, and updates are taken until then', async () => {
    const { made, connection } = await loaded();
    connection.send('s0', state('running'), call('c', { status: 'in_progress' }));
    made.session.turns.cancel();
    made.session.turns.cancel();
    assert.equal(cancels(made), 1);
    const now = turn(made);
    assert.ok(now.kind === 'running' && now.cancelling && !now.canForce);
    assert.equal(made.session.turns.isCancelling, true, 'its questions are answered at once');
    connection.send('s0', state('running'), change('c', { status: 'completed' }));
    assert.equal(made.session.transcript.toolCall('c')?.status, 'completed');
    connection.send('s0', state('idle', { stopReason: 'cancelled' }));
    assert.equal(kind(made), 'idle');
    assert.equal(made.session.turns.isCancelling, false);
    assert.deepEqual(lastOutcome(made.session), { type: 'stopped', stopReason: 'cancelled' });
  });

  it('V2-TURN-18: if it never does, the user may end it; it isn’t shown again until it has been idle', async () => {
    const { made, connection } = await loaded(oneMillisecond);
    connection.send('s0', state('running'));
    made.session.turns.forceFinish();
    assert.equal(kind(made), 'background', 'not before the user has canceled it');
    made.session.turns.cancel();
    await until(() => {
      const now = turn(made);
      return now.kind === 'running' && now.canForce;
    });
    made.session.turns.forceFinish();
    assert.equal(kind(made), 'idle');
    connection.send('s0', state('running'));
    assert.equal(kind(made), 'idle');
    connection.send('s0', state('idle'), state('running'));
    assert.equal(kind(made), 'background');
  });

  it('V2-TURN-18: nor does a turn of ours that the user has ended come back as one of the agent', async () => {
    const { made, connection } = await loaded(oneMillisecond);
    await prompted(made);
    connection.send('s0', state('running'));
    made.session.turns.cancel();
    await until(() => {
      const now = turn(made);
      return now.kind === 'running' && now.canForce;
    });
    made.session.turns.forceFinish();
    assert.equal(kind(made), 'idle');
  });

  it('V2-TURN-5: the reason error fails the turn with the agent’s words, and the prompt can be sent again', async () => {
    const { made, connection } = await loaded();
    const { prompt } = await prompted(made);
    connection.send('s0', state('running'), state('idle', { stopReason: 'error' }));
    prompt.reject(new AcpError('rpc', 'Quota is used up', { rpcCode: -32603 }));
    await until(() => kind(made) === 'idle');
    const outcome = lastOutcome(made.session);
    assert.ok(outcome.type === 'failed' && outcome.canResend);
    assert.match(`${outcome.failure.title} ${outcome.failure.detail}`, /Quota is used up/);
    made.session.turns.sendAgain(made.session.transcript.entries.length - 1);
    await until(() => connection.prompts.length === 2);
  });

  it('V2-TURN-5, V2-TURN-11: work of the agent that fails says why, and has no prompt to send again', async () => {
    const { made, connection } = await loaded();
    const error = { code: -32603, message: 'Quota is used up' };
    connection.send('s0', state('running'), call('c', { status: 'in_progress' }));
    connection.send('s0', state('idle', { stopReason: 'error', error }));
    const outcome = lastOutcome(made.session);
    assert.ok(outcome.type === 'failed' && !outcome.canResend);
    assert.match(`${outcome.failure.title} ${outcome.failure.detail}`, /Quota is used up/);
    assert.equal(made.session.transcript.toolCall('c')?.status, 'interrupted');
  });

  it('V2-TURN-6: a prompt that isn’t inserted doesn’t end the work that goes on', async () => {
    const { made, connection } = await loaded();
    connection.send('s0', state('running'));
    const { prompt } = await prompted(made);
    prompt.reject(new AcpError('rpc', 'No', { rpcCode: -32600 }));
    await until(() => kind(made) === 'background');
  });

  it('V2-TURN-2: it ends with its agent, and what the next one says counts anew', async () => {
    const { made, connection } = await loaded();
    connection.send('s0', state('running', { background: tasks(1) }));
    connection.die();
    await until(() => kind(made) === 'idle');
    assert.deepEqual(turn(made), { kind: 'idle' });
    await made.session.load();
    assert.equal(kind(made), 'idle');
    made.connections.at(-1)!.send('s0', agent('by myself'));
    assert.equal(kind(made), 'background', 'an agent that reports nothing is guessed at');
  });

  it('V2-TURN-2, T-40: the first report ends the guessing in the middle of a turn', async () => {
    const made = sessionBench((each) => replays(each, 'before'), { tailMs: -1, quietMs: 1 });
    await made.session.load();
    const connection = made.connections[0]!;
    connection.send('s0', agent('x'), state('running'));
    for (let round = 0; round < 5; round++) {
      await idle();
    }
    assert.equal(kind(made), 'background');
    connection.send('s0', state('idle'));
    assert.equal(kind(made), 'idle');
  });

  it('V2-TURN-11: a prompt sent into a turn that the agent takes up afterwards owns the turn that begins', async () => {
    const { made, connection } = await loaded();
    const { prompt } = await prompted(made);
    connection.send('s0', state('running'));
    const sent = made.session.turns.sendNow(made.session.turns.submit(draft('more')).id);
    await until(() => connection.steerings.length === 1);
    connection.send('s0', state('idle'));
    prompt.resolve('end_turn');
    await until(() => kind(made) === 'idle');
    connection.steerings[0]!.resolve('startedNewTurn');
    await sent;
    connection.send('s0', state('running'), whole('user', 'u', 'more'));
    assert.equal(kind(made), 'background');
    assert.deepEqual(texts(made.session), ['before', 'go', 'more']);
    connection.send('s0', state('idle'));
    assert.equal(kind(made), 'idle');
  });
});
