import assert from 'node:assert/strict';
import { cleanText, getFullTitle, getLabel } from '../../../../src/model/text/titles';
import { fc } from '../../../support/properties';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

describe('titles', () => {
  it('T-6: newlines and runs of white space become one space', () => {
    assert.equal(
      getLabel('  Fix the\n\n\tparser\r\n now\u2028please  '),
      'Fix the parser now please',
    );
  });

  it('T-6: terminal sequences go as a whole', () => {
    assert.equal(getLabel('\u001b[1;31mred\u001b[0m \u001b]0;window\u0007title'), 'red title');
    assert.equal(getLabel('\u009b31mred \u001b]8;;https://x.example\u001b\\link'), 'red link');
  });

  it('T-6: control, bidi and invisible characters go', () => {
    assert.equal(getLabel('a\u0000b\u0007c\u0085d'), 'abc d');
    assert.equal(
      getLabel('safe\u202efdp.exe\u202c \u2066x\u2069 \u200by\ufeff\u00ad'),
      'safefdp.exe x y',
    );
    assert.equal(getLabel('tags\u{e0041}\u{e0042}'), 'tags');
  });

  it('T-6: joiners stay where they mean something', () => {
    const family = '👨‍👩‍👧 and می‌خواهم';
    assert.equal(getLabel(family), family);
    assert.equal(getLabel('a \u200d\u200d b'), 'a b');
  });

  it('LIST-14: a title of nothing that can be seen gets the fallback', () => {
    for (const title of [
      undefined,
      '',
      '   ',
      '\n',
      '\u200b\u2060',
      '\u2800',
      '\u3164',
      '\u001b[0m',
    ]) {
      assert.equal(getLabel(title), 'Untitled session');
      assert.equal(getFullTitle(title), 'Untitled session');
    }
  });

  it('INFO-6: a label is cut at 120 graphemes, the full title much later', () => {
    const long = '👩‍💻'.repeat(5_000);
    const label = getLabel(long);
    assert.ok(label.endsWith('…'));
    assert.ok([...segmenter.segment(label)].length <= 121);
    assert.ok(getFullTitle(long).length > 1_900);
    assert.ok(getFullTitle(long).length <= 2_001);
  });

  it('INFO-6: 120 graphemes are not cut', () => {
    const exact = 'é'.normalize('NFD').repeat(120);
    assert.equal(getLabel(exact), exact);
  });

  it('T-6: one endless grapheme is cut too', () => {
    assert.ok(getLabel(`z${'\u0301'.repeat(9_000)}`).length < 700);
  });

  it('T-6: whatever comes in, one bounded, visible, well-formed line comes out', () => {
    const special = fc.constantFrom(' ', '\n', '\u001b[31m', '\u202e', '\u200d', '👩', 'é', 'x');
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const any = fc.array(fc.oneof(special, unit), { maxLength: 200 }).map((all) => all.join(''));
    fc.assert(
      fc.property(any, (title) => {
        for (const out of [getLabel(title), getFullTitle(title), `x${cleanText(title, 50)}`]) {
          assert.doesNotMatch(out, /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
          assert.ok(out.trim() !== '');
        }
      }),
    );
  });
});
