import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { folder } from '../fakes';
import { acting, file, never, options } from '../requests/consentBench';

describe('a command that a rule by kind allows', () => {
  async function ruled() {
    const bench = await acting();
    const { made, session, connection } = bench;
    made.decide = (_, kind) => (kind === 'execute' || kind === 'other' ? 'allow' : undefined);
    let asked = 0;
    const ask = (rawInput: unknown, more: object = {}) => {
      const call = { toolCallId: `c${++asked}`, title: 'Runs it', kind: 'execute' as const };
      const toolCall = { ...call, rawInput, ...more };
      return connection.requests.requestPermission({ sessionId: 's0', toolCall, options }, never);
    };
    const isAsked = async (rawInput: unknown, more: object = {}): Promise<boolean> => {
      let isAnswered = false;
      const answer = ask(rawInput, more).then((given) => {
        isAnswered = true;
        assert.deepEqual(given, { optionId: session.requests.waiting.length > 0 ? 'no' : 'yes' });
      });
      await until(() => isAnswered || session.requests.waiting.length > 0);
      const isWaiting = session.requests.waiting.length > 0;
      if (isWaiting) {
        const entry = session.transcript.entries[session.requests.waiting[0] ?? -1];
        assert.ok(entry?.kind === 'permission');
        void answer.catch(() => undefined);
        session.requests.answerPermission(entry.requestId, 'no');
      }
      await answer.catch(() => undefined);
      return isWaiting;
    };
    return { ...bench, ask, isAsked };
  }

  it('PE-5, SEC-9: is asked about if its input has anything else that may change how it runs', async () => {
    const { isAsked, session } = await ruled();
    for (const more of [
      { env: { A: '1' } },
      { env: { LD_PRELOAD: '/x.so' } },
      { env: { CI: '/tmp/x' } },
      { env: ['A=1'] },
      { env: [{ name: 'A', value: '1' }] },
      { env: { A: 1 } },
      { environment_variables: { A: '1' } },
      { options: { env: { A: '1' } } },
      { shell: 'fish' },
      { executable: '/tmp/sh' },
      { user: 'root' },
      { dangerouslyDisableSandbox: true },
      { stdin: 'rm -rf x' },
      { whatever: 7 },
      { cwd: '/etc' },
      { cwd: 'src' },
      { cwd: '..' },
      { workdir: `${folder.path}/..` },
      { cwd: folder.path, options: { cwd: '/etc' } },
      { description: { note: { shell: 'fish' } } },
    ]) {
      const rawInput = { command: 'npm test', ...more };
      assert.ok(await isAsked(rawInput), JSON.stringify(more));
      assert.ok(await isAsked(JSON.stringify(rawInput)), 'as a text');
      assert.ok(await isAsked(rawInput, { kind: 'other' }), 'under another kind');
    }
    const [first] = session.transcript.entries.filter(({ kind }) => kind === 'permission');
    assert.ok(first?.kind === 'permission');
    assert.deepEqual(first.toolCall.rawInput, { command: 'npm test', env: { A: '1' } }, 'shown');
  });

  it('PE-5: isn’t asked about if its input only describes it, or names a folder of the session', async () => {
    const { isAsked } = await ruled();
    for (const more of [
      {},
      { description: 'Tests it', timeout: 5000, run_in_background: true },
      { cwd: folder.path },
      { cwd: '' },
      { workdir: file('packages') },
      { env: {} },
      { env: { NO_COLOR: '1', LC_ALL: 'C.UTF-8' } },
      { env: { HOME: process.env['HOME'] ?? '' } },
      { shell: null, user: '' },
      { parsed_cmd: [{ type: 'unknown', cmd: 'npm test' }], call_id: 'x', reason: 'Why' },
    ]) {
      assert.ok(!(await isAsked({ command: 'npm test', ...more })), JSON.stringify(more));
    }
    assert.ok(!(await isAsked(undefined)), 'a title alone');
    assert.ok(!(await isAsked({ query: 'x', shell: 'fish' }, { kind: 'other' })), 'no command');
  });

  it('PE-5, SEC-9: is asked about if its input names more folders, or is deeper, than is looked at', async () => {
    const { isAsked } = await ruled();
    const folders = (count: number) => ({
      command: 'npm test',
      description: Array.from({ length: count }, (_, index) => ({ cwd: file(`d${index}`) })),
    });
    assert.ok(!(await isAsked(folders(20))));
    assert.ok(await isAsked(folders(40)));
    const deep = (levels: number): object =>
      levels === 0 ? { description: 'x' } : { description: deep(levels - 1) };
    assert.ok(!(await isAsked({ command: 'npm test', ...deep(8) })));
    assert.ok(await isAsked({ command: 'npm test', ...deep(20) }));
  });

  it('PE-5, SEC-26: is asked about under a kind that runs nothing', async () => {
    const { isAsked, made } = await ruled();
    made.decide = () => 'allow';
    for (const kind of ['edit', 'read', 'search', 'fetch', 'think'] as const) {
      assert.ok(await isAsked({ command: 'rm -rf x' }, { kind }), kind);
      assert.ok(
        await isAsked({ tool: { Command: ['bash', '-c', 'x'], env: { A: '1' } } }, { kind }),
      );
      assert.ok(!(await isAsked({ path: file('a'), query: 'x' }, { kind })), kind);
    }
    // The text editor tool of Anthropic's models calls what it does so.
    assert.ok(!(await isAsked({ command: 'str_replace', path: file('a') }, { kind: 'edit' })));
  });

  it('PE-5, TE-2, SEC-9: isn’t asked about for exactly the variables that were agreed to', async () => {
    const { isAsked, run, answer, session } = await ruled();
    const env = { CLAUDECODE: '1', A: '2' };
    assert.ok(await isAsked({ command: 'npm test', env }));
    const running = run('make', [], { env });
    await answer('allow_always');
    await running;
    assert.ok(!(await isAsked({ command: 'npm test', env })));
    assert.ok(!(await isAsked({ command: 'npm test', env: { A: '2', CI: 'true' } })));
    for (const other of [{ A: '1' }, { ...env, B: '1' }, { a: '2' }]) {
      assert.ok(await isAsked({ command: 'npm test', env: other }), JSON.stringify(other));
    }
    const twice = { command: 'npm test', env: { A: '2' }, options: { env: { A: '3' } } };
    assert.ok(await isAsked(twice), 'two values of one');
    session.acts.askAgain();
    assert.ok(await isAsked({ command: 'npm test', env }));
  });

  it('PE-5: is rejected by a rule that rejects, whatever its input says', async () => {
    const { ask, made } = await ruled();
    made.decide = () => 'reject';
    assert.deepEqual(await ask({ command: 'npm test', env: { A: '1' } }), { optionId: 'no' });
  });
});
