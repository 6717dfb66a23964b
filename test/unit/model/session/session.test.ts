import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { allCapabilities, config, idle, session as info } from '../fakes';
import { failureOf, lastOutcome, prompted, replays, sessionBench, texts } from '../sessionBench';
import { agent, call } from '../updates';

describe('Session: loading', () => {
  it('LOAD-3, DIR-4, T-12: is loaded with its own id, cwd and extra roots', async () => {
    const { agent: demo, sessions, connections } = sessionBench();
    const roots = { cwd: '/elsewhere', additionalDirectories: ['/lib'] };
    await sessions.open(demo, info('x', roots)).load();
    assert.deepEqual(connections[0]?.loads, [{ sessionId: 'x', ...roots, mcpServers: [] }]);
  });

  it('LOAD-4: the replay is the transcript, counted while it comes', async () => {
    const go = deferred<undefined>();
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async ({ sessionId }) => {
        connection.send(sessionId, agent('a', '1'), agent('b', '2'));
        await go.promise;
        connection.send(sessionId, agent('c', '3'));
      };
    });
    assert.deepEqual(session.phase, { kind: 'loading', received: 0 });
    const loaded = session.load();
    await until(() => connections[0]?.loads.length === 1 && session.transcript.updates === 2);
    assert.deepEqual(session.phase, { kind: 'loading', received: 2 });
    go.resolve(undefined);
    await loaded;
    assert.deepEqual(session.phase, { kind: 'ready' });
    assert.deepEqual(texts(session), ['a', 'b', 'c']);
  });

  it('a session that its agent made and then exited is not open', async () => {
    const { agent: demo, session, connections } = sessionBench();
    const connection = await demo.connect();
    connections[0]!.die();
    session.adopt(connection, {}, { kind: 'ready' });
    assert.equal(failureOf(session).code, 'exited');
  });

  it('INIT-14: a failure names the agent as it has called itself since', async () => {
    const made = sessionBench();
    const { prompt } = await prompted(made);
    prompt.reject(new AcpError('rpc', 'no'));
    await until(() => made.session.turns.current.kind === 'idle');
    const outcome = lastOutcome(made.session);
    assert.ok(outcome.type === 'failed');
    assert.match(outcome.failure.title, /^Fake Agent/);
  });

  it('T-11: concurrent loads are one, and a live session is not loaded again', async () => {
    const { session, connections } = sessionBench((connection) => replays(connection, 'a'));
    await Promise.all([session.load(), session.load()]);
    await session.load();
    assert.equal(connections[0]?.loads.length, 1);
    assert.deepEqual(texts(session), ['a']);
  });

  it('T-9: updates after the answer are part of it', async () => {
    const { session, connections } = sessionBench((connection) => replays(connection, 'a'));
    await session.load();
    connections[0]!.send('s0', agent('late', 'x'));
    assert.deepEqual(texts(session), ['a', 'late']);
  });

  it('T-13: a load without a replay is "empty", until something comes after all', async () => {
    const { session, connections } = sessionBench();
    await session.load();
    assert.deepEqual(session.phase, { kind: 'empty' });
    let changes = 0;
    session.onDidChange(() => changes++);
    connections[0]!.send('s0', { sessionUpdate: 'usage_update', used: 1, size: 2 });
    assert.equal(session.phase.kind, 'empty');
    connections[0]!.send('s0', agent('late'));
    assert.deepEqual(session.phase, { kind: 'ready' });
    assert.equal(changes, 1);
  });

  it('T-16: tool calls that never finished are interrupted when the replay has ended', async () => {
    const { session } = sessionBench((connection) => {
      connection.replay = ({ sessionId }) =>
        connection.send(sessionId, call('c', { status: 'in_progress' }));
    });
    await session.load();
    const [entry] = session.transcript.entries;
    assert.ok(entry?.kind === 'toolCall');
    assert.equal(entry.status, 'interrupted');
  });

  it('onDidChange is not heard for each update', async () => {
    const { session } = sessionBench((connection) => {
      connection.replay = ({ sessionId }) =>
        connection.send(sessionId, ...Array.from({ length: 100 }, () => agent('x')));
    });
    let changes = 0;
    session.onDidChange(() => changes++);
    await session.load();
    assert.equal(changes, 2);
  });

  it('LOAD-1, LOAD-2, T-13: an agent that cannot load is not asked to', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, load: false };
    });
    await session.load();
    assert.equal(failureOf(session).code, 'unsupported');
    assert.deepEqual(connections[0]?.loads, []);
  });

  it('T-13: a refusal despite the capability has other words', async () => {
    const without = sessionBench((connection) => {
      connection.capabilities = { ...allCapabilities, load: false };
    });
    const refusing = sessionBench((connection) => {
      connection.replay = () => Promise.reject(new AcpError('unsupported', '-32601'));
    });
    await without.session.load();
    await refusing.session.load();
    assert.notEqual(failureOf(refusing.session).title, failureOf(without.session).title);
  });

  it('LOAD-11: each failure has its own words, and can be tried again', async () => {
    let error: AcpError | undefined;
    const { session, connections } = sessionBench((connection) => {
      connection.replay = () => {
        if (error !== undefined) {
          throw error;
        }
        connection.send('s0', agent('here'));
      };
    });
    for (const code of ['gone', 'authRequired', 'rpc'] as const) {
      error = new AcpError(code, 'x', { rpcCode: 0 });
      await session.reload();
      assert.equal(failureOf(session).code, code === 'rpc' ? 'protocol' : code);
    }
    error = undefined;
    await session.reload();
    assert.deepEqual(texts(session), ['here']);
    assert.equal(connections.length, 1);
  });

  it('an agent that cannot start is the failure of the session', async () => {
    const made = sessionBench();
    made.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    await made.session.load();
    assert.equal(failureOf(made.session).code, 'notFound');
  });

  it('an agent that never answers is given up when nothing comes any more', async () => {
    const { session, connections } = sessionBench(
      (connection) => {
        connection.replay = async () => {
          connection.send('s0', agent('half'));
          await new Promise(() => undefined);
        };
      },
      { stallMs: 1, leftoversMs: 1 },
    );
    await session.load();
    assert.equal(failureOf(session).code, 'timeout');
    assert.deepEqual(texts(session), ['half'], 'what has come stays readable');
    await session.reload();
    assert.equal(failureOf(session).code, 'timeout', 'the first load could still send something');
    assert.equal(connections[0]?.loads.length, 1);
  });
});

describe('Session: canceling', () => {
  it('LOAD-12: cancel shows at once, keeps what came and drops what still comes', async () => {
    const go = deferred<undefined>();
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async ({ sessionId }) => {
        connection.send(sessionId, agent('a'), call('c'));
        await go.promise;
      };
    });
    const loaded = session.load();
    await until(() => session.transcript.updates === 2);
    session.cancelLoad();
    assert.deepEqual(session.phase, { kind: 'cancelled' });
    await loaded;
    connections[0]!.send('s0', agent('leftover'));
    assert.deepEqual(texts(session), ['a', 'toolCall']);
    go.resolve(undefined);
    await idle();
    assert.deepEqual(session.phase, { kind: 'cancelled' });
  });

  it('LOAD-8, MSG-6, T-10: a second load waits for the leftovers of the first, and begins with nothing', async () => {
    const go = deferred<undefined>();
    let round = 0;
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async ({ sessionId }) => {
        const mine = ++round;
        connection.send(sessionId, agent(`first of ${mine}`, '1'));
        if (mine === 1) {
          await go.promise;
        }
        connection.send(sessionId, agent(`second of ${mine}`, '2'));
      };
    });
    void session.load();
    await until(() => session.transcript.updates === 1);
    session.cancelLoad();
    const again = session.load();
    assert.equal(session.phase.kind, 'loading');
    await idle();
    assert.equal(connections[0]?.loads.length, 1);
    go.resolve(undefined);
    await again;
    assert.deepEqual(texts(session), ['first of 2', 'second of 2']);
    assert.deepEqual(connections[0].calls, ['load s0', 'close s0', 'load s0']);
  });

  it('a load that is canceled while the agent starts is never sent', async () => {
    const made = sessionBench();
    const { connect } = made;
    const go = deferred<undefined>();
    made.connect = async (wanted, signal) => {
      await go.promise;
      return connect(wanted, signal);
    };
    const loaded = made.session.load();
    made.session.cancelLoad();
    await loaded;
    go.resolve(undefined);
    await made.agent.connect();
    await idle();
    assert.deepEqual(made.connections[0]?.loads, []);
    assert.deepEqual(made.session.phase, { kind: 'cancelled' });
  });
});

describe('Session: the end of its agent', () => {
  it('an agent that dies in the middle of a replay', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async ({ sessionId }) => {
        connection.send(sessionId, agent('half'), call('c'));
        await new Promise(() => undefined);
      };
    });
    const loaded = session.load();
    await until(() => session.transcript.updates === 2);
    connections[0]!.die();
    await loaded;
    assert.equal(failureOf(session).code, 'exited');
    assert.deepEqual(texts(session), ['half', 'toolCall'], 'what has come stays readable');
  });

  it('an agent that dies later; trying again starts it and loads anew', async () => {
    const { session, connections } = sessionBench((connection) => replays(connection, 'a'));
    await session.load();
    connections[0]!.die();
    assert.match(failureOf(session).detail, /exit code 1/);
    assert.deepEqual(texts(session), ['a']);
    await session.reload();
    assert.deepEqual(session.phase, { kind: 'ready' });
    assert.deepEqual(texts(session), ['a']);
    assert.equal(connections.length, 2);
    assert.deepEqual(connections[1]?.calls, ['load s0']);
  });

  it('an agent that dies with its answer', async () => {
    const { session } = sessionBench((connection) => {
      connection.replay = () => {
        connection.send('s0', agent('a'));
        queueMicrotask(() => connection.die());
      };
    });
    await session.load();
    assert.equal(session.phase.kind, 'failed');
  });

  it('an agent that is stopped says so, and its session can be had again', async () => {
    const { session, agent: demo } = sessionBench((connection) => replays(connection, 'a'));
    await session.load();
    await demo.stop();
    assert.match(failureOf(session).title, /was stopped/);
    assert.deepEqual(failureOf(session).actions, ['retry']);
  });

  it('an agent whose settings changed is the new one when trying again', async () => {
    const { session, settings, connections } = sessionBench((connection) =>
      replays(connection, 'a'),
    );
    await session.load();
    settings.set(config('demo', { args: ['--new'], title: 'New' }));
    assert.equal(session.phase.kind, 'failed');
    await session.reload();
    assert.equal(session.phase.kind, 'ready');
    assert.equal(session.agent.title, 'New');
    assert.equal(connections.length, 2);
    settings.set();
    assert.equal(failureOf(session).code, 'config', 'it doesn’t offer to restart what is gone');
    await session.reload();
    assert.equal(failureOf(session).code, 'config');
  });

  it('T-11: reload closes a live session first, and leaves it alone where it cannot', async () => {
    let close = true;
    const { session, connections } = sessionBench((connection) => {
      replays(connection, 'a');
      connection.capabilities = { ...allCapabilities, close };
    });
    await session.load();
    await session.reload();
    assert.deepEqual(connections[0]?.calls, ['load s0', 'close s0', 'load s0']);
    assert.deepEqual(texts(session), ['a']);
    close = false;
    connections[0].die();
    await session.reload();
    await session.reload();
    assert.deepEqual(connections[1]?.calls, ['load s0']);
    assert.equal(session.phase.kind, 'ready');
  });
});
