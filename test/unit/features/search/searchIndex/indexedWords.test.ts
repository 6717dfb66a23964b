import assert from 'node:assert/strict';
import { indexedWords } from '../../../../../src/features/search/searchIndex/indexedWords';
import { getWords } from '../../../../../src/model/text/searchWords';
import { fc } from '../../../../support/properties';

/** The words as the index's engine tokenizes them. */
function words(text: string): string[] {
  const ascii = (upper: string): string => upper.toLowerCase();
  const read = indexedWords(Buffer.from(text))
    .toString()
    .replace(/[A-Z]+/g, ascii);
  return read.split(' ').filter((word) => word !== '');
}

describe('words that are written into the index', () => {
  it('are those of the text, hardly any of them twice', () => {
    assert.deepEqual(words('one two, one Two: naïve 解析 one'), [
      'one',
      'two',
      'two',
      'naive',
      '解',
      '析',
    ]);
    assert.deepEqual(words('x'.repeat(100)), ['x'.repeat(40)]);
    assert.deepEqual(words(''), []);
  });

  it('are the very ones that are looked for, in any text', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('a', 'ab', 'ba', ' ', '-', 'é', 'ß', 'İ', '\0', '\ud800', 'z'.repeat(50)),
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        assert.deepEqual([...new Set(words(text))].sort(), [...getWords(text)].sort());
      }),
    );
  });
});
