import assert from 'node:assert/strict';
import { countLines, firstLines } from '../../../../src/webview/code/textLines';
import { fc } from '../../../support/properties';

describe('lines of a text', () => {
  const texts = fc.array(fc.constantFrom('a', 'bc', '\n')).map((parts) => parts.join(''));

  it('are counted and cut as splitting would do it', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 10 }), (text, most) => {
        const lines = text.split('\n');
        assert.equal(countLines(text), lines.length);
        assert.equal(firstLines(text, most), lines.slice(0, most).join('\n'));
      }),
    );
  });
});
