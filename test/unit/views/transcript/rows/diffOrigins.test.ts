import assert from 'node:assert/strict';
import type { Diff } from '../../../../../src/shared/transcript/content';
import type { DrawnDiff } from '../../../../../src/shared/transcript/drawn';
import type { Entry, ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { drawEntry } from '../../../../../src/views/transcript/rows/draw';

const path = '/project/a.ts';

function diff(oldText: string | null, newText: string, file = path): Diff {
  return { type: 'diff', path: file, oldText, newText };
}

function call(content: readonly Diff[], lines: readonly (number | undefined)[]): ToolCallEntry {
  return {
    kind: 'toolCall',
    toolCallId: 'c',
    title: 'Edit',
    toolKind: 'edit',
    status: 'completed',
    content,
    locations: lines.map((line) => ({ path, ...(line !== undefined && { line }) })),
  };
}

function numbers(entry: Entry): readonly DrawnDiff['numbers'][] {
  const drawn = drawEntry(entry, '/project');
  const drawnCall = drawn.kind === 'permission' ? drawn.toolCall : drawn;
  assert.ok(drawnCall.kind === 'toolCall');
  return drawnCall.content.map((part) => (part.type === 'diff' ? part.numbers : undefined));
}

describe('line numbers of a change', () => {
  it('TO-5: are those of a new file, and of fragments whose place the agent gives', () => {
    assert.deepEqual(numbers(call([diff(null, 'a\nb\n')], [undefined])), [[{ old: 1, new: 1 }]]);
    const fragments = [diff('a\nb', 'a\nb\nc'), diff('x', 'y')];
    assert.deepEqual(numbers(call(fragments, [40, 90])), [
      [{ old: 40, new: 40 }],
      [{ old: 89, new: 90 }],
    ]);
    const long = Array.from({ length: 60 }, (_, at) => `line ${at}`);
    const changed = long.map((line, at) => (at === 9 || at === 49 ? `${line}!` : line));
    assert.deepEqual(numbers(call([diff(long.join('\n'), changed.join('\n'))], [101])), [
      [
        { old: 107, new: 107 },
        { old: 147, new: 147 },
      ],
    ]);
  });

  it('TO-5: are never claimed where it isn’t certain what the texts are', () => {
    assert.deepEqual(numbers(call([diff('a', 'b')], [])), [undefined]);
    assert.deepEqual(numbers(call([diff('a', 'b')], [undefined])), [undefined]);
    assert.deepEqual(numbers(call([diff('', 'b')], [])), [undefined]);
    assert.deepEqual(numbers(call([diff('a', 'b'), diff('c', 'd')], [3])), [undefined, undefined]);
    assert.deepEqual(numbers(call([diff('a', 'b'), diff('c', 'd')], [9, 3])), [
      undefined,
      undefined,
    ]);
    assert.deepEqual(numbers(call([diff('a', 'b', '/project/b.ts')], [3])), [undefined]);
    assert.deepEqual(
      numbers(call([diff('1\n2\nx\n', '1\n2\ny\n')], [3])),
      [undefined],
      'the line may be that of the change in a whole file',
    );
  });

  it('are known of what this window asks about itself', () => {
    const toolCall = call([diff('a\n', 'b\n')], []);
    const asked = {
      kind: 'permission',
      requestId: 1,
      toolCall,
      options: [],
      state: { kind: 'waiting' },
    } as const;
    assert.deepEqual(numbers({ ...asked, own: { act: 'write' } }), [[{ old: 1, new: 1 }]]);
    assert.deepEqual(numbers(asked), [undefined]);
  });
});
