import assert from 'node:assert/strict';
import { normaliseUpdate as normalise1 } from '../../../../../src/protocol/v1/normaliseUpdate';
import { normaliseUpdate as normalise2 } from '../../../../../src/protocol/v2/normaliseUpdate';
import type { Json } from '../../../../fakeAgent/scenario';

const text = (value: string): Json => ({ type: 'text', text: value });

/** The prompts that are read of this list, in both versions. */
function read(suggestions: Json): readonly string[] | string {
  const update = { sessionUpdate: 'prompt_suggestions_update', suggestions };
  const [first, second] = [normalise1, normalise2].map((normalise) =>
    normalise({ sessionId: 's', update }),
  );
  assert.deepEqual(first, second);
  return typeof first === 'string'
    ? first
    : (first?.update as { suggestions: readonly string[] }).suggestions;
}

describe('suggested prompts', () => {
  it('T-93: are read in the agent’s order; an empty list takes them back', () => {
    const suggestions = [
      { prompt: [text('Run the tests')] },
      { prompt: [text('Fix '), text('them')], _meta: {} },
    ];
    assert.deepEqual(read(suggestions), ['Run the tests', 'Fix them']);
    assert.deepEqual(read([]), []);
    assert.match(String(read(null)), /without suggestions/);
  });

  it('T-93: one that is no text, is empty or is told twice is left out', () => {
    const suggestions = [
      ...[null, 7, {}, { prompt: 'Run' }, { prompt: [] }, { prompt: [text(' \n')] }],
      { prompt: [text('Look at'), { type: 'resource_link', uri: 'file:///a', name: 'a' }] },
      ...[{ prompt: [text('Run')] }, { prompt: [text('Run')] }],
    ];
    assert.deepEqual(read(suggestions), ['Run']);
  });

  it('T-93: one with characters that nobody sees, or that turn its direction, is left out', () => {
    const told = ['a\u202eb', 'a\u2066b', 'Run\u{e0041}', 'Run \u001b[8mrm -rf'];
    const fine = ['Run\n\tit', 'می\u200cخواهم', '👩\u200d💻'];
    const suggestions = [...told, ...fine].map((each) => ({ prompt: [text(each)] }));
    assert.deepEqual(read(suggestions), fine);
  });

  it('T-93: of twice as many, and twice as long, those are kept that may be', () => {
    const long = { prompt: [text('x'.repeat(4_000))] };
    const halves = { prompt: [text('x'.repeat(2_000)), text('y'.repeat(2_000))] };
    const many = Array.from({ length: 10 }, (_, at) => ({ prompt: [text(`Prompt ${at}`)] }));
    assert.deepEqual(
      read([long, halves, ...many]),
      [0, 1, 2, 3, 4].map((at) => `Prompt ${at}`),
    );
    assert.deepEqual(read([{ prompt: [text('x'.repeat(2_000))] }]).length, 1);
  });
});
