import assert from 'node:assert/strict';
import path from 'node:path';
import type { RuledPlace } from '../../../../src/model/rules/permissionRule';
import type { Asked } from '../../../../src/model/rules/ruledAct';
import {
  at,
  cwd,
  decide,
  echo,
  edit,
  hasVariables,
  inSrc,
  inward,
  noEnv,
  noPush,
  ofCall,
  outside,
  shell,
  useProject,
  type Wanted,
} from './ruledProject';

describe('rules with a command or a path', () => {
  useProject();

  it('PE-5, SEC-9, SEC-11, SEC-26: every command that a call names must be allowed, wherever it names it', async () => {
    for (const rawInput of [
      { command: 'echo hi', script: 'rm x' },
      { command: 'echo hi', cmd: ['rm', 'x'] },
      { command: 'echo hi', input: { command: 'rm x' } },
      { command: 'echo hi', commands: [...Array<string>(200).fill('echo hi'), 'rm x'] },
      { command: 'echo hi', a: { b: { c: { d: { e: { script: 'rm x' } } } } } },
      { tool: { command: 'echo hi' } },
      { command: 'echo', args: 'hi; rm x' },
      { command: 'echo', args: ['hi', '&&', 'rm'] },
      { command: 'echo hi', env: { LD_PRELOAD: '/x' } },
      { command: 'echo hi', env_vars: ['HOME=/x'] },
      { command: 'echo hi', options: { env: { HOME: '/x' } } },
      { command: 'echo hi', executable: '/tmp/sh' },
      { command: 'echo hi', shell: 'fish' },
      { command: 'echo hi', user: 'root' },
      { command: 'echo hi', options: { cwd: outside } },
      { command: 'echo hi', whatever: true },
      { command: 'echo hi', cwd: outside },
      { command: 'echo hi', cwd: 'relative' },
      { command: ['echo', 7] },
      ...['Command', 'COMMAND', 'Cmd', 'command-line', 'commandline', 'Script', 'commands'].map(
        (key) => ({ command: 'echo hi', [key]: 'rm -rf x' }),
      ),
      { command: 'echo hi', commands: [['rm', 5]] },
      { command: 'echo hi', cmd: ['rm', '-rf', 7] },
      { command: 'echo hi', cmd: [['rm', '-rf', 'x']] },
      { command: 'echo hi', command_line: [{}, 'rm -rf x'] },
      { command: 'echo', Args: ['--globalSetup=/tmp/x.js'], args: ['hi'] },
      { command: 'echo hi', ARGS: '; rm -rf x' },
      { command: 'echo hi', parsed_cmd: ['rm', '-rf', 'x'] },
      { command: 'echo hi', tool: { args: ['; rm'] } },
      { command: 'echo hi', type: 'powershell' },
      { command: 'echo hi', path: outside },
      { command: 'echo hi', name: 'sudo' },
      ['echo hi'],
      'echo hi',
      undefined,
    ]) {
      assert.equal(await ofCall(echo, shell(rawInput)), undefined, JSON.stringify(rawInput));
    }
    const parts = [{ type: 'unknown', cmd: 'echo hi', name: 'echo', path: 'x', query: null }];
    assert.equal(await ofCall(echo, shell({ command: 'echo hi', parsed_cmd: parts })), 'allowOne');
    const agreed = { command: 'echo hi', env: { AGREED: '1' } };
    assert.equal(await ofCall(echo, shell(agreed)), 'allowOne');
    assert.equal(await ofCall(echo, shell({ ...agreed, env: { AGREED: '2' } })), undefined);
    assert.equal(await ofCall(echo, shell({ command: 'echo', args: ['a', 'b'] })), 'allowOne');
    assert.equal(await ofCall(echo, shell({ command: 'echo a', cwd: at('src') })), 'allowOne');
  });

  it('PE-5, SEC-12: what was said of a call before the request counts against it, never for it', async () => {
    const fragment = { title: 'echo hi', kind: 'execute' };
    const before = { rawInput: { command: 'echo hi' } };
    assert.equal(await ofCall(echo, fragment, before), undefined);
    assert.equal(await ofCall(inSrc, { title: 'Edit' }, edit(at('src/a.ts'))), undefined);
    assert.equal(await ofCall(noPush, fragment, { rawInput: { command: 'git push' } }), 'reject');
    const noPushes = [...noPush, { kind: 'execute', decision: 'allow' }] as const;
    const push = shell({ command: 'git push' });
    assert.equal(await ofCall(noPushes, shell({ command: 'echo hi' }), push), 'reject');
    assert.equal(await ofCall(noPushes, shell({ command: 'echo hi' }), shell({})), 'allow');
    const all = [...noEnv, { decision: 'allow' }] as const;
    assert.equal(await ofCall(all, edit(at('src/a.ts')), edit(at('.env'))), 'reject');
    const later = { ...edit(), rawInput: { path: at('src/a.ts') } };
    assert.equal(await ofCall(inSrc, { ...later, locations: undefined }, edit(at('b'))), undefined);
  });

  it('PE-5, SEC-15: a command is allowed only as one, and a file only as one', async () => {
    const diff = { type: 'diff', path: at('x'), oldText: 'a', newText: 'b' };
    assert.equal(await ofCall(echo, shell({ command: 'echo' }, { kind: 'edit' })), undefined);
    assert.equal(await ofCall(echo, shell({ command: 'echo' }, { content: [diff] })), undefined);
    const titled = [...noPush, { decision: 'allow' }] as const;
    assert.equal(await ofCall(titled, { title: 'git push', kind: 'other' }), 'reject');
    const files = edit(at('src/a.ts'));
    for (const [key, value] of Object.entries({
      ...{ uri: `file://${at('.env')}`, target: at('.env'), destination: at('.env') },
      ...{
        to: at('.env'),
        Notebook: at('.env'),
        edits: [{ document: at('.env') }],
        dir: at('.env'),
      },
      a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { path: at('.env') } } } } } } } } } },
    })) {
      const hidden = { ...files, rawInput: { path: at('src/a.ts'), [key]: value } };
      assert.equal(await ofCall(inSrc, hidden), undefined, key);
      assert.notEqual(await ofCall([...noEnv, { decision: 'allow' }], hidden), 'allow', key);
    }
    for (const kind of ['execute', 'other', 'fetch', 'think', 'switch_mode']) {
      assert.equal(await ofCall(inSrc, { ...files, kind }), undefined, kind);
    }
    assert.equal(await ofCall(inSrc, { ...files, rawInput: { command: 'rm x' } }), undefined);
    assert.equal(await ofCall([{ ...inSrc[0]!, kind: 'read' }], files), undefined);
    // A move has two ends, both of which must be known.
    assert.equal(await ofCall(inSrc, { ...files, kind: 'move' }), undefined);
    const both = { ...edit(at('src/a.ts'), at('src/b.ts')), kind: 'move' };
    assert.equal(await ofCall(inSrc, both), 'allowOne');
  });

  it('PE-5, SEC-13: a path is allowed where its links really lead, and never with `..`', async () => {
    for (const [file, does] of [
      [at('src/new/file.ts'), 'allowOne'],
      [at('sources/a.ts'), 'allowOne'],
      [at('src/linked/x'), undefined],
      [at('src/settings'), undefined],
      [`${cwd}/lib/../src/a.ts`, undefined],
      [`${cwd}/src/../src/a.ts`, undefined],
      [`${cwd}/src/linked/../a.ts`, undefined],
      ['src/a.ts', undefined],
      ['a.ts', undefined],
      [path.join(outside, 'src/a.ts'), undefined],
      [`${at('src/a')}\0`, undefined],
      [at(`src/${'a'.repeat(5000)}`), undefined],
    ] as const) {
      assert.equal(await ofCall(inSrc, edit(file)), does, file.slice(0, 200));
    }
    const many = Array.from({ length: 200 }, (_, index) => at(`src/${index}`));
    assert.equal(await ofCall(inSrc, edit(...many)), undefined);
    assert.equal(await ofCall(inSrc, edit(...many.slice(0, 100))), 'allowOne');
    const paths = [...Array<string>(200).fill(at('src/a.ts')), at('README.md')];
    assert.equal(await ofCall(inSrc, { ...edit(), rawInput: { paths } }), undefined);
  });

  it('PE-5, SEC-13: a path is rejected by any of its names, with links followed and `..` removed', async () => {
    for (const file of [
      ...[at('.env'), at('src/linked/.env'), at('src/settings'), path.join(outside, 'other/.env')],
      ...[`${cwd}/x/../.env`, '.env', 'x/.env'],
    ]) {
      assert.equal(await ofCall(noEnv, { ...edit(file), kind: 'read' }), 'reject', file);
    }
    assert.equal(await ofCall(noEnv, { ...edit(at('.env')), kind: 'execute' }), 'reject');
    const reads = [...noEnv, { kind: 'read', decision: 'allow' }] as const;
    assert.equal(await ofCall(reads, { ...edit(at('x')), kind: 'read' }), 'allow');
    // Too little is said to rule it out.
    assert.equal(await ofCall(reads, { title: 'Read', kind: 'read' }), undefined);
    assert.equal(await ofCall(reads, { ...edit('x'), kind: 'read' }), undefined);
  });

  it('PE-5, SEC-5: rejecting wins, wherever the rules stand; what it may apply to is asked about', async () => {
    const git: Wanted = [{ command: ['git'], decision: 'allow' }];
    const all: Wanted = [{ kind: 'execute', decision: 'allow' }];
    const push = shell({ command: 'git push' });
    const hidden = shell({ command: 'git status && $NEXT' });
    for (const rules of [
      ...[
        [...git, ...noPush],
        [...noPush, ...git],
        [...all, ...noPush],
      ],
      [...git, { kind: 'execute', decision: 'reject' } as const],
    ]) {
      assert.equal(await ofCall(rules, push), 'reject');
    }
    assert.equal(await ofCall([...git, ...noPush], shell({ command: 'git log' })), 'allowOne');
    assert.equal(await ofCall([...all, ...noPush], shell({ command: 'ls && pwd' })), 'allow');
    assert.equal(await ofCall([...all, ...noPush], hidden), undefined);
    assert.equal(await ofCall(all, hidden), 'allow');
    assert.equal(await ofCall([...all, ...noPush], { title: 'x', kind: 'execute' }), undefined);
    // The kind is the agent's word.
    assert.equal(await ofCall(noPush, { ...push, kind: 'read' }), 'reject');
    assert.equal(await ofCall([{ ...noPush[0]!, agent: 'b' }], push), undefined);
  });

  it('PE-5, SEC-6: a path among the words of a rule is that of the session’s folder', async () => {
    const build: Wanted = [{ command: ['./build.sh'], decision: 'allow' }];
    const script: Wanted = [{ command: ['node', 'scripts/a.js'], decision: 'allow' }];
    const inside = (command: string) => shell({ command, cwd: at('src') });
    assert.equal(await ofCall(build, shell({ command: './build.sh --all' })), 'allowOne');
    assert.equal(await ofCall(build, inside('./build.sh')), undefined);
    assert.equal(await ofCall(build, inside('../build.sh')), 'allowOne');
    assert.equal(await ofCall(build, inside('build.sh')), undefined);
    assert.equal(await ofCall(script, shell({ command: 'node scripts/a.js' })), 'allowOne');
    assert.equal(await ofCall(script, inside('node scripts/a.js')), undefined);
  });

  it('PE-5, SEC-8: rejected words among the arguments of what may run them are asked about', async () => {
    const noRemoval: Wanted = [{ command: ['rm', '-rf'], decision: 'reject' }];
    const all: Wanted = [{ kind: 'execute', decision: 'allow' }];
    for (const command of [
      ["trap 'rm -rf x' EXIT", 'coproc rm -rf x', 'npx -c "rm -rf x"', 'uv run rm -rf x'],
      ['docker run image rm -rf x', 'systemd-run rm -rf x', 'nu -c "rm -rf x"'],
      ['git -c "core.pager=rm -rf x" log', 'make "CLEAN=rm -rf x"', './ls -c "rm -rf x"'],
    ].flat()) {
      assert.equal(await ofCall([...all, ...noRemoval], shell({ command })), undefined, command);
    }
    for (const command of [
      ['rm -rf x'],
      ['(rm -rf x)'],
      ['su', '-crm -rf x'],
      ['tmux', 'new', 'r\\\nm -rf x'],
      ['systemd-run', 'sh', '-c', '$X -rf x'],
    ]) {
      const ruling = await ofCall([...all, ...noRemoval], shell({ command }));
      assert.equal(ruling, undefined, command.join(' '));
    }
    for (const command of ["su -c'r\\\nm -rf x'", 'cd x && r\\\nm -rf x']) {
      assert.equal(await ofCall([...all, ...noRemoval], shell({ command })), undefined, command);
    }
    const folded = 'npm test \\\n  --all && ls';
    assert.equal(await ofCall([...all, ...noRemoval], shell({ command: folded })), 'allow');
    for (const command of ['env rm -rf x', 'ssh host rm -rf x', 'busybox sh -c "rm -rf x"']) {
      assert.equal(await ofCall([...all, ...noRemoval], shell({ command })), 'reject', command);
    }
    assert.equal(
      await ofCall([...all, ...noRemoval], shell({ command: ['sudo', 'x', '$(cat y)'] })),
      undefined,
    );
    for (const command of ['echo rm -rf x', 'npm test', 'grep rm -rf']) {
      assert.equal(await ofCall([...all, ...noRemoval], shell({ command })), 'allow', command);
    }
    const said = JSON.stringify({ command: 'rm -rf x' });
    assert.equal(await ofCall([...all, ...noRemoval], shell(said)), 'reject');
  });

  it('PE-5, SEC-16, SEC-17: what runs and is written through the window is compared as it is', async () => {
    const run = (command: string, args: readonly string[], more: object = {}): Asked => ({
      type: 'command',
      folder: cwd,
      request: { sessionId: 's', command, args, env: {}, ...more },
    });
    assert.equal(await decide(echo, run('echo', ['hi; rm x']), 'execute'), 'allowOne');
    assert.equal(await decide(echo, run('/bin/bash', ['-c', 'echo hi']), 'execute'), 'allowOne');
    assert.equal(
      await decide(echo, run('/bin/bash', ['-c', 'echo a; rm b']), 'execute'),
      undefined,
    );
    assert.equal(await decide(echo, run('/tmp/bash', ['-c', 'echo hi']), 'execute'), undefined);
    const line = (text: string): Asked => run(text, [], { shell: '/bin/bash' });
    assert.equal(await decide(echo, line('echo "hi you"'), 'execute'), 'allowOne');
    for (const text of [
      'echo a && rm -rf b',
      'echo $(rm b)',
      'echo a\nrm b',
      'echo >b',
      'a=1 echo',
    ]) {
      assert.equal(await decide(echo, line(text), 'execute'), undefined, text);
    }
    assert.equal(await decide(noPush, line('cd x && "git" push'), 'execute'), 'reject');
    assert.equal(await decide(echo, run('echo hi', []), 'execute'), undefined, 'a program');
    const env = { env: { GIT_DIR: '/x' } };
    assert.equal(await decide(echo, run('echo', [], env), 'execute'), undefined);
    const away = { ...run('echo', []), folder: outside } as Asked;
    assert.equal(await decide(echo, away, 'execute'), undefined);
    assert.equal(await decide(noPush, run('git', ['push']), 'execute'), 'reject');
    assert.equal(await decide(inSrc, { type: 'write', file: at('src/a.ts') }, 'edit'), 'allowOne');
    assert.equal(await decide(inSrc, { type: 'write', file: at('b') }, 'edit'), undefined);
    assert.equal(await decide(noEnv, { type: 'read', file: at('.env') }, 'read'), 'reject');
    const noReads: Wanted = [...noEnv, { kind: 'read', decision: 'reject' }];
    assert.equal(await decide(noReads, { type: 'read', file: at('x') }, 'read'), undefined);
  });

  it('PE-5, SEC-18: a disk that fails allows nothing', async () => {
    const broken: RuledPlace = {
      cwd,
      reach: {
        getPlace: () => Promise.reject(new Error('gone')),
        has: () => Promise.reject(new Error('gone')),
      },
      inward,
      hasVariables,
    };
    assert.equal(await ofCall(inSrc, edit(at('src/a.ts')), {}, broken), undefined);
    assert.equal(await ofCall(echo, shell({ command: 'echo', cwd }), {}, broken), undefined);
    assert.equal(await ofCall(noEnv, edit(at('.env')), {}, broken), 'reject');
    const both: Wanted = [...noEnv, { kind: 'edit', decision: 'allow' }];
    assert.equal(await ofCall(both, edit(at('x')), {}, broken), undefined);
  });
});
