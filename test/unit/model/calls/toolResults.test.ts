import assert from 'node:assert/strict';
import { call, change, entriesOf } from '../updates';

/** The part of a tool call's result that is shown after it has ended. */
function shown(rawOutput: unknown, status: 'completed' | 'failed' = 'completed'): unknown {
  const [entry] = entriesOf(call('1'), change('1', { status, rawOutput }));
  assert.ok(entry?.kind === 'toolCall');
  return entry.content;
}

const content = (text: string): unknown => [{ type: 'content', block: { type: 'text', text } }];

describe('results that are only in the raw output', () => {
  it('TO-7: are shown as what the tool gave back', () => {
    assert.deepEqual(shown('two\nlines'), content('two\nlines'));
    assert.deepEqual(
      shown({ content: 'two\nlines\n', detailedContent: 'diff' }),
      content('two\nlines\n'),
    );
    assert.deepEqual(shown({ output: 'done', metadata: {} }), content('done'));
    const blocks = ['a', 'b'].map((text) => ({ type: 'text', text }));
    assert.deepEqual(shown({ content: blocks, isError: false }), content('a\nb'));
    assert.deepEqual(shown(blocks), content('a\nb'));
    const refused = { message: 'The user rejected this tool call.', code: 'rejected' };
    assert.deepEqual(shown(refused, 'failed'), content('The user rejected this tool call.'));
  });

  it('TO-7: are shown in full, however many parts they have', () => {
    const blocks = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: 'text', text: `${at}` }));
    const all = Array.from({ length: 101 }, (_, at) => `${at}`).join('\n');
    assert.deepEqual(shown({ content: blocks(101) }), content(all));
    assert.deepEqual(shown({ content: blocks(2_001) }), [], 'its raw output is shown instead');
  });

  it('TO-7: are left alone where they are no text', () => {
    for (const raw of [7, true, { exit_code: 0 }, [1], [{ type: 'image' }], { content: [7] }, '']) {
      assert.deepEqual(shown(raw), []);
    }
  });

  it('TO-2: give way to the content that the agent sends', () => {
    const [entry] = entriesOf(
      call('1', { status: 'completed', rawOutput: 'raw' }),
      change('1', { content: [{ type: 'diff', path: '/a', oldText: null, newText: 'b' }] }),
    );
    assert.ok(entry?.kind === 'toolCall');
    assert.deepEqual(
      entry.content.map(({ type }) => type),
      ['diff'],
    );
  });

  it('TO-12: are nothing to show while the call still runs', () => {
    const [entry] = entriesOf(call('1'), change('1', { status: 'in_progress', rawOutput: 'some' }));
    assert.ok(entry?.kind === 'toolCall');
    assert.deepEqual(entry.content, []);
  });
});
