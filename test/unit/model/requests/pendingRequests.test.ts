import assert from 'node:assert/strict';
import type { ElicitationAnswer } from '../../../../src/protocol/agentRequests';
import { AcpError } from '../../../../src/protocol/errors';
import type { FormField, PermissionOption } from '../../../../src/shared/requests/agentQuestions';
import { until } from '../../../support/until';
import { type FakeConnection, idle, session as info } from '../fakes';
import { lastOutcome, prompted, sessionBench, sessionsBench, texts } from '../sessionBench';
import { call, change } from '../updates';

const options: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'odd', name: 'Odd', kind: 'other' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const never = new AbortController().signal;

function ask(
  connection: FakeConnection,
  toolCallId = 'c',
  own: readonly PermissionOption[] = options,
  sessionId = 's0',
) {
  const toolCall = { toolCallId, title: `Run ${toolCallId}`, kind: 'execute' as const };
  return connection.requests.requestPermission({ sessionId, toolCall, options: own }, never);
}

const fields: readonly FormField[] = [
  { type: 'string', name: 'name', title: 'Name', required: true, minLength: 2 },
  { type: 'string', name: 'api_key', title: 'Key', required: false },
];

function question(connection: FakeConnection, sessionId?: string): Promise<ElicitationAnswer> {
  const scope = sessionId === undefined ? {} : { sessionId };
  const form = { mode: 'form' as const, fields };
  return connection.requests.elicit({ ...scope, message: 'Who?', ask: form }, never);
}

function requestIdAt(
  bench: { session: { transcript: { entries: readonly unknown[] } } },
  at: number,
) {
  const entry = bench.session.transcript.entries[at] as { requestId: number };
  return entry.requestId;
}

function stateAt({ session }: ReturnType<typeof sessionBench>, at: number): unknown {
  const entry = session.transcript.entries[at];
  assert.ok(entry?.kind === 'permission' || entry?.kind === 'elicitation');
  return entry.state;
}

describe('Permissions', () => {
  it('PE-1, PE-2, PE-3: waits as an entry with the options as they came; the answer is the chosen id', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const answer = ask(connection);
    assert.deepEqual(made.session.requests.waiting, [2]);
    const entry = made.session.transcript.entries[2];
    assert.ok(entry?.kind === 'permission');
    assert.deepEqual(entry.options, options);
    assert.deepEqual(entry.state, { kind: 'waiting' });
    made.session.requests.answerPermission(entry.requestId, 'not offered');
    assert.deepEqual(made.session.requests.waiting, [2], 'only what was offered is an answer');
    made.session.requests.answerPermission(entry.requestId, 'odd');
    assert.deepEqual(await answer, { optionId: 'odd' });
    made.session.requests.answerPermission(entry.requestId, 'yes');
    assert.deepEqual(stateAt(made, 2), { kind: 'selected', optionId: 'odd', by: 'person' });
    assert.deepEqual(made.session.requests.waiting, []);
  });

  it('PE-4, CA-3: a canceled turn cancels all that waits, of its session only', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    const { connection } = await prompted(made);
    const answers = [ask(connection, 'a'), ask(connection, 'b')];
    const elsewhere = ask(connection, 'c', options, 's1');
    made.session.turns.cancel();
    assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
    assert.deepEqual(stateAt(made, 2), { kind: 'cancelled' });
    assert.equal(other.requests.waiting.length, 1);
    await other.close();
    assert.equal(await elsewhere, undefined);
  });

  it('T-27: requests after a cancel are canceled at once, until the prompt is answered', async () => {
    const made = sessionBench(() => undefined, { cancelMs: 1 });
    const { session } = made;
    const { connection, prompt } = await prompted(made);
    session.turns.cancel();
    assert.equal(await ask(connection, 'a'), undefined);
    assert.deepEqual(await question(connection, 's0'), { action: 'cancel' });
    await until(() => session.turns.current.kind === 'running' && session.turns.current.canForce);
    session.turns.forceFinish();
    assert.equal(await ask(connection, 'b'), undefined, 'the agent is still at it');
    prompt.resolve('cancelled');
    await idle();
    void ask(connection, 'd');
    assert.equal(session.requests.waiting.length, 1);
  });

  it('PE-5: rules answer for once only, or with a reject; what fits no option is asked', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    made.decide = () => 'allow';
    assert.deepEqual(await ask(connection, 'a'), { optionId: 'yes' });
    assert.deepEqual(stateAt(made, 2), { kind: 'selected', optionId: 'yes', by: 'rule' });
    made.decide = (agentId, kind) =>
      agentId === 'demo' && kind === 'execute' ? 'reject' : 'allow';
    assert.deepEqual(await ask(connection, 'b'), { optionId: 'no' });
    made.decide = () => 'allow';
    void ask(connection, 'c', options.slice(0, 1));
    assert.equal(made.session.requests.waiting.length, 1, 'always is for a person to say');
  });

  it('PE-6: the row of the call shows the request before the card exists', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', call('c', { title: 'Before' }));
    const seen: string[] = [];
    made.session.transcript.onDidChange((change) => {
      const title = made.session.transcript.toolCall('c')?.title;
      seen.push(`${change.type} ${title}`);
    });
    void ask(connection);
    assert.deepEqual(seen, ['updated Run c', 'appended Run c']);
  });

  it('PE-7: closing, a reload and the end of the agent are no answer', async () => {
    const closed = sessionBench();
    const first = ask((await prompted(closed)).connection);
    await closed.session.close();
    assert.equal(await first, undefined);
    const reloaded = sessionBench();
    const second = ask((await prompted(reloaded)).connection);
    void reloaded.session.reload();
    assert.equal(await second, undefined);
    const dead = sessionBench();
    const { connection } = await prompted(dead);
    const third = ask(connection);
    connection.die();
    assert.equal(await third, undefined);
    assert.deepEqual(stateAt(dead, 2), { kind: 'cancelled' });
    assert.deepEqual(dead.session.requests.waiting, []);
  });

  it('PE-7, CA-7: what the agent takes back is canceled', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const abort = new AbortController();
    const request = { sessionId: 's0', toolCall: { toolCallId: 'c' }, options };
    const answer = connection.requests.requestPermission(request, abort.signal);
    abort.abort();
    assert.equal(await answer, undefined);
    assert.deepEqual(made.session.requests.waiting, []);
    assert.equal(await connection.requests.requestPermission(request, abort.signal), undefined);
  });

  it('PE-8: no options is canceled, and is recorded', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    assert.equal(await ask(connection, 'c', []), undefined);
    assert.deepEqual(stateAt(made, 2), { kind: 'cancelled' });
  });

  it('PE-8: several wait in order, and each gets its own answer', async () => {
    const made = sessionBench();
    const { session } = made;
    const { connection } = await prompted(made);
    const answers = ['a', 'b', 'a'].map((id) => ask(connection, id));
    assert.deepEqual(session.requests.waiting, [2, 4, 5]);
    for (const [index, id] of [
      [5, 'no'],
      [2, 'yes'],
      [4, 'always'],
    ] as const) {
      session.requests.answerPermission(requestIdAt(made, index), id);
    }
    assert.deepEqual(await Promise.all(answers), [
      { optionId: 'yes' },
      { optionId: 'always' },
      { optionId: 'no' },
    ]);
  });

  it('PE-9: it is known which session of which agent asks, what has waited longest first', async () => {
    const made = sessionsBench(['a', 'b']);
    const [a, b] = made.agents.all.map((agent) => made.sessions.open(agent, info('same')));
    await a!.load();
    await b!.load();
    const [first, second] = made.connections;
    void ask(second!, 'x', options, 'same');
    void ask(first!, 'y', options, 'same');
    void ask(second!, 'z', options, 'same');
    assert.deepEqual(
      made.sessions.waiting.map(({ session }) => session.agent.id),
      ['b', 'a', 'b'],
    );
    assert.deepEqual(texts(a!), ['toolCall', 'permission']);
  });

  it('PE-9: a title is kept to the letter', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const title = '[yes](command:x)\n\u202e';
    const toolCall = { toolCallId: 'c', title };
    void connection.requests.requestPermission({ sessionId: 's0', toolCall, options }, never);
    const entry = made.session.transcript.entries[2];
    assert.ok(entry?.kind === 'permission');
    assert.equal(entry.toolCall.title, title);
  });

  it('a permission for a session that is not open is canceled', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    assert.equal(await ask(connection, 'c', options, 'nobody'), undefined);
    assert.deepEqual(texts(made.session), ['go']);
  });
});

describe('Elicitations', () => {
  it('EL-6, EL-18: what does not fit is said by field, and nothing is sent', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const answer = question(connection, 's0');
    const id = requestIdAt(made, 1);
    assert.deepEqual(Object.keys(made.session.requests.answerElicitation(id, 'accept', {}) ?? {}), [
      'name',
    ]);
    assert.deepEqual(made.session.requests.waiting, [1]);
    const values = { name: 'Ann', other: 'x' };
    assert.equal(made.session.requests.answerElicitation(id, 'accept', values), undefined);
    assert.deepEqual(await answer, { action: 'accept', values: { name: 'Ann' } });
  });

  it('EL-17: what looks like a secret is sent and kept nowhere', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const answer = question(connection, 's0');
    const values = { name: 'Ann', api_key: 'hunter2' };
    made.session.requests.answerElicitation(requestIdAt(made, 1), 'accept', values);
    assert.deepEqual(await answer, { action: 'accept', values });
    assert.deepEqual(stateAt(made, 1), { kind: 'accepted', values: { name: 'Ann' } });
    assert.ok(!JSON.stringify(made.session.transcript.entries).includes('hunter2'));
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`EL-10: ${action} has no values`, async () => {
      const made = sessionBench();
      const { connection } = await prompted(made);
      const answer = question(connection, 's0');
      made.session.requests.answerElicitation(requestIdAt(made, 1), action, { name: 'Ann' });
      assert.deepEqual(await answer, { action });
    });
  }

  it('EL-5: one without a session goes to the session that was prompted last, else is canceled', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    assert.deepEqual(await question(made.connections[0]!), { action: 'cancel' });
    const { connection } = await prompted(made);
    void question(connection);
    assert.equal(made.session.requests.waiting.length, 1);
    assert.equal(other.requests.waiting.length, 0);
    assert.deepEqual(await question(connection, 'nobody'), { action: 'cancel' });
  });

  it('EX-4: one without a session that names a call goes to the session that has the call', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    const { connection } = await prompted(made);
    connection.send('s1', call('theirs'));
    const form = { mode: 'form' as const, fields };
    void connection.requests.elicit({ toolCallId: 'theirs', message: 'Who?', ask: form }, never);
    assert.equal(other.requests.waiting.length, 1);
    const toolCall = { toolCallId: 'theirs', title: 'Plan', kind: 'switch_mode' as const };
    const plan = { isNoCall: true as const, toolCall, options };
    const answer = connection.requests.requestPermission(plan, never);
    assert.equal(other.requests.waiting.length, 2);
    assert.equal(made.session.requests.waiting.length, 0);
    const [, waiting = 0] = other.requests.waiting;
    other.requests.answerPermission(requestIdAt({ session: other }, waiting), 'yes');
    assert.deepEqual(await answer, { optionId: 'yes' });
    void connection.requests.requestPermission(
      { ...plan, toolCall: { ...toolCall, toolCallId: 'nobody’s' } },
      never,
    );
    assert.equal(made.session.requests.waiting.length, 1);
  });

  it('EX-4: of sessions with a call of the same name, it goes to the one whose call is at work', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await made.session.load();
    await other.load();
    const { connection } = await prompted({ ...made, session: other });
    connection.send('s0', call('c1', { status: 'completed' }));
    connection.send('s1', call('c1', { status: 'in_progress' }));
    const form = { mode: 'form' as const, fields };
    void connection.requests.elicit({ toolCallId: 'c1', message: 'Who?', ask: form }, never);
    assert.equal(made.session.requests.waiting.length, 0);
    assert.equal(other.requests.waiting.length, 1);
    connection.send('s1', change('c1', { status: 'completed' }));
    void connection.requests.elicit({ toolCallId: 'c1', message: 'Who?', ask: form }, never);
    assert.equal(other.requests.waiting.length, 2, 'of those that are done, the last prompted');
    await prompted(made);
    connection.send('s0', change('c1', { status: 'in_progress' }));
    connection.send('s1', change('c1', { status: 'in_progress' }));
    void connection.requests.elicit({ toolCallId: 'c1', message: 'Who?', ask: form }, never);
    assert.equal(made.session.requests.waiting.length, 1, 'of several, the last prompted');
  });

  it('EX-4: a request that isn’t known is a line in its session, one for each method and turn', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    const { connection } = await prompted(made);
    connection.send('s1', call('theirs'));
    const unknown = { method: 'acme/ask', raw: '{}' };
    connection.requests.unknownRequest({ ...unknown, sessionId: 's1' });
    connection.requests.unknownRequest({ ...unknown, toolCallId: 'theirs' });
    connection.requests.unknownRequest(unknown);
    connection.requests.unknownRequest({ ...unknown, sessionId: 'nobody' });
    const line = { kind: 'unknown', what: 'request', name: 'acme/ask', raw: '{}' };
    assert.deepEqual(other.transcript.entries.at(-1), { ...line, count: 2 });
    assert.deepEqual(made.session.transcript.entries.at(-1), { ...line, count: 1 });
  });

  it('EX-8: what is told of a call is shown in its session, at the call', async () => {
    const made = sessionBench();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    const { connection } = await prompted(made);
    connection.send('s1', call('theirs', { title: 'Explore' }));
    const before = made.session.transcript.entries.length;
    const told = (toolCallId: string) => {
      const block = { type: 'text' as const, text: 'done' };
      connection.requests.callNews({
        toolCallId,
        call: { toolCallId, title: 'Task', status: 'completed' },
        update: {
          ...({ sessionUpdate: 'tool_call_content_chunk', toolCallId } as const),
          content: [{ type: 'content', block }],
        },
      });
    };
    told('theirs');
    assert.equal(made.session.transcript.entries.length, before);
    const known = other.transcript.entries.at(-1);
    assert.ok(known?.kind === 'toolCall');
    assert.deepEqual([known.title, known.content.length], ['Explore', 1]);
    told('new');
    const added = made.session.transcript.entries.at(-1);
    assert.ok(added?.kind === 'toolCall', 'in the session that was prompted last');
    assert.deepEqual([added.title, added.content.length], ['Task', 1]);
  });

  it('EL-14, EL-15: an address is opened on consent, and done once when the agent says so', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const url = { mode: 'url' as const, url: 'https://example.org/', elicitationId: 'e' };
    const answer = connection.requests.elicit({ sessionId: 's0', message: 'Go', ask: url }, never);
    connection.requests.elicitationCompleted('e');
    assert.deepEqual(stateAt(made, 1), { kind: 'waiting' }, 'done before it was opened is nothing');
    made.session.requests.answerElicitation(requestIdAt(made, 1), 'accept', {});
    assert.deepEqual(await answer, { action: 'accept' });
    connection.requests.elicitationCompleted('unknown');
    assert.deepEqual(stateAt(made, 1), { kind: 'opened', completed: false });
    connection.requests.elicitationCompleted('e');
    connection.requests.elicitationCompleted('e');
    assert.deepEqual(stateAt(made, 1), { kind: 'opened', completed: true });
  });

  it('EL-19: a canceled turn closes the form', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const answer = question(connection, 's0');
    made.session.turns.cancel();
    assert.deepEqual(await answer, { action: 'cancel' });
    assert.deepEqual(stateAt(made, 1), { kind: 'cancelled' });
  });

  it('an agent that dies while it asks', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const answer = question(connection, 's0');
    connection.die();
    assert.deepEqual(await answer, { action: 'cancel' });
    await until(() => made.session.turns.current.kind === 'idle');
    assert.equal(lastOutcome(made.session).type, 'failed');
  });
});

describe('Files and terminals of a session', () => {
  const refused = (code: string) => (error: unknown) =>
    error instanceof AcpError && error.code === code;

  it('FS-4: files are those of the session’s own roots, and of no unknown session', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const { cwd } = made.session.info;
    made.realPaths.set(cwd, cwd).set(`${cwd}/a`, `${cwd}/a`).set('/etc/b', '/etc/b');
    made.disk.set(`${cwd}/a`, 'inside').set('/etc/b', 'outside');
    const read = (path: string, sessionId = 's0'): Promise<string> =>
      connection.requests.readTextFile({ sessionId, path }, never);
    assert.equal(await read(`${cwd}/a`), 'inside');
    await assert.rejects(read('/etc/b'), AcpError);
    await assert.rejects(read(`${cwd}/../../../etc/b`), AcpError);
    await assert.rejects(read(`${cwd}/a`, 'nobody'), refused('gone'));
    const write = { sessionId: 'nobody', path: `${cwd}/a`, content: 'x' };
    await assert.rejects(connection.requests.writeTextFile(write, never), refused('gone'));
    assert.equal(made.disk.get(`${cwd}/a`), 'inside');
  });

  it('FS-3: a write under way when its agent dies comes to its end, and so does the turn', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const { cwd } = made.session.info;
    made.realPaths.set(cwd, cwd);
    made.decide = () => 'allow';
    const write = { sessionId: 's0', path: `${cwd}/a`, content: 'x' };
    const written = connection.requests.writeTextFile(write, never);
    connection.die();
    await written;
    assert.equal(made.disk.get(`${cwd}/a`), 'x');
    await until(() => made.session.turns.current.kind === 'idle');
  });

  async function terminalBench() {
    const made = sessionBench();
    const { connection } = await prompted(made);
    made.decide = () => 'allow';
    const request = { sessionId: 's0', command: 'make', args: [], env: {} };
    const terminalId = await connection.requests.createTerminal(request, never);
    const content = [{ type: 'terminal' as const, terminalId }];
    connection.send('s0', call('c', { status: 'in_progress', content }));
    const fake = made.terminals.all[0];
    assert.ok(fake);
    const shown = (): unknown => {
      const entry = made.session.transcript.toolCall('c');
      return [entry?.terminalOutput?.get(terminalId), entry?.terminals?.get(terminalId)];
    };
    return { made, connection, fake, shown, ref: { sessionId: 's0', terminalId } };
  }

  it('TE-9, TE-7: a call shows what its terminal writes, how it ended, and that after its release', async () => {
    const { made, connection, fake, shown, ref } = await terminalBench();
    assert.deepEqual(shown(), ['', { kind: 'running' }]);
    fake.print('one\n');
    await until(() => JSON.stringify(shown()).includes('one'));
    fake.end(3);
    const exited = { kind: 'exited', exitCode: 3, signal: null };
    await until(() => JSON.stringify(shown()).includes('exited'));
    assert.deepEqual(shown(), ['one\n', exited]);
    await connection.requests.releaseTerminal(ref);
    await assert.rejects(connection.requests.terminalOutput(ref), refused('gone'));
    assert.deepEqual(shown(), ['one\n', exited]);
    assert.equal(made.session.terminals.get(ref.terminalId)?.output.output, 'one\n');
  });

  it('TE-9: a terminal that we never had, as in a replay, shows none', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', call('c', { content: [{ type: 'terminal', terminalId: 'theirs' }] }));
    assert.equal(made.session.transcript.toolCall('c')?.terminals, undefined);
  });

  it('TE-8: nothing runs on after the end of the agent, or of the session', async () => {
    const dead = await terminalBench();
    dead.connection.die();
    await until(() => dead.fake.kills === 1);
    const closed = await terminalBench();
    await closed.made.session.close();
    assert.equal(closed.fake.kills, 1);
  });

  it('TE-1, TE-5, TE-6: an unknown session has no terminals', async () => {
    const { connection, ref } = await terminalBench();
    const elsewhere = { ...ref, sessionId: 'nobody' };
    await assert.rejects(connection.requests.killTerminal(elsewhere), refused('gone'));
    await assert.rejects(connection.requests.waitForTerminalExit(elsewhere, never), AcpError);
    await connection.requests.killTerminal(ref);
    assert.ok((await connection.requests.terminalOutput(ref)).exitStatus);
  });

  it('V2-PERM-1: the question’s own title and description are kept apart from the call’s', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const toolCall = { toolCallId: 'c', title: 'Run c', kind: 'execute' as const };
    const words = { title: 'Really?', description: 'It deletes things.' };
    void connection.requests.requestPermission(
      { sessionId: 's0', toolCall, options, ...words },
      never,
    );
    const entry = made.session.transcript.entries.at(-1);
    assert.ok(entry?.kind === 'permission');
    assert.deepEqual([entry.title, entry.description], ['Really?', 'It deletes things.']);
    assert.equal(entry.toolCall.title, 'Run c');
    assert.equal(made.session.transcript.toolCall('c')?.title, 'Run c');
    void ask(connection, 'd');
    const plain = made.session.transcript.entries.at(-1);
    assert.ok(plain?.kind === 'permission' && !('title' in plain) && !('description' in plain));
  });

  it('V2-PERM-3, V2-PERM-4: what only a question says is in its own row, and nothing is said of a call', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    connection.send('s0', { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Build' });
    const request = (toolCallId: string) => ({
      sessionId: 's0',
      toolCall: { toolCallId, title: 'rm -rf out', kind: 'execute' as const },
      isNoCall: true as const,
      options,
    });
    const { entries } = made.session.transcript;
    void connection.requests.requestPermission(request('c'), never);
    void connection.requests.requestPermission(request('none'), never);
    const asked = made.session.transcript.entries.filter(({ kind }) => kind === 'permission');
    for (const entry of asked) {
      assert.ok(entry.kind === 'permission');
      assert.deepEqual([entry.toolCall.title, entry.call], ['rm -rf out', undefined]);
    }
    assert.equal(asked.length, 2);
    assert.equal(made.session.transcript.toolCall('c')?.title, 'Build');
    assert.equal(made.session.transcript.toolCall('none'), undefined);
    assert.equal(entries.filter(({ kind }) => kind === 'toolCall').length, 1);
  });
});
