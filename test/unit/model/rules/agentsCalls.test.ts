import assert from 'node:assert/strict';
import path from 'node:path';
import {
  at,
  cwd,
  echo,
  edit,
  inSrc,
  noPush,
  ofCall,
  outside,
  shell,
  useProject,
} from './ruledProject';

describe('rules with what agents send', () => {
  useProject();

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

  it('PE-5, SEC-12: Gemini sends a command only as a title, which can reject, but not allow', async () => {
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
    assert.equal(await ofCall(inSrc, { title: 'Edit files', kind: 'edit', locations }), 'allowOne');
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
