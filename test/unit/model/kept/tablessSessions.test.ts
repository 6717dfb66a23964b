import assert from 'node:assert/strict';
import { TablessSessions } from '../../../../src/model/kept/tablessSessions';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { session as info } from '../fakes';
import { draft, prompted, type SessionBench, sessionBench } from '../sessionBench';

function bench(cancelMs?: number): SessionBench & { readonly tabless: TablessSessions } {
  const made = sessionBench(undefined, cancelMs === undefined ? {} : { cancelMs });
  return Object.assign(made, { tabless: new TablessSessions(made.sessions) });
}

function isOpen({ sessions, session }: SessionBench): boolean {
  return sessions.find('demo', session.info.sessionId) === session;
}

describe('a session whose tab is closed', () => {
  it('CLOSE-3: is let go when nothing goes on', async () => {
    const made = bench();
    await made.session.load();
    made.tabless.tabClosed(made.session);
    assert.ok(!isOpen(made));
    assert.deepEqual(made.connections[0]?.calls, ['load s0', 'close s0']);
  });

  it('goes on as long as its turn runs and prompts wait, and is let go then', async () => {
    const made = bench();
    const { connection, prompt } = await prompted(made, 'one');
    made.session.turns.submit(draft('two'));
    const heard: string[] = [];
    made.sessions.onDidHappen(({ kind }) => heard.push(kind));
    made.tabless.tabClosed(made.session);
    prompt.resolve('end_turn');
    await until(() => connection.prompts.length === 2);
    assert.ok(isOpen(made));
    connection.prompts[1]!.resolve('end_turn');
    await until(() => !isOpen(made));
    assert.deepEqual(heard, ['turnEnded', 'turnEnded'], 'both were told before it was let go');
    assert.deepEqual(connection.calls, ['load s0', 'prompt s0 one', 'prompt s0 two', 'close s0']);
  });

  it('PE-1, SEC-4: waits for its person without a tab', async () => {
    const made = bench();
    const { connection, prompt } = await prompted(made);
    made.tabless.tabClosed(made.session);
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;
    const { signal } = new AbortController();
    const asked = { sessionId: 's0', toolCall: { toolCallId: 't' }, options };
    const answer = connection.requests.requestPermission(asked, signal);
    await until(() => made.sessions.waiting.length === 1);
    const entry = made.session.transcript.entries[made.session.requests.waiting[0]!];
    assert.ok(entry?.kind === 'permission');
    made.session.requests.answerPermission(entry.requestId, 'yes');
    assert.deepEqual(await answer, { optionId: 'yes' });
    assert.ok(isOpen(made));
    prompt.resolve('end_turn');
    await until(() => !isOpen(made));
  });

  it('US-6: sends the prompt that waits for the end of a limit, and is let go then', async () => {
    const made = bench();
    const { session } = made;
    const { connection, prompt } = await prompted(made, 'later');
    const resetsAt = Date.now() - 4_950;
    const limit = { status: 'reached', window: 'fiveHours', resetsAt } as const;
    connection.send('s0', { sessionUpdate: 'usage_update', used: 1, size: 10, limit });
    prompt.reject(new AcpError('rpc', 'No more'));
    await until(() => session.turns.current.kind === 'idle');
    session.turns.sendWhenReset(session.transcript.entries.length - 1);
    made.tabless.tabClosed(session);
    assert.ok(isOpen(made));
    await until(() => connection.prompts.length === 2);
    connection.prompts[1]!.resolve('end_turn');
    await until(() => !isOpen(made));
  });

  it('stays when its tab is opened again', async () => {
    const made = bench();
    const { prompt } = await prompted(made);
    made.tabless.tabClosed(made.session);
    assert.equal(made.sessions.open(made.agent, info('s0')), made.session);
    made.tabless.tabOpened(made.session);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await new Promise(setImmediate);
    assert.ok(isOpen(made));
    made.tabless.tabClosed(made.session);
    assert.ok(!isOpen(made));
  });

  it('stays after a failure, with its prompt to be sent again', async () => {
    const made = bench();
    const { connection, prompt } = await prompted(made);
    made.tabless.tabClosed(made.session);
    prompt.reject(new AcpError('rpc', 'x'));
    await until(() => made.session.turns.current.kind === 'idle');
    await new Promise(setImmediate);
    assert.ok(isOpen(made));
    made.session.turns.sendAgain(made.session.transcript.entries.length - 1);
    await until(() => connection.prompts.length === 2);
    connection.prompts[1]!.resolve('end_turn');
    await until(() => !isOpen(made));
  });

  it('stays when its agent dies, which it says, and keeps what waited', async () => {
    const made = bench();
    const { connection } = await prompted(made);
    made.session.turns.submit(draft('waits'));
    made.tabless.tabClosed(made.session);
    connection.die();
    await until(() => made.session.turns.current.kind === 'idle');
    await new Promise(setImmediate);
    assert.ok(isOpen(made));
    assert.equal(made.session.phase.kind, 'failed');
    assert.deepEqual(
      made.session.turns.queue.map(({ held }) => held),
      [true],
    );
  });

  it('DEL-5: can be deleted', async () => {
    const made = bench();
    const { connection } = await prompted(made);
    made.tabless.tabClosed(made.session);
    await made.sessions.delete(made.agent, made.session.info);
    assert.ok(!isOpen(made));
    assert.ok(connection.calls.includes('cancel s0'));
  });

  it('AUTH-12: ends with its agent’s login', async () => {
    const made = bench();
    await prompted(made);
    made.tabless.tabClosed(made.session);
    await made.sessions.signOut(made.agent);
    assert.equal(made.session.isLive, false);
  });

  it('CA-11: a turn that never ends is ended here once it was stopped', async () => {
    const made = bench(5);
    const { connection } = await prompted(made);
    made.tabless.tabClosed(made.session);
    made.session.turns.cancel();
    // The cancel timer is unref'd, so something else must keep this process alive.
    const alive = setInterval(() => undefined, 1_000);
    await until(() => !isOpen(made));
    clearInterval(alive);
    assert.deepEqual(connection.calls, ['load s0', 'prompt s0 go', 'cancel s0', 'close s0']);
  });
});
