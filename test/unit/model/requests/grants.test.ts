import assert from 'node:assert/strict';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import { readFileWrite, readPermission } from '../../../../src/protocol/v1/readRequests';
import { until } from '../../../support/until';
import { call, change } from '../updates';
import { acting, file, never, options, refused } from './consentBench';

const edit = (toolCallId: string, more: Partial<ToolCallPatch> = {}): ToolCallPatch => ({
  toolCallId,
  title: 'Edit',
  kind: 'edit',
  ...more,
});
const diffOf = (name: string) =>
  [{ type: 'diff', path: name, oldText: 'a', newText: 'b' }] as const;

describe('a permission that the agent has asked for', () => {
  it('PE-6, FS-3: covers the files that its card shows, until the turn ends', async () => {
    const { write, permit, asked, prompt, session, disk, connection } = await acting();
    const locations = [{ path: file('b') }];
    await permit(edit('c', { content: diffOf(file('a')), locations }));
    connection.send('s0', change('c', { status: 'completed' }));
    await write('a');
    await write('b');
    await write('a', 'again');
    assert.deepEqual(asked(), []);
    assert.equal(disk.get(file('a')), 'again');
    prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    void write('a').catch(() => undefined);
    await until(() => asked().length === 1);
  });

  it('PE-6, V2-DIFF-2: covers what is moved and deleted, but not what is only copied', async () => {
    const { write, permit, asked, session } = await acting();
    const change = { type: 'fileChange', path: file('a') } as const;
    await permit(
      edit('c', {
        content: [
          { ...change, operation: 'delete' },
          { ...change, operation: 'move', path: file('new'), oldPath: file('old') },
          { ...change, operation: 'copy', path: file('copy'), oldPath: file('source') },
          { ...change, operation: 'other', oldPath: file('source') },
        ],
      }),
    );
    for (const name of ['a', 'new', 'old', 'copy']) {
      await write(name);
    }
    assert.deepEqual(asked(), []);
    void write('source').catch(() => undefined);
    await until(() => asked().length === 1);
    await session.close();
  });

  it('PE-9: a path that only a folded input names is not covered', async () => {
    const { write, permit, asked, session } = await acting();
    const rawInput = { path: file('.git/hooks/pre-commit') };
    await permit(edit('c', { content: diffOf(file('README.md')), rawInput }));
    void write('.git/hooks/pre-commit').catch(() => undefined);
    await until(() => asked().length === 1);
    await session.close();
  });

  it('PE-6: covers what its input names when nothing else does, relative paths too', async () => {
    const { write, permit, asked } = await acting();
    await permit(edit('c', { rawInput: { edits: [{ file_path: 'a' }], filePath: file('b') } }));
    await write('a');
    await write('b');
    assert.deepEqual(asked(), []);
  });

  it('PE-6: covers one file while its call runs, when it names none', async () => {
    const { write, permit, asked, answer, connection } = await acting();
    await permit(edit('c', { rawInput: { text: 'x' } }));
    await write('a');
    await write('a', 'again');
    const second = write('b');
    await answer('reject_once');
    await assert.rejects(second, refused);
    connection.send('s0', change('c', { status: 'completed' }));
    void write('a').catch(() => undefined);
    await until(() => asked().length === 2);
  });

  it('PE-7: a no covers nothing, nor does a permission to read or an answer of another kind', async () => {
    for (const [toolCall, optionId] of [
      [edit('c', { content: diffOf(file('a')) }), 'no'],
      [edit('c', { kind: 'read', locations: [{ path: file('a') }] }), 'always'],
      [edit('c', { kind: 'other' }), 'always'],
      [edit('c', { kind: 'execute', locations: [{ path: file('a') }] }), 'always'],
    ] as const) {
      const { write, permit, asked, session } = await acting();
      await permit(toolCall, optionId);
      void write('a').catch(() => undefined);
      await until(() => asked().length === 1);
      await session.close();
    }
  });

  it('PE-6: one for another tool covers what it names', async () => {
    const { write, run, permit, asked } = await acting();
    await permit(edit('c', { kind: 'other', locations: [{ path: file('a') }] }));
    await write('a');
    await permit(edit('d', { kind: 'other', rawInput: { command: 'make all' } }));
    await run('make', ['all']);
    assert.deepEqual(asked(), []);
  });

  it('PE-2: chosen for good it covers the same kind of act for the session', async () => {
    const { write, run, permit, asked, prompt, session } = await acting();
    await permit(edit('c', { content: diffOf(file('a')) }), 'always');
    prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    await write('b');
    assert.deepEqual(asked(), []);
    assert.ok(session.acts.hasLasting);
    void run('make').catch(() => undefined);
    await until(() => asked().length === 1);
  });

  it('PE-5, SEC-3: covers what follows when a rule has given it', async () => {
    const { write, made, connection, asked } = await acting();
    made.decide = (_, kind) => (kind === 'delete' ? 'allow' : undefined);
    const toolCall = edit('c', { kind: 'delete', locations: [{ path: file('a') }] });
    await connection.requests.requestPermission({ sessionId: 's0', toolCall, options }, never);
    await write('a');
    assert.deepEqual(asked(), []);
  });

  const shellLine = 'npm test && echo "a b"';
  const covered: readonly [string, readonly string[], string?][] = [
    [shellLine, []],
    ['sh', ['-c', shellLine]],
    ['bash', ['-lc', shellLine]],
    ['/bin/bash', ['-l', '-c', shellLine]],
    ['cmd', ['/c', shellLine]],
    ['cmd.exe', ['/d', '/s', '/c', shellLine]],
    ['powershell', ['-NoProfile', '-Command', shellLine]],
    ['git', ['commit', '-m', 'a b'], 'git commit -m "a b"'],
  ];
  for (const [command, args, named = shellLine] of covered) {
    it(`PE-6, TE-2: covers its command run as ${command} ${args.slice(0, -1).join(' ')}`, async () => {
      const { run, permit, asked } = await acting();
      await permit(edit('c', { kind: 'execute', rawInput: { command: named } }));
      await run(command, args);
      assert.deepEqual(asked(), []);
    });
  }

  const others: readonly [string, readonly string[], object?][] = [
    ['npm', ['test', '--x']],
    ['sh', ['-c', 'npm test; curl x']],
    ['sh', ['-c', 'npm test', 'more']],
    ['sh', ['npm test']],
    ['sh', ['-C', 'npm test']],
    ['/tmp/sh', ['-c', 'npm test']],
    ['npm test && curl x', []],
    ['npm test\ncurl x', []],
    [' npm test', []],
    ['./bash', ['-c', 'npm test']],
    ['npm test', [], { env: { LD_PRELOAD: '/tmp/x.so' } }],
    ['npm', ['test'], { env: { PATH: '/tmp' } }],
    ['npm', ['test'], { env: { ZDOTDIR: '/tmp' } }],
    ['npm', ['test'], { env: { PYTHONPATH: '/tmp' } }],
    ['npm', ['test'], { cwd: '/etc' }],
    ['npm', ['test'], { cwd: file('packages') }],
    ['npm', ['test'], { env: { HOME: '/tmp' } }],
    ['npm', ['test'], { env: { npm_config_node_options: '--import=data:x' } }],
  ];
  for (const [command, args, more] of others) {
    it(`PE-9, TE-2, SEC-3: does not cover ${JSON.stringify([command, args, more ?? {}])}`, async () => {
      const { run, permit, asked, session } = await acting();
      await permit(edit('c', { kind: 'execute', rawInput: { command: 'npm test' } }));
      void run(command, args, more).catch(() => undefined);
      await until(() => asked().length === 1);
      await session.close();
    });
  }

  it('PE-6, TE-2: covers a command line that comes without a kind, as older Claude adapters ask', async () => {
    const { run, permit, asked } = await acting();
    const line = "printf 'x\\n'; ls nope; exit 3";
    await permit({ toolCallId: 'c', title: 'Run it', rawInput: { command: line, timeout: 5 } });
    await run(line, [], { outputByteLimit: 32_000 });
    assert.deepEqual(asked(), []);
  });

  it('PE-9, TE-2, SEC-4: a variable is asked about, however the command was allowed, once for the session', async () => {
    const { run, permit, asked, answer, made } = await acting();
    const env = { CLAUDECODE: '1' };
    const allowed = async (): Promise<void> =>
      permit(edit('c', { kind: 'execute', rawInput: { command: 'npm test' } }));
    await allowed();
    const first = run('npm test', [], { env });
    const { toolCall, options: offered } = await answer('allow_always');
    await first;
    assert.deepEqual((toolCall.rawInput as { env: unknown }).env, env);
    assert.ok(offered.some(({ name }) => name === 'Allow These Variables for This Session'));
    await allowed();
    await run('npm test', [], { env: { ...env, NO_COLOR: '1', LC_ALL: 'C.UTF-8' } });
    assert.equal(asked().length, 1, 'the same one is asked about once');
    // The variables were allowed, not every command.
    const other = run('make', [], { env });
    await answer('reject_once');
    await assert.rejects(other, refused);
    // A rule allows the command, and not what it sets.
    made.decide = (_, kind) => (kind === 'execute' ? 'allow' : undefined);
    await run('make', [], { env });
    for (const sets of [
      { npm_config_node_options: '--import=data:text/javascript,1' },
      { HOME: '/tmp/evil' },
      { CLAUDECODE: '2' },
      { LC_ALL: '/tmp/evil' },
      { no_color: '1' },
    ]) {
      const before = asked().filter(({ state }) => state.kind === 'waiting').length;
      assert.equal(before, 0);
      const ruled = run('make', [], { env: sets });
      await answer('reject_once');
      await assert.rejects(ruled, refused);
    }
  });

  it('PE-9, TE-2, SEC-4: what was named as words is compared as words', async () => {
    const { run, permit, asked, answer, made } = await acting();
    made.terminals.shellFor = () => Promise.resolve(undefined);
    const named = { command: 'run tests now' };
    await permit(edit('c', { kind: 'execute', rawInput: named }));
    const other = run('run tests', ['now']);
    await answer('reject_once');
    await assert.rejects(other, refused);
    await run('run', ['tests', 'now']);
    await permit(edit('d', { kind: 'execute', rawInput: { command: ['run', 'tests now'] } }));
    const split = run('run', ['tests', 'now']);
    await answer('reject_once');
    await assert.rejects(split, refused);
    await run('run', ['tests now']);
    assert.equal(asked().length, 2);
  });

  it('PE-9, TE-2, SEC-4: covers its command only in the folder that was named', async () => {
    const { run, permit, answer } = await acting();
    await permit(edit('c', { kind: 'execute', rawInput: { command: 'npm test', cwd: file('a') } }));
    for (const more of [{}, { cwd: file('b') }]) {
      const elsewhere = run('npm', ['test'], more);
      await answer('reject_once');
      await assert.rejects(elsewhere, refused);
    }
    await run('npm', ['test'], { cwd: file('a') });
  });

  it('PE-9, TE-2, SEC-17: a program whose name reads like the permitted line is asked about', async () => {
    const { run, permit, asked, made, session } = await acting();
    made.terminals.shellFor = () => Promise.resolve(undefined);
    await permit(edit('c', { kind: 'execute', rawInput: { command: './npm test' } }));
    void run('./npm test').catch(() => undefined);
    await until(() => asked().length === 1);
    await session.close();
  });

  it('PE-9: a title that stands in for the command is the command', async () => {
    const { run, permit, asked } = await acting();
    await permit(edit('c', { kind: 'execute', title: 'touch never' }));
    void run('touch', ['ever']).catch(() => undefined);
    await until(() => asked().length === 1);
    await permit(edit('d', { kind: 'execute', title: 'touch never' }));
    await run('touch', ['never']);
  });

  it('PE-6, TE-2: covers one command, while its call runs', async () => {
    const { run, permit, asked, answer, connection } = await acting();
    await permit(edit('c', { kind: 'execute', rawInput: { command: 'make' } }));
    await run('make');
    const second = run('make');
    await answer('allow_once');
    await second;
    await permit(edit('d', { kind: 'execute', rawInput: { command: 'make' } }));
    connection.send('s0', change('d', { status: 'failed' }));
    void run('make').catch(() => undefined);
    await until(() => asked().length === 2);
  });

  it('PE-6, TE-2, SEC-25: covers none if the call names none', async () => {
    const { run, permit, answer } = await acting();
    for (const rawInput of [{}, { task: 'tests' }, { command: 5 }, [], 'npm test', null]) {
      await permit(edit('c', { kind: 'execute', title: 'Run the tests', rawInput }));
      const running = run('rm', ['-rf', 'x']);
      await answer('reject_once');
      await assert.rejects(running, refused);
    }
  });

  it('PE-6, SEC-25: covers nothing if it is for one of the editor’s tools, whatever kind it has', async () => {
    const { run, permit, answer } = await acting();
    const title = 'mcp.vscode_editor.references';
    await permit(edit('c', { kind: 'execute', title, rawInput: { command: 'rm x' } }), 'always');
    for (const name of ['x', 'y']) {
      const running = run('rm', [name]);
      await answer('reject_once');
      await assert.rejects(running, refused);
    }
  });

  it('DIR-7, SEC-25: covers no file that a link leads to since it was shown', async () => {
    const { write, permit, made, asked, session } = await acting();
    await permit(edit('c', { content: diffOf(file('notes.md')) }));
    made.realPaths.get = (path) => (path === file('notes.md') ? file('.git/hooks/x') : path);
    void write('notes.md').catch(() => undefined);
    await until(() => asked().length === 1);
    await session.close();
  });

  it('DIR-7: covers a file behind a link that the session’s folder is', async () => {
    const { write, permit, made, asked } = await acting();
    const { cwd } = made.session.info;
    made.realPaths.get = (path) => path.replace(cwd, '/real');
    await permit(edit('c', { content: diffOf(file('notes.md')) }));
    await write('notes.md');
    assert.deepEqual(asked(), []);
  });

  it('PE-6, SEC-25: covers only the very file that it names, whatever looks or folds alike', async () => {
    if (process.platform !== 'linux') {
      return;
    }
    for (const [named, other] of [
      ['caf\u00e9.ts', 'cafe\u0301.ts'],
      ['\u212a.ts', 'K.ts'],
      [`secret.ts/${'./'.repeat(2100)}../README.md`, 'secret.ts'],
    ] as const) {
      const { write, permit, asked, session } = await acting();
      await permit(edit('c', { content: diffOf(file(named)) }));
      void write(other).catch(() => undefined);
      await until(() => asked().length === 1);
      await session.close();
    }
  });

  it('PE-9, TE-2, SEC-24: a command runs where it is shown, links followed, and not if that changes meanwhile', async () => {
    const { run, answer, made, asked, session } = await acting();
    const link = `${file('lnk')}/..`;
    made.realPaths.get = (path) => (path === link ? file('real') : path);
    const running = run('make', [], { cwd: link });
    await until(() => asked().length === 1);
    assert.deepEqual(asked()[0]?.own, { act: 'command', folder: file('real') });
    await answer('allow_once');
    await running;
    assert.equal(made.terminals.all.at(-1)?.options.cwd, file('real'));
    const swapped = run('make', [], { cwd: file('sub') });
    await until(() => asked().length === 2);
    made.realPaths.get = (path) => (path === file('sub') ? file('evil') : path);
    await answer('allow_once');
    await assert.rejects(swapped, /leads elsewhere/);
    await session.close();
  });

  it('PE-6: what the call says after the answer changes nothing', async () => {
    const { write, permit, asked, connection } = await acting();
    await permit(edit('c', { content: diffOf(file('a')) }));
    connection.send('s0', change('c', { content: [...diffOf(file('b'))] }));
    void write('b').catch(() => undefined);
    await until(() => asked().length === 1);
    connection.send('s0', call('x'));
  });

  it('CA-1: a canceled turn ends it', async () => {
    const { write, permit, session, disk } = await acting();
    await permit(edit('c', { content: diffOf(file('a')) }));
    session.turns.cancel();
    await assert.rejects(write('a'), refused);
    assert.equal(disk.size, 0);
  });
});

describe('agents that ask and then write through the editor', () => {
  const diff = { type: 'diff', path: file('tour.txt'), oldText: '', newText: 'tour' };
  const always = { optionId: 'always', kind: 'allow_always', name: 'Always allow' };
  const patch = `Index: ${file('tour.txt')}\n--- ${file('tour.txt')}\n+++ ${file('tour.txt')}\n@@ -0,0 +1,1 @@\n+tour\n`;
  const openCode = {
    title: file('tour.txt'),
    kind: 'edit',
    status: 'pending',
    locations: [{ path: file('tour.txt') }],
    rawInput: { filepath: file('tour.txt'), diff: patch },
    content: [diff],
  };
  const calls = {
    OpenCode: openCode,
    Kilo: {
      ...openCode,
      rawInput: {
        ...openCode.rawInput,
        filediff: { file: file('tour.txt'), patch, additions: 1, deletions: 0 },
      },
    },
    Gemini: {
      title: 'Writing to tour.txt',
      kind: 'edit',
      status: 'pending',
      content: [{ ...diff, path: 'tour.txt' }],
      locations: [{ path: file('tour.txt') }],
    },
    Qwen: {
      title: 'WriteFile: tour.txt',
      kind: 'edit',
      status: 'pending',
      content: [diff],
      locations: [],
    },
  };
  for (const [agent, toolCall] of Object.entries(calls)) {
    it(`PE-6, FS-3: ${agent} gets no second question`, async () => {
      const { session, connection, asked, disk } = await acting();
      const sessionId = 's0';
      const request = readPermission({
        sessionId,
        toolCall: { toolCallId: 'call_1', ...toolCall },
        options: [
          { optionId: 'once', kind: 'allow_once', name: 'Allow once' },
          always,
          { optionId: 'reject', kind: 'reject_once', name: 'Reject' },
        ],
      });
      const answered = connection.requests.requestPermission(request, never);
      const entry = session.transcript.entries.at(-1);
      assert.ok(entry?.kind === 'permission');
      session.requests.answerPermission(entry.requestId, 'once');
      await answered;
      const content = 'tour';
      const write = readFileWrite({ sessionId, path: file('tour.txt'), content });
      await connection.requests.writeTextFile(write, never);
      connection.send(sessionId, change('call_1', { status: 'completed' }));
      assert.deepEqual(asked(), []);
      assert.equal(disk.get(file('tour.txt')), 'tour');
    });
  }
});
