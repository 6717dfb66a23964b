import assert from 'node:assert/strict';
import { withoutFound } from '../../../../src/util/secrets/visible';

describe('a text without what is found in it', () => {
  it('T-35, SEC-60: is hidden as a whole if the search fails, and says nothing about it', () => {
    for (const text of ['hunter2 and more', 'hun\u200bter2']) {
      const shown = withoutFound(text, function* (part) {
        yield { start: 0, end: 1 };
        throw new Error(part);
      });
      assert.equal(shown, '‹hidden›');
    }
  });
});
