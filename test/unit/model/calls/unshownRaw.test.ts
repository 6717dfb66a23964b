import assert from 'node:assert/strict';
import { unshownInput } from '../../../../src/model/calls/unshownRaw';
import { entryMarkdown } from '../../../../src/model/transcript/transcriptText';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import type { ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { call, entriesOf } from '../updates';

function done(patch: Partial<ToolCallPatch>): ToolCallEntry {
  const [entry] = entriesOf(call('1', { status: 'completed', ...patch }));
  assert.ok(entry?.kind === 'toolCall');
  return entry;
}

const left = (patch: Partial<ToolCallPatch>): unknown => unshownInput(done(patch));

describe('what of an input a call doesn’t show in other words (T-73)', () => {
  it('TO-7: has no command, which the title or the row says', () => {
    const kind = 'execute';
    assert.equal(left({ kind, rawInput: { command: 'ls', args: ['-l'] } }), undefined);
    assert.equal(left({ kind, rawInput: { commands: ['ls', 'npm test'] } }), undefined);
    assert.equal(left({ kind, rawInput: JSON.stringify({ cmd: 'ls' }) }), undefined);
    const rawInput = { command: 'ls', description: 'List', timeout: 5 };
    assert.deepEqual(left({ kind, title: 'List', rawInput }), { timeout: 5 });
    assert.deepEqual(left({ kind, title: 'ls', rawInput }), { description: 'List', timeout: 5 });
    assert.equal(left({ kind: 'other', rawInput }), rawInput, 'no row says it');
  });

  it('TO-7: has no texts of changes that are shown, as they are or within others', () => {
    const kind = 'edit';
    const rawInput = { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true };
    assert.deepEqual(left({ kind, rawInput }), { replace_all: true });
    const around = { type: 'diff', path: '/a', oldText: '1\nx\n2', newText: '1\ny\n2' } as const;
    assert.deepEqual(left({ kind, rawInput, content: [around] }), { replace_all: true });
    const other = { ...around, path: '/b', oldText: null, newText: 'z' };
    assert.equal(left({ kind, rawInput, content: [other] }), rawInput);
    const edits = [{ old_string: 'x', new_string: 'y' }, { note: 1 }];
    assert.deepEqual(left({ kind, rawInput: { file_path: '/a', edits } }), {
      edits: [{ note: 1 }],
    });
    assert.equal(left({ kind, rawInput: { path: '/n', content: 'new' } }), undefined);
  });

  it('TO-7: has no patch that is shown as changes', () => {
    const patch = '*** Begin Patch\n*** Add File: x\n+1\n*** End Patch';
    assert.equal(left({ rawInput: { input: patch } }), undefined);
    assert.equal(left({ rawInput: patch }), undefined);
    assert.equal(left({ rawInput: JSON.stringify({ input: patch }) }), undefined);
    const own = { type: 'diff', path: '/other', oldText: null, newText: '2' } as const;
    const rawInput = { input: patch };
    assert.equal(left({ rawInput, content: [own] }), rawInput, 'the agent shows something else');
  });

  it('TO-7: has no files that are shown, and everything else', () => {
    const rawInput = { path: '/a', offset: 7, limit: 20 };
    assert.deepEqual(left({ kind: 'read', rawInput }), { offset: 7, limit: 20 });
    assert.equal(left({ kind: 'read', rawInput: { path: '/a' } }), undefined);
    assert.equal(left({ kind: 'read', rawInput: {} }), undefined);
    for (const whole of [{ query: 'x' }, ['/a'], 7, 'text']) {
      assert.equal(left({ kind: 'search', rawInput: whole }), whole);
    }
  });

  it('TO-7: a text of the transcript says a command, a change and an output once', () => {
    const text = (patch: Partial<ToolCallPatch>): string =>
      entryMarkdown(done(patch), { agentTitle: 'Demo' });
    const ran = text({
      ...{ title: 'Run a command', kind: 'execute' },
      rawInput: { command: 'echo "hi"' },
      rawOutput: [{ type: 'text', text: 'hi\n' }],
    });
    assert.equal(
      ran,
      '### Execute: Run a command\n\n- Status: completed\n\n```sh\necho "hi"\n```\n\n```\nhi\n```',
    );
    const edited = text({
      ...{ title: 'Edit', kind: 'edit' },
      rawInput: { path: '/a', old_str: 'before', new_str: 'after' },
    });
    assert.equal(edited.split('before').length, 2);
    assert.ok(!edited.includes('Input'));
  });
});
