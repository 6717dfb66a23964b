import assert from 'node:assert/strict';
import { isWritten } from '../../../../../src/features/context/model/isWritten';
import { mentionOf } from '../../../../../src/features/context/model/mentionOf';
import { latestText } from '../../../../../src/features/transcriptText/model/latestText';

describe('mentions of context', () => {
  it('are offered while they may be meant', () => {
    assert.ok(isWritten('', '@problems'));
    assert.ok(isWritten('Prob', '@problems'));
    assert.ok(isWritten('problems:', '@problems'));
    assert.ok(!isWritten('problemsx', '@problems'));
    assert.ok(!isWritten('src/problems', '@problems'));
  });

  it('of sessions are their titles, without spaces and marks', () => {
    assert.equal(mentionOf('session', 'Fix the “cart”!'), '@session:fix-the-cart');
    assert.equal(mentionOf('session', '\u202e @x'), '@session:x');
    assert.equal(mentionOf('session', `${'a'.repeat(39)} b`), `@session:${'a'.repeat(39)}`);
    assert.equal(mentionOf('session', '…'), '@session:untitled');
    assert.equal(mentionOf('session', 'a'.repeat(80)).length, '@session:'.length + 40);
  });

  it('of a long conversation have its end, and say what is left out', () => {
    assert.equal(latestText('one\ntwo', 10), 'one\ntwo');
    assert.equal(
      latestText('one\ntwo\nthree', 8),
      '(The first 8 characters are left out.)\n\nthree',
    );
    assert.ok(latestText('x'.repeat(20), 10).endsWith('\n\nxxxxxxxxxx'));
  });
});
