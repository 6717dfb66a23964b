import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { allCapabilities, idle } from '../fakes';
import { draft, lastOutcome, prompted, replays, sessionBench, texts } from '../sessionBench';
import { agent, call, change, user } from '../updates';

const stoppedBy = (stopReason: string) => ({ type: 'stopped', stopReason });

describe('Turns', () => {
  it('PR-1: a prompt in a session that is only listed loads it first', async () => {
    const made = sessionBench((connection) => replays(connection, 'before'));
    const { connection, prompt } = await prompted(made, 'go on');
    assert.deepEqual(connection.calls, ['load s0', 'prompt s0 go on']);
    assert.deepEqual(texts(made.session), ['before', 'go on']);
    assert.equal(made.session.turns.current.kind, 'running');
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(texts(made.session), ['before', 'go on', 'turn']);
  });

  it('LOAD-7, PR-1: after a restart of its agent it is loaded again, with each message once', async () => {
    const made = sessionBench();
    const first = await prompted(made, 'one');
    first.prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    first.connection.die();
    const { connect } = made;
    made.connect = async (config, signal) => {
      const connection = await connect(config, signal);
      connection.replay = () => connection.send('s0', user('one'), agent('first answer'));
      return connection;
    };
    await prompted(made, 'two');
    assert.deepEqual(texts(made.session), ['one', 'first answer', 'two']);
  });

  it('PR-1, RES-6: is resumed if the agent can only do that, and keeps its entries', async () => {
    const made = sessionBench((connection) => replays(connection, 'before'));
    await made.session.load();
    made.connections[0]!.die();
    const { connect } = made;
    made.connect = async (config, signal) => {
      const connection = await connect(config, signal);
      connection.capabilities = { ...allCapabilities, load: false };
      return connection;
    };
    const { connection } = await prompted(made);
    assert.deepEqual(connection.calls, ['resume s0', 'prompt s0 go']);
    assert.deepEqual(texts(made.session), ['before', 'go']);
  });

  it('PR-1: a session that cannot be opened says so, and its prompt can be sent again', async () => {
    const made = sessionBench();
    const { connect } = made;
    made.connect = () => Promise.reject(new AcpError('notFound', 'x'));
    made.session.turns.submit(draft('hello'));
    await until(() => made.session.turns.current.kind === 'idle');
    const outcome = lastOutcome(made.session);
    assert.ok(outcome.type === 'failed' && outcome.canResend);
    assert.equal(outcome.failure.code, 'notFound');
    made.connect = connect;
    made.session.turns.sendAgain(made.session.transcript.entries.length - 1);
    await until(() => made.connections[0]?.prompts.length === 1);
    assert.deepEqual(made.connections[0]?.calls, ['load s0', 'prompt s0 hello']);
  });

  it('PR-5, T-28: one prompt at a time; the others wait in order and can be taken back', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection, prompt } = await prompted(made, 'a');
    for (const text of ['b', 'c', 'd']) {
      session.turns.submit(draft(text));
    }
    assert.deepEqual(
      session.turns.queue.map((queued) => queued.draft.text),
      ['b', 'c', 'd'],
    );
    assert.deepEqual(session.turns.removeQueued(session.turns.queue[1]!.id), draft('c'));
    assert.equal(session.turns.removeQueued(12_345), undefined);
    await idle();
    assert.equal(connection.prompts.length, 1);
    connection.send('s0', agent('done'));
    prompt.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.deepEqual(
      texts(session),
      ['a', 'done', 'b'],
      'what waits is no part of the conversation yet',
    );
    connection.prompts[1]!.resolve('end_turn');
    await until(() => connection.prompts.length === 3);
    assert.equal(connection.calls.at(-1), 'prompt s0 d');
    assert.deepEqual(session.turns.queue, []);
  });

  it('a prompt that is taken back while the session loads is never sent', async () => {
    const go = deferred<undefined>();
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async () => {
        await go.promise;
      };
    });
    session.turns.submit(draft('taken back'));
    session.turns.submit(draft('kept'));
    await until(() => connections[0]?.loads.length === 1);
    session.turns.removeQueued(session.turns.queue[0]!.id);
    go.resolve(undefined);
    await until(() => connections[0]?.prompts.length === 1);
    await idle();
    assert.deepEqual(connections[0]?.calls, ['load s0', 'prompt s0 kept']);
    assert.deepEqual(texts(session), ['kept']);
  });

  for (const reason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'banana']) {
    it(`PR-6: ${reason} ends the turn, and says so`, async () => {
      const made = sessionBench();
      const { prompt } = await prompted(made);
      prompt.resolve(reason);
      await until(() => made.session.turns.current.kind === 'idle');
      assert.deepEqual(lastOutcome(made.session), stoppedBy(reason));
    });
  }

  it('US-5: the tokens that the agent tells are at the prompt of their turn', async () => {
    const made = sessionBench();
    const { prompt } = await prompted(made);
    prompt.used?.({ total: 7, input: 3, output: 4 });
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    const [entry] = made.session.transcript.entries;
    assert.ok(entry?.kind === 'user');
    assert.deepEqual(entry.turn?.usage, { total: 7, input: 3, output: 4 });
    const next = await prompted(made);
    next.prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    const last = made.session.transcript.entries.findLast(({ kind }) => kind === 'user');
    assert.ok(last?.kind === 'user' && last.turn?.ended);
    assert.equal(last.turn.usage, undefined);
  });

  it('PR-7: a refusal dims the prompt and all after it, and nothing before it', async () => {
    const made = sessionBench((connection) => replays(connection, 'before'));
    const { connection, prompt } = await prompted(made, 'bad');
    connection.send('s0', agent('No', 'n'), call('c', { status: 'completed' }));
    prompt.resolve('refusal');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(
      made.session.transcript.entries.map((entry) => 'dropped' in entry),
      [false, true, true, true, false],
    );
  });

  it('PR-8, T-20: what comes between turns is shown', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    connection.send('s0', agent('late'));
    assert.deepEqual(texts(made.session), ['go', 'late']);
  });

  it('PR-9: an error ends the turn with an entry, and the prompt can be sent again, once', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection, prompt } = await prompted(made, 'again');
    connection.send('s0', call('c', { status: 'in_progress' }));
    prompt.reject(new AcpError('rpc', 'boom', { rpcCode: -32603 }));
    await until(() => session.turns.current.kind === 'idle');
    const outcome = lastOutcome(session);
    assert.ok(outcome.type === 'failed' && outcome.canResend);
    assert.equal(session.transcript.toolCall('c')?.status, 'interrupted', 'nothing spins for ever');
    const place = session.transcript.entries.length - 1;
    session.turns.sendAgain(place);
    session.turns.sendAgain(place);
    await until(() => connection.prompts.length === 2);
    await idle();
    assert.equal(connection.calls.at(-1), 'prompt s0 again');
    assert.deepEqual(session.turns.queue, []);
    const entry = session.transcript.entries[place];
    assert.ok(entry?.kind === 'turn' && entry.outcome.type === 'failed');
    assert.equal(entry.outcome.canResend, false);
  });

  it('AUTH-13: a prompt that needs a login is one failure that offers it', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made);
    prompt.reject(new AcpError('authRequired', 'x', { rpcCode: -32000 }));
    await until(() => made.session.turns.current.kind === 'idle');
    await idle();
    const outcome = lastOutcome(made.session);
    assert.ok(outcome.type === 'failed');
    assert.ok(outcome.failure.actions.includes('signIn'));
    assert.equal(connection.prompts.length, 1, 'nothing is tried again by itself');
  });

  it('AUTH-13, T-87: a prompt that fails otherwise offers it too, if the agent has a login', async () => {
    const made = sessionBench();
    const actions = async (): Promise<readonly string[]> => {
      const { connection, prompt } = await prompted(made);
      prompt.reject(new AcpError('rpc', 'Your session has ended', { rpcCode: -32603 }));
      await until(() => made.session.turns.current.kind === 'idle');
      connection.authMethods = [{ id: 'login', name: 'Log in', type: 'agent' }];
      const outcome = lastOutcome(made.session);
      assert.ok(outcome.type === 'failed' && outcome.canResend);
      assert.equal(outcome.failure.code, 'protocol');
      return outcome.failure.actions;
    };
    assert.deepEqual(await actions(), ['retry', 'showLog'], 'nothing to sign in to');
    assert.deepEqual(await actions(), ['retry', 'signIn', 'showLog']);
  });

  describe('US-6: limits of the account', () => {
    const limit = { status: 'reached', window: 'fiveHours' } as const;
    const usage = { sessionUpdate: 'usage_update', used: 1, size: 10 } as const;
    const refused = (data?: object): AcpError =>
      new AcpError('rpc', 'No more. Try again in 5 minutes.', { rpcCode: -32603, data });

    it('a turn that fails because of one says so, and what waits is held', async () => {
      const made = sessionBench();
      const { session } = made;
      const { connection, prompt } = await prompted(made);
      session.turns.submit(draft('b'));
      connection.authMethods = [{ id: 'login', name: 'Log in', type: 'agent' }];
      connection.send('s0', { ...usage, limit: { ...limit, resetsAt: Date.now() - 10_000 } });
      assert.equal(session.facts.limit?.status, 'reached');
      prompt.reject(refused());
      await until(() => session.turns.current.kind === 'idle');
      const outcome = lastOutcome(session);
      assert.ok(outcome.type === 'failed' && outcome.failure.resetsAt);
      assert.match(outcome.failure.title, /^5-hour limit reached, resets /);
      assert.deepEqual(outcome.failure.actions, ['retry', 'showLog'], 'a login wouldn’t help');
      assert.match(outcome.failure.detail, /One prompt was waiting/);
      connection.send('s0', { ...usage, limit });
      assert.deepEqual(made.agent.limit, limit);
      connection.send('s0', { ...usage, limit: null });
      assert.deepEqual([session.facts.limit, made.agent.limit], [undefined, undefined]);
    });

    it('its prompt is sent when the limit ends, once', async () => {
      const made = sessionBench();
      const { session } = made;
      const { connection, prompt } = await prompted(made, 'later');
      connection.send('s0', { ...usage, limit: { ...limit, resetsAt: Date.now() - 10_000 } });
      prompt.reject(refused());
      await until(() => session.turns.current.kind === 'idle');
      const place = session.transcript.entries.length - 1;
      session.turns.sendWhenReset(place);
      session.turns.sendWhenReset(place);
      const [queued] = session.turns.queue;
      assert.deepEqual(
        [queued?.held, typeof queued?.at, session.turns.queue.length],
        [true, 'number', 1],
      );
      await until(() => connection.prompts.length === 2);
      assert.deepEqual(session.turns.queue, []);
      assert.equal(connection.calls.at(-1), 'prompt s0 later');
    });

    it('one whose end has passed isn’t why a turn fails', async () => {
      const made = sessionBench();
      const { connection, prompt } = await prompted(made);
      made.session.turns.submit(draft('b'));
      connection.send('s0', { ...usage, limit: { ...limit, resetsAt: Date.now() - 3_600_000 } });
      assert.equal(made.session.facts.limit, undefined);
      prompt.reject(new AcpError('rpc', 'Overloaded', { rpcCode: -32603 }));
      await until(() => connection.prompts.length === 2);
      const end = made.session.transcript.entries.find(({ kind }) => kind === 'turn');
      assert.ok(end?.kind === 'turn' && end.outcome.type === 'failed');
      assert.doesNotMatch(end.outcome.failure.title, /limit/);
    });

    it('it waits for that, and goes when it is removed or the session is closed', async () => {
      const made = sessionBench();
      const { session } = made;
      for (const text of ['a', 'b']) {
        const { connection, prompt } = await prompted(made, text);
        connection.send('s0', { ...usage, limit: { ...limit, resetsAt: Date.now() + 3_600_000 } });
        prompt.reject(refused());
        await until(() => session.turns.current.kind === 'idle');
        session.turns.sendWhenReset(session.transcript.entries.length - 1);
      }
      await idle();
      assert.equal(made.connections[0]?.prompts.length, 2);
      const [first] = session.turns.queue;
      assert.deepEqual(session.turns.removeQueued(first!.id), draft('a'));
      session.turns.close();
      assert.equal(session.turns.queue.length, 1);
    });

    it('is forgotten with its account: after signing out, and when another one is told', async () => {
      const made = sessionBench();
      const { session, agent } = made;
      const { connection, prompt } = await prompted(made);
      const limits = (): unknown[] => [session.facts.limit, agent.limit];
      const { requests } = connection;
      const account = { label: 'Pro', details: [] };
      connection.send('s0', { ...usage, limit });
      requests.accountChanged(account);
      requests.accountChanged({ ...account });
      assert.deepEqual(limits(), [limit, limit], 'it is that of the account told later');
      requests.accountChanged({ ...account, label: 'Team' });
      assert.deepEqual(limits(), [undefined, undefined]);
      connection.send('s0', { ...usage, limit });
      prompt.resolve('end_turn');
      await until(() => session.turns.current.kind === 'idle');
      assert.deepEqual(limits(), [limit, limit]);
      await made.sessions.signOut(agent);
      assert.deepEqual(limits(), [undefined, undefined]);
    });

    it('Codex’s comes with the error of the turn, and ends with the next one that goes through', async () => {
      const made = sessionBench();
      const { session } = made;
      const first = await prompted(made);
      first.prompt.reject(refused({ codexErrorInfo: 'usageLimitExceeded' }));
      await until(() => session.turns.current.kind === 'idle');
      const outcome = lastOutcome(session);
      assert.ok(outcome.type === 'failed' && outcome.failure.resetsAt);
      assert.ok(outcome.failure.resetsAt > Date.now());
      assert.match(outcome.failure.title, /^Usage limit reached, resets /);
      assert.deepEqual(session.facts.limit?.resetsAt, outcome.failure.resetsAt);
      assert.deepEqual(made.agent.limit, session.facts.limit);
      const next = await prompted(made);
      next.prompt.resolve('end_turn');
      await until(() => session.turns.current.kind === 'idle');
      assert.equal(session.facts.limit, undefined);
    });
  });

  it('an agent that dies in the turn: it failed, and what waited is held back with a word', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection } = await prompted(made);
    session.turns.submit(draft('b'));
    session.turns.submit(draft('c'));
    connection.die();
    await until(() => session.turns.current.kind === 'idle');
    const outcome = lastOutcome(session);
    assert.ok(outcome.type === 'failed' && outcome.canResend);
    assert.equal(outcome.failure.code, 'exited');
    assert.match(outcome.failure.detail, /2 prompts were waiting. They were not sent/);
    await idle();
    assert.deepEqual(
      session.turns.queue.map(({ draft: { text }, held }) => [text, held]),
      [
        ['b', true],
        ['c', true],
      ],
    );
    assert.equal(made.connections.length, 1, 'nothing starts the agent again');
  });

  it('an agent that is stopped while a turn is being canceled starts no further prompt', async () => {
    const made = sessionBench();
    await prompted(made);
    made.session.turns.submit(draft('b'));
    made.session.turns.cancel();
    await made.agent.stop();
    await until(() => made.session.turns.current.kind === 'idle');
    await idle();
    assert.equal(made.connections.length, 1);
    assert.deepEqual(
      made.session.turns.queue.map(({ held }) => held),
      [true],
    );
  });

  it('a turn that ended or failed is reported', async () => {
    const made = sessionBench();
    const heard: string[] = [];
    made.sessions.onDidHappen(({ session, kind }) => heard.push(`${session.title} ${kind}`));
    const { connection, prompt } = await prompted(made);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await prompted(made);
    connection.prompts[1]!.reject(new AcpError('rpc', 'x'));
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(heard, ['First turnEnded', 'First failed']);
  });

  it('a place in the transcript means nothing any more after a reload', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection, prompt } = await prompted(made, 'old');
    prompt.reject(new AcpError('rpc', 'x'));
    await until(() => session.turns.current.kind === 'idle');
    connection.replay = () => connection.send('s0', agent('a', '1'), agent('b', '2'));
    await session.reload();
    session.turns.sendAgain(1);
    await idle();
    assert.equal(connection.prompts.length, 1);
  });
});

describe('Turns: the prompt is shown once', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['never comes back', []],
    ['comes back whole', ['say hello']],
    ['comes back in pieces', ['say', ' hel', 'lo']],
    ['comes back twice', ['say hello', 'say hello']],
    ['comes back twice in pieces', ['say ', 'hello', 'say hel', 'lo']],
  ];
  for (const [title, pieces] of cases) {
    it(`UP-6, T-22: that ${title}`, async () => {
      const made = sessionBench();
      const { connection } = await prompted(made, 'say hello');
      connection.send('s0', ...pieces.map((piece) => user(piece)), agent('hello'));
      assert.deepEqual(texts(made.session), ['say hello', 'hello']);
    });
  }

  it('UP-6, T-22: that comes back after the answer, or after the turn', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made, 'say hello');
    connection.send('s0', agent('hello'), user('say hello'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    connection.send('s0', user('say hello'));
    assert.deepEqual(texts(made.session), ['say hello', 'hello']);
  });

  it('T-22: another message of the user isn’t an echo, even one that begins like it', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made, 'say hello');
    connection.send('s0', user('say '), user('goodbye'), agent('ok'), user('say'), agent('what'));
    assert.deepEqual(texts(made.session), ['say hello', 'say goodbye', 'ok', 'say', 'what']);
  });

  it('UP-5: in order of arrival', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', agent('a', '1'), call('c'), agent('b', '2'), change('c', { title: 'x' }));
    assert.deepEqual(texts(made.session), ['go', 'a', 'toolCall', 'b']);
  });
});

describe('Turns: canceling', () => {
  it('CA-1, CA-2: the agent is told once, and what is unfinished shows as canceled at once', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection } = await prompted(made);
    connection.send(
      's0',
      call('p'),
      call('i', { status: 'in_progress' }),
      call('d', { status: 'completed' }),
    );
    session.turns.cancel();
    session.turns.cancel();
    assert.deepEqual(connection.calls.slice(2), ['cancel s0']);
    assert.deepEqual(
      ['p', 'i', 'd'].map((id) => session.transcript.toolCall(id)?.status),
      ['cancelled', 'cancelled', 'completed'],
    );
    const { began, ...turn } = { began: undefined, ...session.turns.current };
    assert.deepEqual(turn, { kind: 'running', cancelling: true, canForce: false });
    assert.equal(typeof began, 'number');
  });

  it('CA-1: nothing is sent when no turn runs', async () => {
    const { session, connections } = sessionBench();
    await session.load();
    session.turns.cancel();
    session.turns.forceFinish();
    assert.deepEqual(connections[0]?.calls, ['load s0']);
  });

  it('CA-4, CA-12, UP-4: updates after it are shown, and win, after its answer too', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection, prompt } = await prompted(made);
    connection.send('s0', call('a'), call('b'));
    session.turns.cancel();
    connection.send('s0', change('a', { status: 'completed' }), agent('stopping'));
    prompt.resolve('cancelled');
    await until(() => session.turns.current.kind === 'idle');
    assert.equal(session.transcript.toolCall('a')?.status, 'completed');
    connection.send('s0', change('b', { status: 'failed' }), agent('after'));
    assert.equal(session.transcript.toolCall('b')?.status, 'failed');
    assert.deepEqual(texts(session).slice(-3), ['stopping', 'turn', 'after']);
  });

  it('CA-5, T-27: an answer by an error is no failure', async () => {
    const made = sessionBench();
    const { prompt } = await prompted(made);
    made.session.turns.cancel();
    prompt.reject(new AcpError('rpc', 'aborted', { rpcCode: -32603 }));
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(lastOutcome(made.session), stoppedBy('cancelled'));
  });

  it('T-27: an answer by end_turn is the end of the turn', async () => {
    const made = sessionBench();
    const { prompt } = await prompted(made);
    made.session.turns.cancel();
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(texts(made.session), ['go']);
  });

  it('CA-11, T-27: one that is never answered can be ended here, and its late answer is nothing', async () => {
    const made = sessionBench(() => undefined, { cancelMs: 1 });
    const { session } = made;
    const { connection, prompt } = await prompted(made, 'a');
    session.turns.forceFinish();
    assert.deepEqual(texts(session), ['a'], 'only after the agent had its time');
    session.turns.cancel();
    await until(() => session.turns.current.kind === 'running' && session.turns.current.canForce);
    session.turns.forceFinish();
    assert.equal(session.turns.current.kind, 'idle');
    assert.deepEqual(lastOutcome(session), stoppedBy('cancelled'));
    const next = await prompted(made, 'b');
    prompt.resolve('refusal');
    await idle();
    assert.deepEqual(texts(session), ['a', 'turn', 'b'], 'the late answer ends no other turn');
    connection.send('s0', agent('late'));
    next.prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    assert.deepEqual(texts(session), ['a', 'turn', 'b', 'late']);
  });

  it('PR-5: what waits when the user stops the turn is only sent by the user', async () => {
    const made = sessionBench();
    const { turns } = made.session;
    const { connection, prompt } = await prompted(made, 'a');
    turns.submit(draft('b'));
    turns.submit(draft('c'));
    turns.cancel();
    prompt.resolve('cancelled');
    await until(() => turns.current.kind === 'idle');
    await idle();
    assert.equal(connection.prompts.length, 1);
    assert.deepEqual(
      turns.queue.map(({ draft: { text }, held }) => [text, held]),
      [
        ['b', true],
        ['c', true],
      ],
    );
    assert.equal(made.session.isBusy, false);
    turns.sendQueued(turns.queue[0]!.id);
    await until(() => connection.prompts.length === 2);
    assert.deepEqual(texts(made.session), ['a', 'turn', 'b']);
  });

  it('a prompt that is written after the user has stopped the turn is sent when that has ended', async () => {
    const made = sessionBench();
    const { turns } = made.session;
    const { connection, prompt } = await prompted(made, 'a');
    turns.submit(draft('b'));
    turns.cancel();
    turns.submit(draft('rather this'));
    prompt.resolve('cancelled');
    await until(() => connection.prompts.length === 2);
    assert.deepEqual(texts(made.session), ['a', 'turn', 'rather this']);
    assert.deepEqual(
      turns.queue.map(({ draft: { text } }) => text),
      ['b'],
    );
  });

  it('one that is canceled before it could be sent is never sent', async () => {
    const go = deferred<undefined>();
    const { session, connections } = sessionBench((connection) => {
      connection.replay = async () => {
        connection.send('s0', call('old'));
        await go.promise;
      };
    });
    session.turns.submit(draft('a'));
    await until(() => session.transcript.updates === 1);
    session.turns.cancel();
    go.resolve(undefined);
    await until(() => session.turns.current.kind === 'idle');
    assert.deepEqual(connections[0]?.calls, ['load s0']);
    assert.deepEqual(texts(session), ['toolCall', 'a', 'turn']);
    assert.equal(session.transcript.toolCall('old')?.status, 'interrupted');
  });
});
