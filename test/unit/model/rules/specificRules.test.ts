import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inwardRequests } from '../../../../src/features/remote/model/remoteConnection';
import { SessionReach } from '../../../../src/model/requests/sessionReach';
import type { PermissionRule, RuledPlace } from '../../../../src/model/rules/permissionRule';
import { ifPlain } from '../../../../src/model/rules/plainRun';
import type { Asked } from '../../../../src/model/rules/ruledAct';
import { decideSpecifically, offeredRule } from '../../../../src/model/rules/specificRules';
import { asToolCall } from '../../../../src/model/transcript/reduceToolCall';
import { refusedRequests } from '../../../../src/protocol/refusedRequests';
import { TheirPaths } from '../../../../src/protocol/transport/theirPaths';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import { readPermission } from '../../../../src/protocol/v1/readRequests';
import type { ToolKind } from '../../../../src/shared/transcript/content';

type Wanted = readonly (Partial<PermissionRule> & Pick<PermissionRule, 'decision'>)[];

const outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rules-')));
const cwd = path.join(outside, 'project');
const at = (name: string): string => path.join(cwd, name);

const reach = new SessionReach({
  folders: [cwd],
  chosen: () => [cwd],
  workspace: { folders: [{ name: 'project', path: cwd }], trusted: true },
  realPath: (file) => realpath(file).catch(() => undefined),
  ask: () => Promise.resolve(false),
});
const hasVariables: RuledPlace['hasVariables'] = (env) =>
  Object.entries(env).every(([name, value]) => name === 'AGREED' && value === '1');
const inward = (file: string): string => file;
const place: RuledPlace = { cwd, reach, inward, hasVariables };

function decide(wanted: Wanted, asked: Asked, kind: ToolCallPatch['kind'], where = place) {
  const rules = wanted.map((rule) => ({ agent: undefined, kind: undefined, ...rule }));
  return decideSpecifically(rules, 'a', kind ?? 'other', asked, where);
}

/** What the rules say of a tool call as an agent sends it; `before`: what it said of it earlier. */
function ofCall(wanted: Wanted, sent: object, before: object = {}, where = place) {
  const { asked, kind } = callOf(sent, before);
  return decide(wanted, asked, kind, where);
}

/** The rule that is offered with a tool call. */
function offeredFor(sent: object, wanted: Wanted = [], before: object = {}) {
  const { asked, kind } = callOf(sent, before);
  const rules = wanted.map((rule) => ({ agent: undefined, kind: undefined, ...rule }));
  return offeredRule(rules, 'a', kind, asked, place);
}

function callOf(sent: object, before: object): { readonly asked: Asked; readonly kind: ToolKind } {
  const toolCall = { toolCallId: 'c', status: 'pending', ...sent };
  const request = readPermission({ sessionId: 's', toolCall, options: [] }).toolCall;
  const earlier = readPermission({
    sessionId: 's',
    toolCall: { toolCallId: 'c', ...before },
    options: [],
  }).toolCall;
  const said = { ...earlier, ...request };
  const { kind: toolKind = 'other', title = '', content = [], locations = [] } = said;
  const call = {
    ...({ kind: 'toolCall', toolCallId: 'c', status: 'pending' } as const),
    ...{ title: title ?? '', toolKind, content, locations, rawInput: said.rawInput },
  };
  const { title: oldTitle, kind: oldKind } = earlier;
  const old = {
    ...{ ...call, title: oldTitle ?? '', toolKind: oldKind ?? 'other' },
    ...{ content: earlier.content ?? [], locations: earlier.locations ?? [] },
    rawInput: earlier.rawInput,
  };
  return { asked: { type: 'call', call, request, before: old }, kind: toolKind };
}

const echo: Wanted = [{ command: ['echo'], decision: 'allow' }];
const inSrc: Wanted = [{ path: 'src/**', decision: 'allow' }];
const noEnv: Wanted = [{ path: '**/.env', decision: 'reject' }];
const noPush: Wanted = [{ command: ['git', 'push'], decision: 'reject' }];
const shell = (rawInput: unknown, more: object = {}) => ({
  ...{ title: 'x', kind: 'execute', rawInput },
  ...more,
});
const edit = (...files: readonly string[]) => ({
  ...{ title: 'Edit', kind: 'edit' },
  locations: files.map((file) => ({ path: file })),
});

describe('rules with a command or a path', () => {
  before(() => {
    mkdirSync(at('src/deep'), { recursive: true });
    mkdirSync(path.join(outside, 'other'));
    writeFileSync(path.join(outside, 'other/.env'), '');
    writeFileSync(at('src/a.ts'), '');
    symlinkSync(path.join(outside, 'other'), at('src/linked'));
    symlinkSync(at('src'), at('sources'));
    symlinkSync(path.join(outside, 'other/.env'), at('src/settings'));
  });
  after(() => rmSync(outside, { recursive: true, force: true }));

  describe('about a call of an agent on another machine', () => {
    const paths = new TheirPaths('far', [{ theirs: '/srv/app', ours: cwd }]);
    const far: RuledPlace = { ...place, inward: (file) => paths.inward(file) };
    const all: Wanted = [{ path: '**', decision: 'allow' }];

    /** The rules' answer to a request as it comes over the line. */
    async function ofTheirs(sent: object, wanted = all) {
      const toolCall = { toolCallId: 'c', status: 'pending', ...edit(), ...sent };
      let request: ToolCallPatch = { toolCallId: 'c' };
      const requests = inwardRequests(
        {
          ...refusedRequests(''),
          elicitationCompleted: () => undefined,
          requestPermission: ({ toolCall: inwardCall }) => {
            request = inwardCall;
            return Promise.resolve({ optionId: 'no' });
          },
        },
        paths,
      );
      const { signal } = new AbortController();
      await requests.requestPermission(
        readPermission({ sessionId: 's', toolCall, options: [] }),
        signal,
      );
      const call = asToolCall(request);
      return decide(wanted, { type: 'call', call, request }, call.toolKind, far);
    }

    it('PE-5: allow no file by a name that only their machine gives it', async () => {
      const patch = (file: string) =>
        `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
      const theirs = { path: '/srv/app/src/a.ts' };
      for (const sent of [
        { rawInput: { file_path: at('src/a.ts'), new_string: 'x' } },
        { rawInput: { file_path: at('src/a.ts'), old_string: 'y', new_string: 'x' } },
        { rawInput: { file_path: at('src/a.ts') }, locations: [theirs] },
        { rawInput: { edits: [{ path: at('src/a.ts') }] }, locations: [theirs] },
        { rawInput: { input: patch(at('src/a.ts')) }, locations: [theirs] },
        { rawInput: { input: patch('src/a.ts'), cwd }, locations: [theirs] },
        { locations: [{ path: at('src/a.ts') }] },
        { rawInput: { file_path: 'src/a.ts' } },
      ]) {
        assert.equal(await ofTheirs(sent), undefined, JSON.stringify(sent));
      }
      for (const sent of [
        { locations: [theirs] },
        { rawInput: { file_path: theirs.path }, locations: [theirs] },
      ]) {
        assert.equal(await ofTheirs(sent), 'allowOne', JSON.stringify(sent));
      }
    });

    it('PE-5: reject whatever a path says, as either machine reads it', async () => {
      const reject = (pattern: string): Wanted => [{ path: pattern, decision: 'reject' }];
      const named = { rawInput: { file_path: '/srv/app/src/a.ts' } };
      for (const pattern of ['src/a.ts', 'srv/app/**', '**/a.ts']) {
        assert.equal(await ofTheirs(named, reject(pattern)), 'reject', pattern);
      }
      const local = { rawInput: { file_path: at('src/a.ts') } };
      assert.equal(await ofTheirs(local, reject('src/**')), 'reject');
    });

    it('PE-5: allow a command in no folder by a name that only their machine gives it', async () => {
      const run = (folder?: string) =>
        ofTheirs(
          {
            title: 'x',
            kind: 'execute',
            rawInput: { command: 'echo a', ...(folder !== undefined && { cwd: folder }) },
          },
          echo,
        );
      assert.equal(await run(), 'allowOne');
      assert.equal(await run('/srv/app/src'), 'allowOne');
      assert.equal(await run(at('src')), undefined);
      const call = (folder: string) =>
        asToolCall({
          ...{ toolCallId: 'c', title: 'x', kind: 'execute' },
          rawInput: { command: 'echo a', cwd: folder },
        });
      assert.equal(await ifPlain('allow', call('/srv/app'), far), 'allow');
      assert.equal(await ifPlain('allow', call(cwd), far), undefined);
      const there: RuledPlace = { ...far, cwd: paths.inward('/srv/other') };
      assert.equal(await ifPlain('allow', call('/srv/other'), there), 'allow');
      assert.equal(await ifPlain('allow', call('/srv'), there), undefined);
    });
  });

  describe('that is offered with a request', () => {
    const status = { command: ['git', 'status', '--short'] };

    it('PE-5: has exactly the words of the one command, where they are certain', async () => {
      assert.deepEqual(await offeredFor(shell({ command: 'git status --short' })), status);
      const wrapped = { command: ['bash', '-lc', 'git status --short'] };
      assert.deepEqual(await offeredFor(shell(wrapped)), status);
      const twice = { command: 'git status --short', commands: ['git status --short'] };
      assert.deepEqual(await offeredFor(shell(twice)), status);
      for (const command of [
        'git status && ls',
        'git log > x',
        'git $X',
        'cat *.ts',
        ['git', 'sta\u202Etus'],
        ['git', 'a b'],
        'git', // Every git command would be allowed.
        'sudo git status',
        'env A=1 git status',
        'A=1 git status',
        'bash script.sh x',
        `git log ${'x'.repeat(200)}`,
        ...[
          'npx -y',
          'npx eslint',
          'docker exec web',
          'kubectl exec pod --',
          'uv run',
          'python -c',
        ],
        ...['node -e', 'perl -e', 'git -c', 'git -c core.pager=sh log', 'pkexec x', 'tcsh -c'],
        ...['/lib64/ld-linux-x86-64.so.2 x', 'bwrap x', 'gtimeout 5', 'pnpm dlx', 'npm exec'],
        'git st\u115Fatus',
      ]) {
        assert.equal(await offeredFor(shell({ command })), undefined, String(command));
      }
      const two = { command: 'git status', commands: ['git status', 'git push'] };
      assert.equal(await offeredFor(shell(two)), undefined);
      const variables = { command: 'git status', env: { GIT_PAGER: 'x' } };
      assert.equal(await offeredFor(shell(variables)), undefined);
      const elsewhere = { command: 'git status', cwd: outside };
      assert.equal(await offeredFor(shell(elsewhere)), undefined);
      assert.equal(
        await offeredFor({ title: 'git status', kind: 'execute' }),
        undefined,
        'a title',
      );
      assert.equal(
        await offeredFor({ ...shell({ command: 'git status' }), kind: 'other' }),
        undefined,
      );
    });

    it('PE-5: names the one file that would be changed, where its links really lead', async () => {
      assert.deepEqual(await offeredFor(edit(at('src/a.ts'))), { path: 'src/a.ts' });
      assert.deepEqual(await offeredFor(edit(at('sources/a.ts'))), { path: 'src/a.ts' });
      for (const files of [
        [at('src/a.ts'), at('src/b.ts')],
        [path.join(outside, 'other/.env')],
        [at('src/linked/.env')],
        [`${cwd}/src/../src/a.ts`],
        ['src/a.ts'],
        [at('src/*.ts')],
        [at('src/a\u202E.ts')],
        [],
      ]) {
        assert.equal(await offeredFor(edit(...files)), undefined, files.join());
      }
      const removal = { ...edit(at('src/a.ts')), kind: 'delete' };
      assert.equal(await offeredFor(removal), undefined, 'only edits');
    });

    it('PE-5: isn’t offered where a rule that rejects may apply, or what was said before differs', async () => {
      const pushing = shell({ command: 'git push origin' });
      assert.equal(await offeredFor(pushing, noPush), undefined);
      assert.equal(await offeredFor(edit(at('src/.env')), noEnv), undefined);
      const status_ = shell({ command: 'git status' });
      assert.deepEqual(await offeredFor(status_, noPush), { command: ['git', 'status'] });
      const before = { locations: [{ path: at('src/b.ts') }] };
      assert.equal(
        await offeredFor({ ...edit(at('src/a.ts')) }, [], shell({ command: 'x y' })),
        undefined,
      );
      assert.notEqual(await offeredFor(edit(at('src/a.ts')), [], before), undefined);
    });
  });

  describe('with what agents send', () => {
    const claude = {
      ...{ name: 'Bash', title: 'echo hi', kind: 'execute' },
      rawInput: { command: 'echo hi', description: 'Says hi' },
      content: [{ type: 'content', content: { type: 'text', text: 'Says hi' } }],
    };
    const codex = (command: string) => ({
      ...{ title: command, kind: 'execute' },
      rawInput: { command, cwd },
    });
    const copilot = (command: string, commands: readonly string[]) => ({
      ...{ title: 'Says hi', kind: 'execute' },
      rawInput: { command, commands },
    });
    const gemini = {
      ...{ title: 'echo hi', kind: 'execute', locations: [] },
      content: [
        { type: 'content', content: { type: 'text', text: `[current working directory ${cwd}]` } },
      ],
    };

    it('PE-5: commands of Claude, Codex, Copilot, OpenCode and Kilo are allowed by their words', async () => {
      assert.equal(await ofCall(echo, claude), 'allowOne');
      assert.equal(await ofCall(echo, codex('echo hi')), 'allowOne');
      assert.equal(await ofCall(echo, codex('echo live && sleep 1 && echo more')), undefined);
      assert.equal(await ofCall(echo, codex('echo 2; touch x')), undefined);
      assert.equal(await ofCall(echo, copilot('echo hi', ['echo hi'])), 'allowOne');
      assert.equal(await ofCall(echo, copilot('echo hi', ['echo hi', 'touch x'])), undefined);
      assert.equal(await ofCall(echo, shell({ command: 'echo hi' })), 'allowOne');
      // Older ones of Codex send a shell with its text.
      assert.equal(await ofCall(echo, shell({ command: ['bash', '-lc', 'echo hi'] })), 'allowOne');
      assert.equal(
        await ofCall(echo, shell({ command: ['bash', '-lc', 'echo a; rm b'] })),
        undefined,
      );
    });

    it('PE-5: Gemini sends a command only as a title, which can reject, but not allow', async () => {
      assert.equal(await ofCall(echo, gemini), undefined);
      assert.equal(await ofCall([{ ...echo[0], decision: 'reject' }], gemini), 'reject');
      assert.equal(await ofCall(noPush, { ...gemini, title: 'git push' }), 'reject');
    });

    it('PE-5: edits of Claude, Codex, Copilot, OpenCode and Kilo are allowed by their paths', async () => {
      const file = at('src/a.ts');
      const locations = [{ path: file }];
      const diff = { type: 'diff', path: file, oldText: 'a', newText: 'b' };
      const rawInput = { file_path: file, old_string: 'a', new_string: 'b', replace_all: false };
      const claudes = { title: 'Edit a.ts', kind: 'edit', rawInput, content: [diff], locations };
      assert.equal(await ofCall(inSrc, claudes), 'allowOne');
      assert.equal(
        await ofCall(inSrc, { title: 'Edit files', kind: 'edit', locations }),
        'allowOne',
      );
      const copilots = {
        title: 'Edit file',
        kind: 'edit',
        rawInput: { fileName: file, diff: '+a' },
      };
      assert.equal(await ofCall(inSrc, { ...copilots, locations }), 'allowOne');
      const filediff = { file, patch: '+a', additions: 1, deletions: 0 };
      const kilos = { title: file, kind: 'edit', locations, content: [diff] };
      assert.equal(
        await ofCall(inSrc, { ...kilos, rawInput: { filepath: file, diff: '+a', filediff } }),
        'allowOne',
      );
      for (const other of [at('README.md'), path.join(outside, 'other/x')]) {
        const lie = { ...claudes, rawInput: { ...rawInput, file_path: other } };
        assert.equal(await ofCall(inSrc, lie), undefined, other);
        assert.equal(await ofCall(inSrc, edit(file, other)), undefined, other);
      }
    });
  });

  it('PE-5: every command that a call names must be allowed, wherever it names it', async () => {
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

  it('PE-5: what was said of a call before the request counts against it, never for it', async () => {
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

  it('PE-5: a command is allowed only as one, and a file only as one', async () => {
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

  it('PE-5: a path is allowed where its links really lead, and never with `..`', async () => {
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

  it('PE-5: a path is rejected by any of its names, with links followed and `..` removed', async () => {
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

  it('PE-5: rejecting wins, wherever the rules stand; what it may apply to is asked about', async () => {
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

  it('PE-5: a path among the words of a rule is that of the session’s folder', async () => {
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

  it('PE-5: rejected words among the arguments of what may run them are asked about', async () => {
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

  it('PE-5: what runs and is written through the window is compared as it is', async () => {
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

  it('PE-5: a disk that fails allows nothing', async () => {
    const broken: RuledPlace = {
      cwd,
      reach: {
        placeOf: () => Promise.reject(new Error('gone')),
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
