import assert from 'node:assert/strict';
import { copied, getBeginning, ownPart } from '../../../src/util/textParts';

describe('parts of texts', () => {
  it('are what was cut, whatever is in it', () => {
    for (const text of ['', 'a "quoted"\\ line\n', 'ä字𝒙', '\ud835', '\udc99 \u2028\0']) {
      assert.equal(copied(text), text);
      assert.equal(ownPart(text, `${text}${'x'.repeat(100)}`), text);
    }
  });

  it('never end in half a character, nor with more than was asked for', () => {
    const text = '𝒙'.repeat(2000);
    assert.equal(getBeginning(text, 1001), '𝒙'.repeat(500));
    assert.equal(getBeginning(text, 1000), '𝒙'.repeat(500));
    assert.equal(getBeginning('𝒙', 1), '');
    assert.equal(getBeginning('words', 5), 'words');
    assert.equal(getBeginning('words', 0), '');
  });
});
