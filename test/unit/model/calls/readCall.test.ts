import assert from 'node:assert/strict';
import { maxItems } from '../../../../src/protocol/bounds';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import type { ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { call, change, entriesOf, transcriptOf } from '../updates';

function read(...patches: readonly Partial<ToolCallPatch>[]): ToolCallEntry {
  const [first, ...others] = patches;
  const [entry] = entriesOf(call('1', first), ...others.map((patch) => change('1', patch)));
  assert.ok(entry?.kind === 'toolCall');
  return entry;
}

const diff = (path: string, oldText: string | null, newText: string): object => ({
  ...{ type: 'diff', path, oldText, newText },
});
const text = (value: string): object => ({
  type: 'content',
  block: { type: 'text', text: value },
});

const patch = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '@@ function a',
  ' one',
  '-two',
  '+2',
  '@@',
  '-four',
  '*** Update File: b.ts',
  '*** Move to: c.ts',
  '@@',
  '-b',
  '+c',
  '*** End of File',
  '*** Add File: new.ts',
  '+first',
  '+',
  '*** Delete File: gone.ts',
  '*** End Patch',
].join('\n');
const patched = [
  diff('src/a.ts', 'one\ntwo', 'one\n2'),
  diff('src/a.ts', 'four', ''),
  { type: 'fileChange', operation: 'move', path: 'c.ts', oldPath: 'b.ts' },
  diff('c.ts', 'b', 'c'),
  diff('new.ts', null, 'first\n\n'),
  { type: 'fileChange', operation: 'delete', path: 'gone.ts' },
];

describe('what a call says in its input (T-73)', () => {
  it('TO-7: a patch is shown as changes, wherever in the input it is', () => {
    for (const rawInput of [
      { input: patch },
      patch,
      JSON.stringify({ input: patch }),
      { arguments: JSON.stringify({ patch }) },
      { request: [{ inner: { patch: patch.replaceAll('\n', '\r\n') } }] },
    ]) {
      assert.deepEqual(read({ rawInput }).content, patched);
    }
    const heredoc = `apply_patch <<'EOF'\n${patch}\nEOF\n`;
    for (const rawInput of [{ command: ['bash', '-lc', heredoc] }, { cmd: heredoc }]) {
      assert.deepEqual(read({ kind: 'execute', rawInput }).content, patched);
    }
  });

  it('TO-7: the paths of a patch are in the folder that the input names', () => {
    const rawInput = {
      input: '*** Begin Patch\n*** Add File: x\n+1\n*** End Patch',
      workdir: '/w',
    };
    assert.deepEqual(read({ rawInput }).content, [diff('/w/x', null, '1\n')]);
  });

  it('TO-7: what only looks like a patch, or is only read, is none', () => {
    assert.deepEqual(read({ rawInput: { q: 'about *** Begin Patch and more' } }).content, []);
    assert.deepEqual(read({ kind: 'search', rawInput: { pattern: patch } }).content, []);
    assert.deepEqual(read({ rawInput: { input: '*** Begin Patch\nnothing' } }).content, []);
  });

  it('TO-7: texts before and after are a change, under any of their names', () => {
    for (const rawInput of [
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: false },
      { filePath: '/a', oldString: 'x', newString: 'y' },
      { path: '/a', old_str: 'x', new_str: 'y' },
      { path: '/a', edits: [{ oldText: 'x', newText: 'y' }] },
      { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }, 7, { old_string: 'z' }] },
      JSON.stringify({ file_path: '/a', old_string: 'x', new_string: 'y' }),
      { fileName: '/a', diff: '\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n' },
      { path: '/a', diff: 'Index: /a\n===\n--- /a\n+++ /a\n@@ -1,1 +1,1 @@\n-x\n+y\n' },
    ]) {
      const { content } = read({ kind: 'edit', rawInput });
      assert.deepEqual(
        content.map((part) =>
          part.type === 'diff' ? [part.path, part.oldText?.trim(), part.newText.trim()] : part,
        ),
        [['/a', 'x', 'y']],
        JSON.stringify(rawInput),
      );
    }
  });

  it('TO-7: a whole text is a new file, but only where a file is edited', () => {
    const rawInput = { filePath: '/n', content: 'new' };
    assert.deepEqual(read({ kind: 'edit', rawInput }).content, [diff('/n', null, 'new')]);
    for (const kind of ['other', 'read', 'fetch', 'think'] as const) {
      assert.deepEqual(read({ kind, rawInput }).content, []);
    }
    const empty = { path: '/n', file_text: '' };
    assert.deepEqual(read({ kind: 'edit', rawInput: empty }).content, [diff('/n', null, '')]);
  });

  it('TO-2: changes that the agent sends as such take the place of these, texts don’t', () => {
    const edit = { kind: 'edit', rawInput: { path: '/a', old_str: 'x', new_str: 'y' } } as const;
    const own = { type: 'diff', path: '/a', oldText: 'all x', newText: 'all y' } as const;
    assert.deepEqual(read(edit, { content: [own] }).content, [own]);
    const note = { type: 'content', block: { type: 'text', text: 'Done.' } } as const;
    const both = [diff('/a', 'x', 'y'), note];
    assert.deepEqual(read(edit, { content: [note] }, { status: 'completed' }).content, both);
    assert.deepEqual(read(edit, { rawInput: { path: '/b' } }).content, []);
    const files = entriesOf(
      call('1', { ...edit, status: 'completed', content: [], rawOutput: 'Updated.' }),
    )[0];
    assert.ok(files?.kind === 'toolCall');
    assert.deepEqual(files.content, [diff('/a', 'x', 'y'), text('Updated.')]);
  });

  it('TO-6: files are named where a call about files names none', () => {
    const at = (rawInput: unknown) => read({ kind: 'read', rawInput }).locations;
    assert.deepEqual(at({ filePath: '/a', offset: 7 }), [{ path: '/a', line: 7 }]);
    assert.deepEqual(at({ files: ['/a', { path: '/b', start_line: 2 }, 7] }), [
      { path: '/a' },
      { path: '/b', line: 2 },
    ]);
    assert.deepEqual(read({ kind: 'other', rawInput: { path: '/a' } }).locations, []);
    const own = [{ path: '/own' }];
    assert.deepEqual(
      read({ kind: 'read', rawInput: { path: '/a' } }, { locations: own }).locations,
      own,
    );
  });

  it('TO-7: a title doesn’t repeat the input', () => {
    const input = '*** Begin Patch\n*** Add File: x\n+1\n*** End Patch';
    for (const [title, rawInput, expected] of [
      ['apply_patch: {"input":"*** Begin Pa...', { input }, 'apply_patch'],
      ['run_commands: ls -l', { commands: ['ls -l'] }, 'ls -l'],
      ['run_commands: ls -l /a/lo...', { commands: ['ls -l /a/long/way'] }, 'ls -l /a/long/way'],
      ['{"command":"ls"}', { command: 'ls' }, 'ls'],
      ['{"query":"x"}', { query: 'x' }, 'Tool call'],
      ['Note: {"a"', { b: 1 }, 'Note: {"a"'],
      ['fix: ls', { path: '/a' }, 'fix: ls'],
      ['lookup: {"q":1}', undefined, 'lookup: {"q":1}'],
    ] as const) {
      assert.equal(read({ title, rawInput }).title, expected);
    }
  });

  it('TO-7: a patch with too many hunks, or too much around it, is bounded', () => {
    const hunks = '@@\n-a\n+b\n'.repeat(200_000);
    const input = `*** Begin Patch\n*** Update File: x\n${hunks}*** End Patch`;
    const { content } = read({ rawInput: { input } });
    assert.equal(content.length, maxItems + 1);
    assert.deepEqual(content.at(-1), text('… The rest is left out'));
    const many = Array.from({ length: 5_000 }, () => 'x');
    assert.deepEqual(read({ rawInput: [...many, patch] }).content, []);
    let deep: unknown = patch;
    for (let level = 0; level < 20; level++) {
      deep = [deep];
    }
    assert.deepEqual(read({ rawInput: deep }).content, []);
    const nested = JSON.stringify(JSON.stringify(JSON.stringify({ input: 'x'.repeat(2_000_000) })));
    assert.deepEqual(read({ rawInput: nested }).content, []);
    const spaces = `*** Begin Patch\n*** Add File: a${' '.repeat(2_000_000)}b\n+1\n*** End Patch`;
    assert.deepEqual(read({ rawInput: spaces }).content, []);
  });
});

describe('what a call says in its output (T-73)', () => {
  const live = [
    { query: 'ls nope', result: '[stderr]\nls: no\n', error: 'exited with code 2', success: false },
  ];

  it('TO-7: a list of results reads the same as the text of its JSON, and fails where it says so', () => {
    for (const rawOutput of [live, JSON.stringify(live)]) {
      const { status, content } = read({ kind: 'execute' }, { status: 'completed', rawOutput });
      assert.equal(status, 'failed');
      assert.deepEqual(content, [text('[stderr]\nls: no\n\nexited with code 2')]);
    }
    const two = ['a', 'b'].map((query) => ({ query, result: `${query}!`, success: true }));
    const { status, content } = read({ status: 'completed', rawOutput: JSON.stringify(two) });
    assert.equal(status, 'completed');
    assert.deepEqual(content, [text('a\na!\nb\nb!')]);
  });

  it('TO-7: an output is found under the names that agents use', () => {
    for (const rawOutput of [
      { stdout: 'a\n', stderr: 'b', exit_code: 0 },
      { aggregated_output: 'a\nb', exit_code: 0, stdout: 'a' },
      { formatted_output: 'a\nb', aggregated_output: 'x' },
      {
        result: {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      ['a', 'b'],
      [{ type: 'content', content: { type: 'text', text: 'a\nb' } }],
      '{"output":"a\\nb","metadata":{"exit_code":0}}',
    ]) {
      const { content } = read({ kind: 'execute', status: 'completed', rawOutput });
      assert.deepEqual(content, [text('a\nb')], JSON.stringify(rawOutput));
    }
  });

  it('TO-7: JSON that a tool has read stays as it is', () => {
    for (const rawOutput of ['{"name":"x","error":"y"}', '[{"result":1}]', '[1, 2]', '{"error":']) {
      const { content, status } = read({ kind: 'read', status: 'completed', rawOutput });
      assert.deepEqual([content, status], [[text(rawOutput)], 'completed']);
    }
  });

  it('TO-4: a call that says that it failed has failed, whatever its status', () => {
    const statusOf = (rawOutput: unknown, kind: 'execute' | 'search' = 'execute') =>
      read({ kind }, { status: 'completed', rawOutput }).status;
    for (const rawOutput of [
      { success: false, result: 'x' },
      { output: 'x', exitCode: 3 },
      { output: 'x', metadata: { exit_code: 1 } },
      { content: [{ type: 'text', text: 'x' }], isError: true },
      { is_error: true },
      { error: 'x' },
      '{"output":"x","metadata":{"exit_code":7}}',
    ]) {
      assert.equal(statusOf(rawOutput), 'failed', JSON.stringify(rawOutput));
    }
    assert.equal(statusOf({ output: '', exit_code: 1 }, 'search'), 'completed', 'nothing found');
    assert.equal(statusOf({ output: 'x', error: null, exit_code: 0 }), 'completed');
    assert.equal(statusOf({ result: 'x', error: 'a warning', success: true }), 'completed');
  });

  it('TO-7: output of a terminal that no content refers to is shown', () => {
    const terminalOutput = [{ terminalId: 't', text: 'out', append: true }];
    const { content, terminalOutput: kept } = read(
      { kind: 'read', status: 'completed' },
      { rawOutput: { exit_code: 0 }, terminalOutput },
    );
    assert.deepEqual(content, [{ type: 'terminal', terminalId: 't' }]);
    assert.equal(kept?.get('t'), 'out');
  });

  it('TO-4, TE-9: a command that its agent ran in a terminal has failed if that ended so', () => {
    const ran = (
      kind: 'execute' | 'search',
      exitCode: number | null,
      status: 'in_progress' | 'completed' = 'completed',
    ) =>
      read(
        { kind, status, content: [{ type: 'terminal', terminalId: 't' }] },
        {
          terminalOutput: [{ terminalId: 't', text: 'out', append: true }],
          terminalExit: { terminalId: 't', exitCode, signal: exitCode === null ? 'SIGTERM' : null },
        },
      );
    assert.equal(ran('execute', 3).status, 'failed');
    assert.equal(ran('execute', 0).status, 'completed');
    assert.equal(ran('execute', null).status, 'completed', 'perhaps it was meant to end');
    assert.equal(ran('search', 1).status, 'completed', 'nothing found');
    assert.equal(ran('execute', 3, 'in_progress').status, 'in_progress');
    const state = { kind: 'exited', isAgents: true, exitCode: 3, signal: null };
    assert.deepEqual(ran('execute', 3).terminals?.get('t'), state);
  });

  it('TE-9: how a terminal of this client ended isn’t up to the agent', () => {
    const transcript = transcriptOf(
      call('1', {
        ...{ kind: 'execute', status: 'completed' },
        content: [{ type: 'terminal', terminalId: 't' }],
      }),
    );
    const own = { kind: 'exited', exitCode: 0, signal: null } as const;
    transcript.setTerminal('t', 'out', own);
    const terminalExit = { terminalId: 't', exitCode: 3, signal: null };
    transcript.apply(change('1', { terminalExit }));
    const [after] = transcript.entries;
    assert.ok(after?.kind === 'toolCall');
    assert.deepEqual([after.terminals?.get('t'), after.status], [own, 'completed']);
  });

  it('TO-7: what a command has printed is its output where there is no other', () => {
    const printed = { stdout: 'out\n', stderr: 'err' };
    const first = { kind: 'execute' } as const;
    const done = { status: 'completed' } as const;
    assert.deepEqual(read(first, { printed }, done).content, [text('out\nerr')]);
    assert.deepEqual(read(first, done, { printed }).content, [text('out\nerr')]);
    assert.deepEqual(read(first, { printed }, { ...done, rawOutput: 'said' }).content, [
      text('said'),
    ]);
    assert.deepEqual(read(first, { ...done, rawOutput: 'said' }, { printed }).content, [
      text('said'),
    ]);
    const content = [{ type: 'content', block: { type: 'text', text: 'own' } }] as const;
    assert.deepEqual(read(first, { printed }, { ...done, content }).content, content);
  });

  it('TO-7: a text of JSON that is too large is shown as it is', () => {
    const rawOutput = JSON.stringify([
      { query: 'q', result: 'x'.repeat(2_000_000), success: false },
    ]);
    const { content, status } = read({ status: 'completed', rawOutput });
    assert.deepEqual([content, status], [[text(rawOutput)], 'completed']);
  });
});
