import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/model/agent';
import { AcpError } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { config, type FakeConnection, folder, session as info } from '../fakes';
import { replays, type SessionBench, sessionBench, sessionsBench, texts } from '../sessionBench';

/** Changes the settings entry of the agent, which ends it; the agent that takes its place. */
function replaced({ settings, agents }: Pick<SessionBench, 'settings' | 'agents'>): Agent {
  settings.set(config('demo', { args: ['--new'] }));
  const now = agents.get('demo');
  assert.ok(now);
  return now;
}

describe('an agent whose settings entry has changed', () => {
  it('stands for the one that has taken its place, and for itself once there is none', async () => {
    const made = sessionBench();
    const { agent, settings } = made;
    assert.equal(agent.current, agent);
    const now = replaced(made);
    assert.equal(agent.current, now);
    settings.set();
    assert.equal(agent.current, agent);
    await assert.rejects(agent.connect(), { code: 'cancelled' });
  });

  it('connects as the one that has taken its place, also those who wait for it to start', async () => {
    const made = sessionBench();
    const { connect, connections, agent } = made;
    const asked: (readonly string[])[] = [];
    made.connect = (wanted, signal) => {
      asked.push(wanted.args);
      return asked.length === 1 ? new Promise(() => undefined) : connect(wanted, signal);
    };
    const waiting = agent.connect();
    await until(() => asked.length === 1);
    const now = replaced(made);
    assert.equal(await waiting, connections[0]);
    assert.equal(await agent.connect(), connections[0]);
    assert.deepEqual(asked, [[], ['--new']]);
    assert.equal(now.state.kind, 'ready');
    assert.equal(agent.state.kind, 'stopped');
  });

  it('restarts as the one that has taken its place, which may run already', async () => {
    const made = sessionBench();
    const { agent, agents, connections } = made;
    const now = replaced(made);
    await now.connect();
    const restarted: Agent[] = [];
    agents.onDidRestart((one) => restarted.push(one));
    await agent.restart();
    assert.deepEqual(
      connections.map(({ closed }) => closed),
      [true, false],
    );
    assert.deepEqual(restarted, [now]);
  });

  it('its successor begins the session that it was asked for, and lists it', async () => {
    const made = sessionBench();
    const now = replaced(made);
    const list = now.lists.of(folder);
    const session = await made.sessions.create(made.agent, folder);
    assert.equal(session.agent, now);
    assert.ok(session.isLive);
    assert.deepEqual(
      list.rows.map((row) => row.info.sessionId),
      [session.info.sessionId],
    );
  });

  it('its successor is asked again for what it has not answered yet', async () => {
    const asked = deferred<undefined>();
    const made = sessionBench();
    const { sessions, agent, connections } = made;
    await agent.connect();
    const old = connections[0]!;
    old.opening = () => {
      asked.resolve(undefined);
      return new Promise(() => undefined);
    };
    const creating = sessions.create(agent, folder);
    await asked.promise;
    const now = replaced(made);
    const session = await creating;
    assert.equal(session.agent, now);
    assert.ok(session.isLive);
    assert.equal(sessions.all.filter((one) => one !== made.session).length, 1);
  });

  it('what its successor refuses is refused', async () => {
    const made = sessionsBench(['demo'], (connection) => {
      connection.opening = () => Promise.reject(new AcpError('authRequired', 'no'));
    });
    const old = made.agents.get('demo')!;
    const now = replaced(made);
    await assert.rejects(made.sessions.create(old, folder), { code: 'authRequired' });
    assert.equal(made.connections[0]?.places.length, 1);
    assert.ok(now.signInNeeded);
    assert.equal(old.signInNeeded, undefined);
  });

  it('its successor forks, renames, archives, and deletes', async () => {
    const made = sessionBench();
    const { sessions, agent, connections, session } = made;
    await session.close();
    const now = replaced(made);
    const forked = await sessions.fork(agent, session.info);
    assert.equal(forked.agent, now);
    await sessions.rename(agent, session.info, 'Other');
    await sessions.setArchived(agent, session.info, true);
    await sessions.delete(agent, session.info);
    assert.equal(connections.length, 1);
    assert.deepEqual(
      connections[0]?.calls.filter((call) => / s0/.test(call)),
      ['fork s0', 'title s0 Other', 'archive s0', 'delete s0'],
    );
  });

  it('a session of one of its rows is opened by its successor', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    const now = replaced(made);
    const session = made.sessions.open(made.agent, info('s1'));
    assert.equal(session.agent, now);
    await session.load();
    assert.deepEqual(texts(session), ['a']);
  });

  for (const [when, hold] of Object.entries<(connection: FakeConnection) => Promise<void>>({
    starts: () => new Promise(() => undefined),
    loads: (connection) => {
      connection.replay = () => new Promise(() => undefined);
      return Promise.resolve();
    },
  })) {
    it(`a session that it is opening while it ${when} is opened by its successor`, async () => {
      const made = sessionBench((connection) => replays(connection, 'a'));
      const { connect, session } = made;
      let begun = false;
      made.connect = async (wanted, signal) => {
        const connection = await connect(wanted, signal);
        if (!begun) {
          begun = true;
          await hold(connection);
        }
        return connection;
      };
      const loading = session.load();
      await until(() => begun && (when === 'starts' || made.connections[0]?.loads.length === 1));
      const now = replaced(made);
      await loading;
      assert.equal(session.phase.kind, 'ready');
      assert.equal(session.agent, now);
      assert.ok(session.isLive);
      assert.deepEqual(texts(session), ['a']);
    });
  }
});
