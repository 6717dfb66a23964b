import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { McpServer } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { until } from '../../../support/until';
import { allCapabilities, folder, session as info, paged } from '../fakes';
import { draft, prompted, replays, sessionBench, texts } from '../sessionBench';
import { agent } from '../updates';

const server: McpServer = { type: 'stdio', name: 'm', command: '/bin/m', args: [], env: {} };

describe('Sessions: new ones', () => {
  it('NEW-1, NEW-4, NEW-5: is made in its folder, ready, empty and listed', async () => {
    const made = sessionBench((connection) => {
      connection.opening = () => ({ sessionId: 'a/ b', modes: { currentModeId: 'x', modes: [] } });
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const session = await made.sessions.create(made.agent, folder);
    assert.deepEqual(session.phase, { kind: 'ready' });
    assert.deepEqual(session.transcript.entries, []);
    assert.equal(session.facts.modes?.currentModeId, 'x');
    assert.equal(made.sessions.find('demo', 'a/ b'), session);
    assert.deepEqual(
      list.rows.map((row) => row.info.sessionId),
      ['a/ b'],
    );
    session.turns.submit(draft('hi'));
    await until(() => made.connections[0]?.prompts.length === 1);
    assert.deepEqual(made.connections[0]?.calls, [`new ${folder.path}`, 'prompt a/ b hi']);
  });

  it('T-161: a prepared one is in no list before it is published, whatever the agent lists', async () => {
    const made = sessionBench((connection) => {
      const listed = { sessionId: 'p', cwd: folder.path, additionalDirectories: [] };
      connection.list = () => ({ sessions: [listed] });
      connection.opening = () => ({ sessionId: 'p' });
    });
    const list = made.agent.lists.of(folder);
    const ids = () => list.rows.map((row) => row.info.sessionId);
    const session = await made.sessions.prepare(made.agent, folder);
    await list.load();
    const [connection] = made.connections;
    connection?.send('p', { sessionUpdate: 'session_info_update', title: 'Nothing yet' });
    assert.deepEqual([ids(), made.sessions.find('demo', 'p')], [[], undefined]);
    made.sessions.publish(session);
    assert.deepEqual([ids(), made.sessions.find('demo', 'p')], [['p'], session]);
    await session.close();

    const unused = await made.sessions.prepare(made.agent, folder);
    assert.deepEqual(ids(), []);
    await made.sessions.discard(unused);
    assert.deepEqual(connection?.calls.slice(-2), ['close p', 'delete p']);
    await list.refresh();
    assert.deepEqual(ids(), ['p'], 'what the agent keeps nevertheless is shown');
  });

  it('T-161: prepared ones are closed and deleted when the window ends, which waits for no agent that is silent', async () => {
    const made = sessionBench();
    const session = await made.sessions.prepare(made.agent, folder);
    const { sessionId } = session.info;
    await made.sessions.discardPrepared();
    const [connection] = made.connections;
    assert.deepEqual(connection?.calls.slice(-2), [`close ${sessionId}`, `delete ${sessionId}`]);
    await made.sessions.prepare(made.agent, folder);
    connection.deleteSession = () => new Promise(() => undefined);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let isOver = false;
      const over = made.sessions.discardPrepared().then(() => {
        isOver = true;
      });
      mock.timers.tick(999);
      await Promise.resolve();
      assert.ok(!isOver);
      mock.timers.tick(1);
      await over;
    } finally {
      mock.timers.reset();
    }
  });

  it('T-161: a prepared one isn’t said to be continued elsewhere after its first prompt took its time', async () => {
    const made = sessionBench((connection) => {
      connection.opening = () => ({ sessionId: 'p' });
    });
    made.agent.lists.of(folder);
    const session = await made.sessions.prepare(made.agent, folder);
    const [wall, steady] = [Date.now() + 60_000, performance.now() + 60_000];
    mock.timers.enable({ apis: ['Date'], now: wall });
    const clock = mock.method(performance, 'now', () => steady);
    try {
      made.sessions.publish(session);
      assert.equal(session.elsewhere.wentOn, false);
    } finally {
      clock.mock.restore();
      mock.timers.reset();
    }
  });

  it('NEW-8, CM-3, T-19: what comes before and after the answer counts', async () => {
    const command = { name: 'plan', description: 'Plans' };
    const made = sessionBench((connection) => {
      connection.opening = () => {
        connection.send(
          'n',
          { sessionUpdate: 'available_commands_update', availableCommands: [command] },
          { sessionUpdate: 'usage_update', used: 1, size: 2 },
        );
        return { sessionId: 'n' };
      };
    });
    const session = await made.sessions.create(made.agent, folder);
    assert.deepEqual(session.facts.commands, [command]);
    assert.equal(session.facts.usage?.used, 1);
    made.connections[0]!.send('n', agent('hello'));
    assert.deepEqual(texts(session), ['hello']);
  });

  it('NEW-7: several on one connection do not mix', async () => {
    const made = sessionBench();
    const first = await made.sessions.create(made.agent, folder);
    const second = await made.sessions.create(made.agent, folder);
    for (const session of [first, second]) {
      session.turns.submit(draft(`for ${session.info.sessionId}`));
    }
    const { prompts } = made.connections[0]!;
    await until(() => prompts.length === 2);
    made.connections[0]!.send(first.info.sessionId, agent('1'));
    made.connections[0]!.send(second.info.sessionId, agent('2'));
    prompts[1]!.resolve('end_turn');
    await until(() => second.turns.current.kind === 'idle');
    assert.equal(first.turns.current.kind, 'running');
    assert.deepEqual(texts(first), ['for new1', '1']);
    assert.deepEqual(texts(second), ['for new2', '2']);
  });

  it('AUTH-13: a refusal is the caller’s', async () => {
    const made = sessionBench((connection) => {
      connection.opening = () => Promise.reject(new AcpError('authRequired', 'x'));
    });
    await assert.rejects(made.sessions.create(made.agent, folder), AcpError);
    assert.deepEqual(made.sessions.all, [made.session]);
  });

  it('AUTH-13: an agent that lists but opens no session without a login says so until it does', async () => {
    const facts = { rpcCode: -32000 };
    let refusal: AcpError | undefined = new AcpError('authRequired', 'Run `fern login`', facts);
    const made = sessionBench((connection) => {
      connection.opening = () =>
        refusal === undefined ? { sessionId: 'n' } : Promise.reject(refusal);
    });
    let changes = 0;
    made.agents.onDidChangeAgent(() => {
      changes += 1;
    });
    await made.agent.connect();
    const needed = (): unknown => made.agent.signInNeeded?.said;
    assert.equal(needed(), undefined);
    const before = changes;
    await assert.rejects(made.sessions.create(made.agent, folder), AcpError);
    assert.equal(needed(), 'Run `fern login`');
    assert.equal(changes, before + 1);
    refusal = new AcpError('rpc', 'Out of pots', { rpcCode: -32603 });
    await assert.rejects(made.sessions.create(made.agent, folder), AcpError);
    assert.ok(needed(), 'another error says nothing of a login');
    refusal = undefined;
    await made.sessions.create(made.agent, folder);
    assert.equal(needed(), undefined);
  });

  it('AUTH-12: after signing out nothing stays live, and opens once more after a login', async () => {
    const made = sessionBench();
    await made.session.load();
    const { connection } = await prompted(made);
    await made.sessions.signOut(made.agent);
    assert.equal(made.session.isLive, false);
    assert.ok(made.session.phase.kind === 'failed');
    assert.equal(made.session.phase.failure.code, 'authRequired');
    assert.equal(made.agent.state.kind, 'ready');
    connection.send('s0', agent('too late'));
    await made.session.reload();
    assert.deepEqual(made.session.phase.kind, 'empty');
    assert.deepEqual(connection.calls, [
      'load s0',
      'prompt s0 go',
      'logout',
      'cancel s0',
      'close s0',
      'load s0',
    ]);
  });

  it('AUTH-12: an agent that can’t close what it holds is ended', async () => {
    const made = sessionBench((connection) => {
      connection.capabilities = { ...connection.capabilities, close: false };
    });
    await made.session.load();
    await made.sessions.signOut(made.agent);
    assert.equal(made.session.isLive, false);
    assert.notEqual(made.agent.state.kind, 'ready');
  });

  it('MCP-1, MCP-6, DIR-4: servers and roots go along each time', async () => {
    const made = sessionBench();
    made.mcpServers = [server];
    const roots = { cwd: '/x', additionalDirectories: ['/lib'] };
    const listed = info('x', roots);
    await made.sessions.create(made.agent, folder);
    await made.sessions.open(made.agent, listed).load();
    await made.sessions.open(made.agent, listed).reload();
    await made.sessions.resume(made.agent, info('y', roots));
    await made.sessions.fork(made.agent, listed);
    const { places, loads, resumes, forks } = made.connections[0]!;
    const place = { cwd: folder.path, additionalDirectories: [], mcpServers: [server] };
    assert.deepEqual(places, [place]);
    const target = { sessionId: 'x', ...roots, mcpServers: [server] };
    assert.deepEqual(loads.slice(0, 2), [target, target]);
    assert.deepEqual(resumes, [{ ...target, sessionId: 'y' }]);
    assert.deepEqual(forks, [target]);
  });

  it('MCP-1: which servers go along depends on what the agent calls itself', async () => {
    const made = sessionBench((connection) => {
      Object.assign(connection, { info: { name: 'reads-itself' } });
    });
    made.mcpServers = [server];
    await made.sessions.create(made.agent, folder);
    await made.sessions.open(made.agent, info('x')).load();
    await made.sessions.fork(made.agent, info('x'));
    const { places, loads, forks } = made.connections[0]!;
    const sent = [...places, ...loads, ...forks];
    assert.ok(sent.length >= 3);
    assert.ok(sent.every(({ mcpServers }) => mcpServers.length === 0));
  });
});

describe('Sessions: resuming and forking', () => {
  it('RES-4, RES-5, RES-6: is open without history, and stays so while it is prompted', async () => {
    const made = sessionBench((connection) => {
      connection.resuming = () => ({ modes: { currentModeId: 'x', modes: [] } });
    });
    const session = await made.sessions.resume(made.agent, made.session.info);
    assert.equal(session, made.session);
    assert.deepEqual(session.phase, { kind: 'resumed' });
    assert.equal(session.facts.modes?.currentModeId, 'x');
    const { connection } = await prompted(made);
    connection.send('s0', agent('answer'));
    assert.deepEqual(connection.calls, ['resume s0', 'prompt s0 go']);
    assert.deepEqual(session.phase, { kind: 'resumed' });
  });

  it('RES-4: history that comes all the same is shown once, before the answer or after it', async () => {
    const made = sessionBench((connection) => {
      replays(connection, 'a', 'b');
      connection.resuming = (target) => connection.replay(target);
    });
    await made.session.resume();
    assert.deepEqual(made.session.phase, { kind: 'ready' });
    assert.deepEqual(texts(made.session), ['a', 'b']);
    made.connections[0]!.die();
    await made.session.resume();
    assert.deepEqual(texts(made.session), ['a', 'b'], 'it replaces what was kept');
    const late = sessionBench();
    await late.session.resume();
    late.connections[0]!.send('s0', agent('late'));
    assert.deepEqual(late.session.phase, { kind: 'ready' });
  });

  it('RES-4: a plan or a compaction is such history, too; updates about the session itself aren’t', async () => {
    const firsts: Record<string, SessionUpdate> = {
      plan: {
        sessionUpdate: 'plan',
        entries: [{ content: 'x', priority: 'medium', status: 'pending' }],
      },
      compaction: { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
    };
    for (const [kind, first] of Object.entries(firsts)) {
      const { session, connections } = sessionBench((connection) => {
        replays(connection, 'a');
        connection.resuming = () => {
          connection.send('s0', { sessionUpdate: 'usage_update', used: 1, size: 2 });
          connection.send('s0', first);
          return {};
        };
      });
      await session.load();
      connections[0]!.die();
      await session.resume();
      assert.deepEqual(
        session.transcript.entries.map((entry) => entry.kind),
        [kind],
      );
    }
  });

  it('RES-1, RES-2: an agent that cannot is not asked to', async () => {
    const made = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, resume: false };
    });
    await made.session.resume();
    assert.equal(made.session.phase.kind, 'failed');
    assert.deepEqual(made.connections[0]?.calls, []);
  });

  it('a fork is another session with the history, or without where it cannot be loaded', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    const fork = await made.sessions.fork(made.agent, made.session.info);
    assert.notEqual(fork, made.session);
    await fork.load();
    assert.deepEqual(texts(fork), ['a']);
    const bare = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, load: false };
    });
    const without = await bare.sessions.fork(bare.agent, bare.session.info);
    assert.deepEqual(without.phase, { kind: 'resumed' });
    assert.deepEqual(bare.connections[0]?.calls, ['fork s0']);
  });
});

describe('Sessions: the title of a fork', () => {
  it('says whose fork it is until the agent gives it another', async () => {
    const made = sessionBench();
    const fork = await made.sessions.fork(made.agent, info('s9', { title: 'Tidy up' }));
    assert.equal(fork.title, 'Fork of Tidy up');
    fork.setInfo({ ...fork.info, title: 'Tidy up again' });
    assert.equal(fork.title, 'Tidy up again');
  });
});

describe('Sessions: closing, deleting, renaming, archiving', () => {
  async function listedBench() {
    const made = sessionBench((connection) => {
      connection.list = paged([info('s0', { title: 'First' }), info('s1')]);
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const ids = (): string[] => list.rows.map((row) => row.info.sessionId);
    return { ...made, list, ids };
  }

  it('CLOSE-4, CLOSE-6: a turn under way is canceled, and the row stays', async () => {
    const made = await listedBench();
    const { connection, prompt } = await prompted(made);
    made.session.turns.submit(draft('waits'));
    await made.session.close();
    assert.deepEqual(connection.calls, ['load s0', 'prompt s0 go', 'cancel s0', 'close s0']);
    prompt.resolve('cancelled');
    assert.equal(made.session.turns.current.kind, 'idle');
    assert.ok(!made.session.isBusy, 'what waits is kept and not sent');
    assert.deepEqual(made.ids(), ['s0', 's1']);
  });

  it('T-46: what was listed during its last turn is no more at work once it is closed', async () => {
    const made = sessionBench((connection) => {
      const rows = ['s0', 's1'].map((id) => info(id, { state: 'running' }));
      connection.list = paged(rows);
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const states = (): unknown[] => list.rows.map((row) => row.info.state);
    const { prompt } = await prompted(made);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await made.session.close();
    assert.deepEqual(states(), ['idle', 'running']);
    const read = made.sessions.open(made.agent, info('s1'));
    await read.load();
    await read.close();
    assert.deepEqual(states(), ['idle', 'running'], 'nobody worked in it here');
    await list.refresh();
    assert.deepEqual(states(), ['running', 'running'], 'the agent knows better');
  });

  it('DEL-3, DEL-5: an open one is canceled, closed, then deleted, and its row goes', async () => {
    const made = await listedBench();
    const { connection } = await prompted(made);
    await made.sessions.delete(made.agent, made.session.info);
    assert.deepEqual(connection.calls.slice(2), ['cancel s0', 'close s0', 'delete s0']);
    assert.deepEqual(made.ids(), ['s1']);
    assert.equal(made.sessions.find('demo', 's0'), undefined);
  });

  it('DEL-3: the row stays when the agent refuses', async () => {
    const made = await listedBench();
    made.connections[0]!.changing = () => Promise.reject(new AcpError('rpc', 'no'));
    await assert.rejects(made.sessions.delete(made.agent, info('s1')), AcpError);
    assert.deepEqual(made.ids(), ['s0', 's1']);
  });

  it('DEL-1, DEL-2: nothing is closed or sent where the agent cannot', async () => {
    const made = await listedBench();
    await made.session.load();
    made.connections[0]!.capabilities = { ...allCapabilities, delete: false, archive: false };
    await assert.rejects(made.sessions.delete(made.agent, made.session.info), AcpError);
    await assert.rejects(made.sessions.setArchived(made.agent, made.session.info, true), AcpError);
    assert.deepEqual(made.connections[0]?.calls, ['load s0']);
  });

  it('a new title shows in the row and the session, as the agent made it', async () => {
    const made = await listedBench();
    await made.sessions.rename(made.agent, made.session.info, ' Better ');
    assert.equal(made.session.title, 'Better');
    assert.equal(made.list.find('s0')?.title, 'Better');
  });

  it('the agent’s archived sessions are listed once they’re looked for, and the filter stays', async () => {
    const rows = [info('s0'), info('s2', { archived: true })];
    const made = await listedBench();
    const connection = made.connections[0]!;
    connection.list = ({ archived, cursor }) => ({
      sessions: (cursor === undefined ? rows.slice(0, 1) : rows.slice(1)).filter(
        (row) => archived === 'include' || row.archived !== true,
      ),
      ...(cursor === undefined && { nextCursor: 'p1' }),
    });
    await made.list.refresh();
    assert.ok(connection.queries.every((query) => !('archived' in query)));
    const before = connection.queries.length;
    made.agents.includeArchived();
    made.agents.includeArchived();
    await until(() => connection.queries.length > before);
    await made.list.loadMore();
    assert.equal(made.list.find('s2')?.info.archived, true);
    const since = connection.queries.slice(before);
    assert.ok(since.length > 1 && since.every(({ archived }) => archived === 'include'));
    await made.sessions.setArchived(made.agent, info('s2'), false);
    assert.equal(made.list.find('s2')?.info.archived, false);
    await made.sessions.setArchived(made.agent, info('s0'), true);
    assert.equal(made.list.find('s0')?.info.archived, true);
  });

  it('an agent that can’t archive isn’t asked for archived sessions', async () => {
    const made = await listedBench();
    const connection = made.connections[0]!;
    connection.capabilities = { ...allCapabilities, archive: false };
    made.agents.includeArchived();
    await made.list.refresh();
    assert.ok(connection.queries.every((query) => !('archived' in query)));
  });

  it('a session that the agent has archived is unarchived before it is opened', async () => {
    const made = await listedBench();
    const opened = made.sessions.open(made.agent, info('s1', { archived: true }));
    await opened.load();
    assert.deepEqual(made.connections[0]?.calls, ['unarchive s1', 'load s1']);
    assert.equal(opened.phase.kind, 'empty');
  });

  it('an archived one is closed, and its row goes', async () => {
    const made = await listedBench();
    await made.session.load();
    await made.sessions.setArchived(made.agent, made.session.info, true);
    assert.deepEqual(made.connections[0]?.calls, ['load s0', 'close s0', 'archive s0']);
    assert.deepEqual(made.ids(), ['s1']);
  });
});
