import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { allCapabilities, config, idle, session as info } from '../fakes';
import {
  draft,
  failureOf,
  lastOutcome,
  prompted,
  replays,
  sessionBench,
  texts,
} from '../sessionBench';
import { agent } from '../updates';

const heldElsewhere = (): AcpError =>
  new AcpError('held', 'Session s0 is already loaded', { rpcCode: -32602 });

describe('Sessions: coming back with their agent', () => {
  it('LOAD-7: a restart loads every open session once, and only those', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    const other = made.sessions.open(made.agent, info('s1'));
    await Promise.all([made.session.load(), other.load()]);
    const closed = made.sessions.open(made.agent, info('s2'));
    await closed.load();
    await closed.close();
    await made.agent.restart();
    await until(() => made.session.isLive && other.isLive);
    assert.deepEqual(made.connections[1]?.calls, ['load s0', 'load s1']);
    assert.deepEqual([texts(made.session), texts(other)], [['a'], ['a']]);
  });

  it('whoever starts it again, after it has ended by itself or was stopped', async () => {
    for (const end of ['die', 'stop'] as const) {
      const made = sessionBench((connection) => replays(connection, 'a'));
      const other = made.sessions.open(made.agent, info('s1'));
      await Promise.all([made.session.load(), other.load()]);
      if (end === 'die') {
        made.connections[0]?.die();
      } else {
        await made.agent.stop();
      }
      assert.equal(other.phase.kind, 'failed');
      await made.session.reload();
      await until(() => other.isLive);
      assert.deepEqual(made.connections[1]?.calls.toSorted(), ['load s0', 'load s1']);
    }
  });

  it('one that the agent couldn’t be started for comes with it; one that was canceled stays', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    const { connect } = made;
    made.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    await made.session.load();
    assert.equal(failureOf(made.session).code, 'notFound');
    made.connect = connect;
    const other = made.sessions.open(made.agent, info('s1'));
    const loading = other.load();
    other.cancelLoad();
    await loading;
    await made.agent.connect();
    await until(() => made.session.isLive);
    assert.equal(other.phase.kind, 'cancelled');
  });

  it('is resumed where it can’t be loaded, and keeps what was shown', async () => {
    const made = sessionBench();
    made.connect = ((connect) => async (wanted, signal) => {
      const connection = await connect(wanted, signal);
      connection.capabilities = { ...allCapabilities, load: false };
      return connection;
    })(made.connect);
    const { connection: first, prompt } = await prompted(made, 'one');
    first.send('s0', agent('yes'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await made.agent.restart();
    await until(() => made.session.isLive);
    assert.deepEqual(made.connections[1]?.calls, ['resume s0']);
    assert.deepEqual(texts(made.session), ['one', 'yes']);
  });

  it('what has failed with the agent is said again, and its prompt can still be sent', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    await made.session.load();
    const { connection } = await prompted(made, 'go');
    connection.die();
    await until(() => made.session.turns.current.kind === 'idle');
    const failed = lastOutcome(made.session);
    await made.agent.restart();
    await until(() => made.session.isLive);
    assert.deepEqual(texts(made.session), ['a', 'turn']);
    assert.deepEqual(lastOutcome(made.session), failed);
    await made.session.reload();
    assert.deepEqual(texts(made.session), ['a', 'turn']);
    made.session.turns.sendAgain(1);
    await until(() => made.connections[1]?.prompts.length === 1);
    assert.ok(made.connections[1]?.calls.includes('prompt s0 go'));
    made.connections[1]?.prompts[0]?.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await made.session.reload();
    assert.deepEqual(texts(made.session), ['a']);
  });

  it('one whose load ends the agent isn’t tried by itself, so it can’t end it forever', async () => {
    const made = sessionBench((connection) => {
      connection.replay = ({ sessionId }) => {
        if (sessionId === 's0') {
          connection.die();
        }
      };
    });
    const other = made.sessions.open(made.agent, info('s1'));
    await made.session.load();
    assert.equal(made.session.phase.kind, 'failed');
    await other.load();
    assert.ok(other.isLive);
    await idle();
    assert.equal(made.session.phase.kind, 'failed');
    assert.equal(made.connections.length, 2);
  });

  it('with a changed entry, they come back with the new agent', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    await made.session.load();
    made.settings.set(config('demo', { args: ['--new'], title: 'New' }));
    await made.agents.get('demo')?.connect();
    await until(() => made.session.isLive);
    assert.equal(made.session.agent.title, 'New');
  });
});

describe('Sessions: open in another process (T-60)', () => {
  it('is called that, and is still there', async () => {
    const made = sessionBench((connection) => {
      connection.replay = () => Promise.reject(heldElsewhere());
    });
    await made.session.load();
    const { code, title, detail, actions } = failureOf(made.session);
    assert.equal(code, 'held');
    assert.doesNotMatch(`${title} ${detail}`, /deleted|expired|no longer|not available/);
    assert.match(detail, /already loaded/);
    assert.ok(actions.includes('retry'));
    assert.equal(made.session.writable.kind, 'yes');
    assert.ok(!actions.includes('forgetSession'));
  });

  it('is asked for again after a pause, as a process of before may still end', async () => {
    let refusals = 2;
    const made = sessionBench(
      (connection) => {
        connection.replay = () => (refusals-- > 0 ? Promise.reject(heldElsewhere()) : undefined);
      },
      { heldMs: [1, 1] },
    );
    await made.session.load();
    assert.ok(made.session.isLive);
    assert.deepEqual(made.connections[0]?.calls, ['load s0', 'load s0', 'load s0']);
  });

  it('can be canceled while it waits', async () => {
    const made = sessionBench(
      (connection) => {
        connection.replay = () => Promise.reject(heldElsewhere());
      },
      { heldMs: [3_600_000] },
    );
    const loading = made.session.load();
    await until(() => made.connections[0]?.calls.length === 1);
    await idle();
    made.session.cancelLoad();
    await loading;
    assert.equal(made.session.phase.kind, 'cancelled');
  });

  it('is tried again once the user has restarted the agent', async () => {
    const made = sessionBench((connection) => {
      connection.replay = () =>
        made.connections.length === 1 ? Promise.reject(heldElsewhere()) : undefined;
    });
    await made.session.load();
    assert.equal(failureOf(made.session).code, 'held');
    await made.agent.restart();
    await until(() => made.session.isLive);
  });

  it('a prompt to it fails with the same words, and can be sent again', async () => {
    const made = sessionBench((connection) => {
      connection.replay = () => Promise.reject(heldElsewhere());
    });
    made.session.turns.submit(draft('hi'));
    await until(() => made.session.turns.current.kind === 'idle');
    const last = made.session.transcript.entries.at(-1);
    assert.ok(last?.kind === 'turn' && last.outcome.type === 'failed');
    assert.equal(last.outcome.failure.code, 'held');
  });
});
