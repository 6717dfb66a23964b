import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { allCapabilities, folder, idle, session as info, paged } from '../fakes';
import { replays, sessionBench, sessionsBench, texts } from '../sessionBench';
import { agent } from '../updates';

const titled = (title: string | null): SessionUpdate => ({
  sessionUpdate: 'session_info_update',
  title,
});
const notice: SessionUpdate = { sessionUpdate: 'notice', severity: 'warning', title: 'Careful' };

describe('Sessions', () => {
  it('a second open is the same session', () => {
    const { sessions, session, agent: demo } = sessionBench();
    assert.equal(sessions.open(demo, info('s0', { title: 'Other' })), session);
    assert.equal(sessions.find('demo', 's0'), session);
    assert.deepEqual(sessions.all, [session]);
  });

  it('opening starts nothing', () => {
    assert.equal(sessionBench().connections.length, 0);
  });

  it('UP-1: an update reaches its own session and no other', async () => {
    const { sessions, session, agent: demo, connections } = sessionBench();
    const other = sessions.open(demo, info('s1'));
    await Promise.all([session.load(), other.load()]);
    connections[0]!.send('s1', agent('for s1'));
    connections[0]!.send('s2', agent('for nobody'));
    assert.deepEqual(texts(session), []);
    assert.deepEqual(texts(other), ['for s1']);
  });

  it('UP-1: the same id at two agents is two sessions', async () => {
    const { agents, sessions, connections } = sessionsBench(['a', 'b']);
    const [first, second] = agents.all.map((each) => sessions.open(each, info('x')));
    await first!.load();
    await second!.load();
    connections[1]!.send('x', agent('from b'));
    assert.deepEqual(texts(first!), []);
    assert.deepEqual(texts(second!), ['from b']);
  });

  it('T-19: what an agent says of a session before it is opened is not lost', async () => {
    const { sessions, agent: demo, connections } = sessionBench();
    await demo.connect();
    const command = { name: 'plan', description: 'Plans' };
    connections[0]!.send(
      'early',
      { sessionUpdate: 'available_commands_update', availableCommands: [command] },
      titled('Pushed'),
    );
    const early = sessions.open(demo, info('early'));
    assert.deepEqual(early.facts.commands, [command]);
    assert.equal(early.title, 'Pushed');
  });

  it('T-19: within bounds, and not beyond the connection', async () => {
    const { sessions, agent: demo, connections } = sessionBench();
    await demo.connect();
    for (let index = 0; index < 40; index++) {
      connections[0]!.send(`e${index}`, titled(`Title ${index}`));
    }
    connections[0]!.send('much', ...Array.from({ length: 200 }, (_, n) => titled(`Title ${n}`)));
    assert.equal(sessions.open(demo, info('e0')).title, 'Untitled session');
    assert.equal(sessions.open(demo, info('e39')).title, 'Title 39');
    assert.equal(sessions.open(demo, info('much')).title, 'Title 99');
    connections[0]!.die();
    assert.equal(sessions.open(demo, info('e38')).title, 'Untitled session');
  });

  it('INFO-1, INFO-2: a pushed title shows in the session and in its row', async () => {
    const {
      agent: demo,
      session,
      connections,
    } = sessionBench((connection) => {
      connection.list = paged([info('s0', { title: 'First' })]);
    });
    const list = demo.lists.of(folder);
    await list.load();
    let changes = 0;
    session.onDidChange(() => changes++);
    connections[0]!.send('s0', titled('Second\nline'), titled('Second line'));
    assert.equal(session.title, 'Second line');
    assert.equal(list.rows[0]?.title, 'Second line');
    assert.equal(changes, 1);
    connections[0]!.send('s0', titled(null));
    assert.equal(session.title, 'Untitled session');
  });

  it('a title that only the list knows reaches the open session', async () => {
    const {
      agent: demo,
      session,
      connections,
    } = sessionBench((connection) => {
      connection.list = paged([info('s0', { title: 'Renamed' })]);
    });
    await demo.lists.of(folder).load();
    assert.equal(session.title, 'Renamed');
    connections[0]!.list = paged([info('s0', { title: 'Again' })]);
    await demo.lists.of(folder).refresh();
    assert.equal(session.title, 'Again');
  });

  it('T-30: says while it loads what the starting agent prints instead of messages', async () => {
    const made = sessionBench();
    const connect = made.connect;
    made.connect = (config, signal, signs) => {
      signs?.onNoise?.('Welcome to the chat');
      return connect(config, signal);
    };
    const phases: unknown[] = [];
    made.session.onDidChange(() => phases.push(made.session.phase));
    await made.session.load();
    assert.deepEqual(phases[1], { kind: 'loading', received: 0, prints: 'Welcome to the chat' });
    assert.deepEqual(phases[2], { kind: 'loading', received: 0 });
    assert.equal(made.session.phase.kind, 'empty');
  });

  it('opening and loading leave the row as it is', async () => {
    const { agent: demo, session } = sessionBench((connection) => {
      connection.list = paged([info('s0', { title: 'First' })]);
    });
    const list = demo.lists.of(folder);
    await list.load();
    const before = list.rows[0];
    await session.load();
    assert.equal(list.rows[0], before);
  });

  it('LOAD-10, NO-3, NO-4, V2-NOTICE-2: a notice is reported and never kept', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.replay = () => connection.send('s0', agent('a'), notice);
    });
    const notices: unknown[] = [];
    session.onNotice((it) => notices.push(it));
    await session.load();
    connections[0]!.send('s0', notice);
    assert.deepEqual(notices, [notice, notice]);
    assert.deepEqual(texts(session), ['a']);
  });

  it('tells which session was opened, changed and closed', async () => {
    const { sessions, session, agent: demo } = sessionBench();
    const heard: string[] = [];
    sessions.onDidChange(({ info: { sessionId }, phase }) =>
      heard.push(`${sessionId} ${phase.kind}`),
    );
    const other = sessions.open(demo, info('s1'));
    await session.load();
    await other.close();
    const phases = heard.filter((phase, index) => phase !== heard[index - 1]);
    assert.deepEqual(phases, ['s1 loading', 's0 loading', 's0 empty', 's1 loading']);
    assert.deepEqual(sessions.all, [session]);
  });
});

describe('Sessions: closing', () => {
  it('CLOSE-3: the agent is told once', async () => {
    const { session, connections } = sessionBench((connection) => replays(connection, 'a'));
    await session.load();
    await Promise.all([session.close(), session.close()]);
    assert.deepEqual(connections[0]?.calls, ['load s0', 'close s0']);
  });

  it('CLOSE-2: an agent that cannot close is not told', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, close: false };
    });
    await session.load();
    await session.close();
    assert.deepEqual(connections[0]?.calls, ['load s0']);
  });

  it('a session that was never loaded, or whose agent is gone, is only forgotten', async () => {
    const first = sessionBench();
    await first.session.close();
    assert.equal(first.connections.length, 0);
    const second = sessionBench();
    await second.session.load();
    second.connections[0]!.die();
    await second.session.close();
    assert.deepEqual(second.connections[0]?.calls, ['load s0']);
  });

  it('CLOSE-3: a session that was never fully loaded needn’t be closed', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.replay = () => Promise.reject(new AcpError('gone', 'x'));
    });
    await session.load();
    await session.reload();
    await session.close();
    assert.deepEqual(connections[0]?.calls, ['load s0', 'load s0']);
  });

  it('CLOSE-6: the row stays', async () => {
    const { session, agent: demo } = sessionBench((connection) => {
      connection.list = paged([info('s0')]);
    });
    const list = demo.lists.of(folder);
    await list.load();
    await session.load();
    await session.close();
    assert.equal(list.rows.length, 1);
  });

  it('LOAD-12: closing during the replay cancels, closes, and takes nothing more', async () => {
    const { sessions, session, connections } = sessionBench((connection) => {
      connection.replay = async () => {
        connection.send('s0', agent('a'));
        await new Promise(() => undefined);
      };
    });
    void session.load();
    await until(() => session.transcript.updates === 1);
    await session.close();
    assert.deepEqual(connections[0]?.calls, ['load s0', 'close s0']);
    connections[0].send('s0', agent('leftover'));
    assert.deepEqual(texts(session), []);
    assert.equal(sessions.find('demo', 's0'), undefined);
    await session.load();
    assert.equal(connections[0].loads.length, 1);
  });

  it('the memory of the transcript is given back', async () => {
    const { session } = sessionBench((connection) => replays(connection, 'a', 'b'));
    await session.load();
    await session.close();
    assert.equal(session.transcript.entries.length, 0);
  });

  it('T-10: opened again at once, it is loaded when the agent has let go of it', async () => {
    const go = deferred<undefined>();
    const {
      sessions,
      session,
      agent: demo,
      connections,
    } = sessionBench((connection) => {
      replays(connection, 'a');
      connection.closing = async () => {
        await go.promise;
      };
    });
    await session.load();
    void session.close();
    const again = sessions.open(demo, session.info);
    assert.notEqual(again, session);
    const loaded = again.load();
    await idle();
    assert.deepEqual(connections[0]?.calls, ['load s0', 'close s0']);
    go.resolve(undefined);
    await loaded;
    assert.deepEqual(connections[0].calls, ['load s0', 'close s0', 'load s0']);
    assert.deepEqual(texts(again), ['a']);
  });
});
