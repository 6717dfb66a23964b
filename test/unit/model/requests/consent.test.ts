import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { folder, idle, session as info } from '../fakes';
import { acting, file, never, refused } from './consentBench';

describe('what an agent does without having asked', () => {
  it('PE-9, FS-3: a file is written once the user has seen the change and allowed it', async () => {
    const { write, answer, disk } = await acting();
    disk.set(file('a'), 'old');
    const writing = write('a', 'new');
    const entry = await answer('allow_once');
    await writing;
    assert.equal(disk.get(file('a')), 'new');
    assert.deepEqual(entry.own, { act: 'write' });
    assert.equal(entry.toolCall.title, file('a'));
    assert.deepEqual(entry.toolCall.content, [
      { type: 'diff', path: file('a'), oldText: 'old', newText: 'new' },
    ]);
    assert.deepEqual(
      entry.options.map(({ name }) => name),
      ['Allow Once', 'Allow for This Session', 'Reject'],
    );
  });

  it('PE-9, TE-2: a command runs once the user has seen all of it and its folder, and allowed it', async () => {
    const { run, answer, terminals } = await acting();
    const running = run('rm', ['-rf', 'my files'], { cwd: '/tmp', env: { HOME: '/x' } });
    const entry = await answer('allow_once');
    await running;
    assert.equal(terminals.all.length, 1);
    assert.deepEqual(entry.own, { act: 'command', folder: '/tmp' });
    assert.equal(entry.toolCall.title, 'rm -rf "my files"');
    // First, because a long text is cut at its end.
    assert.match(JSON.stringify(entry.toolCall.rawInput), /^\{"env":\{"HOME":"\/x"\}/);
  });

  it('PE-9, TE-2, T-53, SEC-17: a command line is shown word for word, with its shell, and is what runs', async () => {
    const { run, answer, terminals } = await acting();
    const line = 'printf \'a  b\' && rm -rf "$X"\nls';
    const running = run(line, [], { env: { CLAUDECODE: '1' } });
    const entry = await answer('allow_once');
    await running;
    assert.equal(entry.toolCall.title, line);
    assert.deepEqual(entry.toolCall.rawInput, {
      ...{ command: line, shell: '/bin/sh', folder: folder.path, env: { CLAUDECODE: '1' } },
    });
    const { command, args, shell } = terminals.all[0]!.options;
    assert.deepEqual([command, args, shell], [line, [], '/bin/sh']);
  });

  it('PE-9, TE-2: a program with a space in its name isn’t shown as a command line', async () => {
    const { run, answer, made, terminals } = await acting();
    made.terminals.shellFor = () => Promise.resolve(undefined);
    const running = run('/tools/npm test');
    const entry = await answer('allow_once');
    await running;
    assert.equal(entry.toolCall.title, '"/tools/npm test"');
    assert.equal(terminals.all[0]?.options.shell, undefined);
    const withArguments = run('/tools/npm test', ['--x']);
    assert.equal((await answer('allow_once')).toolCall.title, '"/tools/npm test" --x');
    await withArguments;
  });

  it('PE-7: a no is an error for the agent, and nothing happened', async () => {
    const { write, run, answer, disk, terminals } = await acting();
    const writing = write('a');
    await answer('reject_once');
    await assert.rejects(writing, refused);
    const running = run('make');
    await answer('reject_once');
    await assert.rejects(running, refused);
    assert.equal(disk.size, 0);
    assert.equal(terminals.all.length, 0);
    const again = write('a');
    await answer('allow_once');
    await again;
  });

  it('PE-8, SEC-3: questions wait in a row, and a yes for the session lets those behind it through', async () => {
    const { write, answer, asked, disk, made, run } = await acting();
    const writing = ['a', 'b', 'c', 'd'].map((name) => write(name));
    await until(() => asked().length === 1);
    await idle();
    assert.equal(asked().length, 1, 'one card at a time');
    await answer('allow_once');
    await writing[0];
    await answer('allow_always');
    await Promise.all(writing);
    assert.equal(asked().length, 2);
    assert.equal(disk.size, 4);
    await write('e');
    assert.equal(asked().length, 2);
    void run('make').catch(() => undefined);
    await until(() => asked().length === 3);
    assert.ok(made.session.acts.hasLasting, 'commands are another matter');
  });

  it('PE-8, SEC-123: no more than 100 questions of a session wait; twice as many are refused and the rest goes on', async () => {
    const { write, answer, disk } = await acting();
    const results = Array.from({ length: 200 }, (_, index) =>
      write(`f${index}`).then(
        () => 'written',
        () => 'refused',
      ),
    );
    await answer('allow_always');
    const all = await Promise.all(results);
    assert.equal(all.filter((result) => result === 'written').length, 100);
    assert.equal(disk.size, 100);
    await write('later');
  });

  it('PE-4, PE-7, SEC-4: canceling the turn, closing and the agent’s end answer all that waits, never with a yes', async () => {
    for (const end of ['cancel', 'close', 'die', 'reload'] as const) {
      const { write, run, asked, session, connection, disk, terminals } = await acting();
      const all = [write('a'), write('b'), run('make')];
      const settled = Promise.allSettled(all);
      await until(() => asked().length === 1);
      if (end === 'cancel') {
        session.turns.cancel();
      } else if (end === 'close') {
        void session.close();
      } else if (end === 'die') {
        connection.die();
      } else {
        void session.reload();
      }
      for (const result of await settled) {
        assert.ok(result.status === 'rejected' && refused(result.reason), end);
      }
      assert.equal(disk.size + terminals.all.length, 0, end);
      assert.deepEqual(session.requests.waiting, []);
    }
  });

  it('PE-7, CA-7: a request that the agent takes back is not asked any more', async () => {
    const { write, asked, session } = await acting();
    const abort = new AbortController();
    const writing = write('a', 'x', abort.signal);
    const behind = write('b', 'x', abort.signal);
    await until(() => asked().length === 1);
    abort.abort();
    await assert.rejects(writing, refused);
    await assert.rejects(behind, refused);
    assert.deepEqual(session.requests.waiting, []);
    assert.equal(asked().length, 1);
  });

  it('PE-5, SEC-4: rules answer as for permissions, in one quiet line', async () => {
    const { write, run, made, asked, disk, terminals } = await acting();
    made.decide = (_, kind) => (kind === 'edit' ? 'allow' : 'reject');
    await write('a');
    await assert.rejects(run('make'), refused);
    assert.equal(disk.size, 1);
    assert.equal(terminals.all.length, 0);
    assert.deepEqual(
      asked().map(({ state, toolCall }) => [state, toolCall.title, toolCall.content.length]),
      [
        [{ kind: 'selected', optionId: 'allow_once', by: 'rule' }, file('a'), 0],
        [{ kind: 'selected', optionId: 'reject_once', by: 'rule' }, 'make', 0],
      ],
    );
  });

  it('PE-5: a rule that rejects takes precedence over what the user has allowed for the session', async () => {
    const { write, made, answer } = await acting();
    const writing = write('a');
    await answer('allow_always');
    await writing;
    made.decide = () => 'reject';
    await assert.rejects(write('a'), refused);
  });

  it('PE-7, SEC-4: what was allowed for a session isn’t allowed for another, and can be revoked', async () => {
    const { write, answer, asked, made, session } = await acting();
    const other = made.sessions.open(made.agent, info('s1'));
    await other.load();
    const first = write('a');
    await answer('allow_always');
    await first;
    void write('b', 'x', never, 's1').catch(() => undefined);
    await until(() => other.requests.waiting.length === 1);
    session.acts.askAgain();
    assert.equal(session.acts.hasLasting, false);
    void write('c').catch(() => undefined);
    await until(() => asked().length === 2);
  });

  it('PE-7, SEC-4: nor that of a later session of the same id', async () => {
    const { write, answer, made, session } = await acting();
    const first = write('a');
    await answer('allow_always');
    await first;
    await session.close();
    const again = made.sessions.open(made.agent, info('s0'));
    await again.load();
    void write('b').catch(() => undefined);
    await until(() => again.requests.waiting.length === 1);
    await again.close();
  });

  it('PE-7: an agent that acts with no turn running is asked about, too', async () => {
    const { write, run, prompt, session, asked } = await acting();
    prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    const settled = Promise.allSettled([write('a'), run('make')]);
    await until(() => asked().length === 1);
    await session.close();
    assert.ok((await settled).every(({ status }) => status === 'rejected'));
  });

  it('TE-2, FS-4: what can’t be done anyway is no question', async () => {
    const { run, asked, connection, made } = await acting();
    await assert.rejects(run('  '), AcpError);
    const outside = { sessionId: 's0', path: '/etc/passwd', content: 'x' };
    await assert.rejects(connection.requests.writeTextFile(outside, never), AcpError);
    made.workspace.trusted = false;
    await assert.rejects(run('make'), AcpError);
    assert.deepEqual(asked(), []);
  });
});
