import assert from 'node:assert/strict';
import { filesOfCommand } from '../../../../../../src/features/review/model/atWork/commandFiles';
import { filesNamedBy } from '../../../../../../src/features/review/model/atWork/namedFiles';
import { asToolCall } from '../../../../../../src/model/transcript/reduceToolCall';
import type { ToolCallPatch } from '../../../../../../src/protocol/updates';
import type { ToolCallEntry } from '../../../../../../src/shared/transcript/entries';

describe('The files that a tool call names', () => {
  const commands: readonly (readonly [string, readonly string[], (readonly string[])?])[] = [
    ['touch made.txt', ['made.txt']],
    ['echo hi > out.txt', ['out.txt']],
    ['echo hi >>out.txt 2>&1', ['out.txt']],
    ['cat a.txt b.txt | tee -a c.txt', ['c.txt']],
    ['grep -n x a.txt && sed -n 1,20p a.txt; head a.txt', []],
    ['sed -i s/a/b/ a.txt', []],
    ['cp from.txt "to here.txt"', ['to here.txt']],
    ['mv old.txt new.txt', ['new.txt'], ['old.txt']],
    ['git mv old.txt new.txt', ['new.txt'], ['old.txt']],
    ['rm -rf ./old *.log $HOME/x', [], ['./old']],
    ['bash -lc "touch made.txt && echo \\"x\\" > other.txt"', ['made.txt', 'other.txt']],
    ["sh -c 'touch made.txt'", ['made.txt']],
    ['FOO=1 sudo touch made.txt', ['made.txt']],
    ['npm test -- a.test.ts', []],
    ['phpunit a.php', []],
    ['grep -o made.txt a.txt', []],
    ['node make.js made.txt', []],
    ['gcc -o program main.c', ['program']],
    ['curl https://example.com/x --output=x.html', ['x.html']],
    ['git status a.txt', []],
    ['git checkout a.txt', []],
    ['cat > notes.md <<EOF\nrm everything.txt\nEOF\ntouch after.txt', ['notes.md', 'after.txt']],
    ['C:\\tools\\touch.exe C:\\work\\made.txt', ['C:\\work\\made.txt']],
    ['', []],
    ['"', []],
  ];
  for (const [command, made, removed = []] of commands) {
    it(`of a command: ${JSON.stringify(command)}`, () => {
      const { folders: _, ...files } = filesOfCommand(command);
      assert.deepEqual(files, { made, removed });
    });
  }

  it('of a command that is twice as long as the longest, or a shell in a shell too deep, are none', () => {
    assert.deepEqual(filesOfCommand(`touch ${'a '.repeat(32 * 1024)}`).made, []);
    const nested = Array.from({ length: 8 }).reduce<string>(
      (line) => `sh -c ${JSON.stringify(line)}`,
      'touch made.txt',
    );
    assert.deepEqual(filesOfCommand(nested).made, []);
  });

  const call = (facts: Partial<ToolCallPatch>): ToolCallEntry =>
    asToolCall({ toolCallId: 'c', status: 'completed', ...facts });
  const none = { changed: [], named: [], made: [], removed: [] };

  it('are those of its diffs, its locations, its input and its command', () => {
    assert.deepEqual(
      filesNamedBy(
        call({
          kind: 'edit',
          content: [{ type: 'diff', path: '/work/a', oldText: null, newText: '' }],
          locations: [{ path: '/work/b' }],
          rawInput: { file_path: 'c', content: 'd' },
        }),
        '/work',
      ),
      { ...none, changed: ['/work/a', '/work/b', '/work/c'] },
    );
    assert.deepEqual(
      filesNamedBy(
        call({ kind: 'execute', rawInput: { command: 'touch made', cwd: '/work/sub' } }),
        '/work',
      ),
      { ...none, made: ['/work/sub/made'] },
    );
    assert.deepEqual(filesNamedBy(call({ rawInput: { filePath: '/work/a' } }), '/work').named, [
      '/work/a',
    ]);
  });

  it('are those of a patch in its input, also in a command', () => {
    const patch =
      '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Move to: b\n*** Add File: /work/c\n+z\n*** End Patch';
    for (const rawInput of [patch, { patch }, { command: ['apply_patch', patch] }]) {
      const { changed } = filesNamedBy(call({ rawInput }), '/work');
      assert.deepEqual(changed, ['/work/b', '/work/a', '/work/c']);
    }
    const command = `apply_patch <<'EOF'\n${patch}\nEOF\n`;
    assert.deepEqual(filesNamedBy(call({ kind: 'execute', rawInput: { command } }), '/work'), {
      ...none,
      changed: ['/work/b', '/work/a', '/work/c'],
    });
  });

  it('aren’t what it only looks at', () => {
    const locations = [{ path: '/work/a' }];
    assert.deepEqual(filesNamedBy(call({ kind: 'read', locations }), '/work'), none);
    const title = 'mcp__files__read_file';
    assert.deepEqual(filesNamedBy(call({ title, rawInput: { path: '/work/a' } }), '/work'), none);
  });
});
