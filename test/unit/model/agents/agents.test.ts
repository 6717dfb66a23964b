import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/model/agent';
import type { StartSigns } from '../../../../src/model/agents/connect';
import { AcpError } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import {
  type AgentsBench,
  bench,
  config,
  FakeConnection,
  folder,
  idle,
  paged,
  sessions,
} from '../fakes';

function agentBench(): AgentsBench & { agent: Agent } {
  const made = bench();
  const agent = made.agents.get('demo');
  assert.ok(agent);
  return Object.assign(made, { agent });
}

describe('Agent', () => {
  it('invariant 5: however many ask, one process is started', async () => {
    const { agent, connections } = agentBench();
    const all = await Promise.all([agent.connect(), agent.connect(), agent.connect()]);
    assert.equal(connections.length, 1);
    assert.ok(all.every((connection) => connection === connections[0]));
    assert.equal(await agent.connect(), connections[0]);
    assert.equal(agent.state.kind, 'ready');
  });

  it('says each state once', async () => {
    const { agent, agents } = agentBench();
    const states: string[] = [];
    agents.onDidChangeAgent(() => states.push(agent.state.kind));
    await agent.connect();
    await agent.stop();
    await agent.stop();
    assert.deepEqual(states, ['starting', 'ready', 'stopped']);
  });

  it('a start that fails rejects for all, and the state has it in words', async () => {
    const made = agentBench();
    made.connect = () => Promise.reject(new AcpError('notFound', 'ENOENT', { subject: 'nope' }));
    const outcomes = await Promise.allSettled([made.agent.connect(), made.agent.connect()]);
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.ok(made.agent.state.kind === 'failed');
    assert.equal(made.agent.state.failure.code, 'notFound');
  });

  it('T-30: says while it starts what it prints instead of messages', async () => {
    const made = bench();
    const starting = deferred<FakeConnection>();
    let signs: StartSigns | undefined;
    made.connect = (_config, _signal, given) => {
      signs = given;
      return starting.promise;
    };
    const demo = made.agents.get('demo')!;
    const connected = demo.connect();
    await until(() => signs !== undefined);
    signs?.onNoise?.('Loaded\u001b[2J\u202e credentials\n');
    assert.deepEqual(demo.state, { kind: 'starting', prints: 'Loaded credentials' });
    starting.resolve(new FakeConnection());
    await connected;
    signs?.onNoise?.('Late');
    assert.equal(demo.state.kind, 'ready');
  });

  it('T-33: says while it starts whether its program is fetched first', async () => {
    const made = bench();
    let signs: StartSigns | undefined;
    made.connect = (_config, signal, given) => {
      signs = given;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new AcpError('cancelled', 'aborted')));
      });
    };
    const demo = made.agents.get('demo')!;
    const states: unknown[] = [];
    made.agents.onDidChangeAgent(() => states.push(demo.state));
    const connected = demo.connect();
    await until(() => signs !== undefined);
    signs?.onWaiting?.(true);
    signs?.onWaiting?.(false);
    for (const fetches of [true, true, false]) {
      signs?.onFetching?.(fetches);
    }
    await demo.stop();
    await assert.rejects(connected);
    assert.deepEqual(states, [
      { kind: 'starting' },
      { kind: 'starting', waits: true },
      { kind: 'starting', waits: false },
      { kind: 'starting', waits: false, fetches: true },
      { kind: 'starting', waits: false, fetches: false },
      { kind: 'stopped' },
    ]);
  });

  it('a start without waiting callers can fail without an unhandled rejection', async () => {
    const made = agentBench();
    made.connect = () => Promise.reject(new AcpError('exited', 'x'));
    void made.agent.connect().catch(() => undefined);
    await until(() => made.agent.state.kind === 'failed');
  });

  it('an agent that dies is failed with the cause, and is not started again by itself', async () => {
    const { agent, connections } = agentBench();
    await agent.connect();
    connections[0]!.die();
    assert.ok(agent.state.kind === 'failed');
    assert.match(agent.state.failure.detail, /exit code 1/);
    await idle();
    assert.equal(connections.length, 1);
    await agent.connect();
    assert.equal(connections.length, 2);
    assert.equal(agent.state.kind, 'ready');
  });

  it('invariant 4: the end of an earlier process does not touch the one after it', async () => {
    const { agent, connections } = agentBench();
    await agent.connect();
    await agent.restart();
    connections[0]!.die();
    assert.equal(agent.state.kind, 'ready');
    assert.ok(agent.state.connection === connections[1]);
  });

  it('invariant 5: a restart waits until the old process is gone', async () => {
    const made = agentBench();
    await made.agent.connect();
    const gone = deferred<undefined>();
    made.connections[0]!.close = async () => {
      await gone.promise;
    };
    const restarted = made.agent.restart();
    const connected = made.agent.connect();
    await until(() => made.agent.state.kind === 'starting');
    assert.equal(made.connections.length, 1);
    gone.resolve(undefined);
    await Promise.all([restarted, connected]);
    assert.equal(made.connections.length, 2);
  });

  it('stop gives up a start: waiting callers are told at once, and a process that still starts is ended', async () => {
    const made = agentBench();
    const late = deferred<FakeConnection>();
    let signal: AbortSignal | undefined;
    made.connect = (_, given) => {
      signal = given;
      return late.promise;
    };
    const waiting = made.agent.connect();
    await until(() => signal !== undefined);
    const stopped = made.agent.stop();
    await assert.rejects(waiting, { code: 'cancelled' });
    assert.ok(signal?.aborted);
    assert.equal(made.agent.state.kind, 'stopped');
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    await idle();
    assert.ok(!isStopped);
    const connection = new FakeConnection();
    late.resolve(connection);
    await stopped;
    assert.ok(connection.closed);
    assert.equal(made.agent.state.kind, 'stopped');
  });

  it('T-32: nothing is started in a workspace without trust, nor by the grant of it', async () => {
    const { agent, connections, workspace } = agentBench();
    workspace.trusted = false;
    const list = agent.lists.of(folder);
    await list.load();
    assert.ok(list.state.kind === 'failed');
    assert.equal(list.state.failure.code, 'untrusted');
    workspace.trusted = true;
    workspace.changed();
    assert.deepEqual(agent.state, { kind: 'stopped' });
    assert.deepEqual(list.state, { kind: 'unread' });
    assert.equal(connections.length, 0);
    await list.load();
    assert.equal(list.state.kind, 'loaded');
  });

  it('INIT-14: the title is the settings’, else the agent’s own, else the id', async () => {
    const made = bench(['demo', 'other'], (connection) => {
      connection.info = { title: 'Demo\n\u202eAgent' };
    });
    const demo = made.agents.get('demo')!;
    assert.equal(demo.title, 'demo');
    await demo.connect();
    assert.equal(demo.title, 'Demo Agent');
    made.settings.set(config('other', { title: 'Mine' }));
    await made.agents.get('other')!.connect();
    assert.equal(made.agents.get('other')?.title, 'Mine');
  });

  it('INIT-9: supports what the running agent says it can', async () => {
    const { agent, connections } = agentBench();
    assert.equal(agent.supports('load'), false);
    await agent.connect();
    assert.equal(agent.supports('load'), true);
    const connection = connections[0]!;
    connection.capabilities = { ...connection.capabilities, load: false };
    assert.equal(agent.supports('load'), false);
  });

  it('a folder has one list, as long as it is in the workspace', () => {
    const { agent, workspace } = agentBench();
    const list = agent.lists.of(folder);
    assert.equal(agent.lists.of({ ...folder, name: 'other name' }), list);
    workspace.folders = [];
    workspace.changed();
    assert.notEqual(agent.lists.of(folder), list);
  });

  it('after a restart its lists are read again, but not those that were never shown', async () => {
    const made = bench(['demo'], (connection) => {
      connection.list = paged(sessions(1));
    });
    const agent = made.agents.get('demo')!;
    const seen = agent.lists.of(folder);
    const unseen = agent.lists.of({ name: 'x', path: '/x' });
    await seen.load();
    made.connections[0]!.die();
    assert.equal(seen.rows.length, 1, 'rows stay when the agent goes');
    await agent.restart();
    await until(() => made.connections[1]?.queries.length === 1);
    assert.equal(unseen.state.kind, 'unread');
  });
});

describe('Agents', () => {
  it('starts nothing', () => {
    const { connections, agents } = bench(['a', 'b']);
    assert.deepEqual(
      agents.all.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(connections.length, 0);
  });

  it('when the settings change, unchanged entries keep their process, the others are ended', async () => {
    const { agents, settings, connections } = bench(['a', 'b', 'c']);
    const [a, b, c] = [agents.get('a')!, agents.get('b')!, agents.get('c')!];
    await Promise.all(agents.all.map((agent) => agent.connect()));
    let changes = 0;
    agents.onDidChange(() => changes++);
    settings.set(config('b', { args: ['--new'] }), { ...config('a') }, config('d'));
    assert.equal(changes, 1);
    assert.deepEqual(
      agents.all.map(({ id }) => id),
      ['b', 'a', 'd'],
    );
    assert.equal(agents.get('a'), a);
    assert.notEqual(agents.get('b'), b);
    assert.equal(agents.get('c'), undefined);
    assert.deepEqual(
      connections.map(({ closed }) => closed),
      [false, true, true],
    );
    await assert.rejects(c.connect(), { code: 'cancelled' });
    assert.equal(connections.length, 3);
  });

  it('when the version of the protocol changes, an agent is connected again; one that isn’t named is the first', async () => {
    const { agents, settings, connections } = bench(['a', 'b']);
    const [a, b] = [agents.get('a')!, agents.get('b')!];
    await Promise.all(agents.all.map((agent) => agent.connect()));
    settings.set({ ...config('a'), protocol: '1' }, { ...config('b'), protocol: 'auto' });
    assert.equal(agents.get('a'), a);
    assert.notEqual(agents.get('b'), b);
    assert.deepEqual(
      connections.map(({ closed }) => closed),
      [false, true],
    );
  });

  it('hands on the problems of the settings', () => {
    const { agents, settings } = bench([]);
    const problem = { id: 'x', reason: 'No command.' };
    settings.set();
    assert.deepEqual(agents.problems, []);
    settings.replace({ agents: [], problems: [problem] });
    assert.deepEqual(agents.problems, [problem]);
  });

  it('tells which agent changed', async () => {
    const { agents } = bench(['a', 'b']);
    const heard: string[] = [];
    agents.onDidChangeAgent((agent) => heard.push(`${agent.id} ${agent.state.kind}`));
    await agents.get('b')!.connect();
    assert.deepEqual(heard, ['b starting', 'b ready']);
  });

  it('close resolves when every process is gone', async () => {
    const { agents, connections } = bench(['a', 'b']);
    await Promise.all(agents.all.map((agent) => agent.connect()));
    await agents.close();
    assert.ok(connections.every(({ closed }) => closed));
    assert.deepEqual(agents.all, []);
  });
});
