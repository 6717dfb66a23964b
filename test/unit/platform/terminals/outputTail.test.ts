import assert from 'node:assert/strict';
import { OutputTail } from '../../../../src/platform/terminals/outputTail';
import { fc } from '../../../support/properties';

function tailOf(limit: number, pieces: readonly string[]): OutputTail {
  const tail = new OutputTail(limit);
  for (const piece of pieces) {
    tail.push(piece);
  }
  return tail;
}

describe('the end of an output', () => {
  it('TE-3: is cut from the beginning, between two characters and within the limit', () => {
    assert.equal(tailOf(5, ['日本']).text, '本');
    assert.equal(tailOf(6, ['日本']).text, '日本');
    assert.equal(tailOf(2, ['日本']).text, '');
    assert.equal(tailOf(4, ['a😀']).text, '😀');
    assert.equal(tailOf(3, ['a😀']).text, '');
    assert.equal(tailOf(3, ['ab', 'cd', 'ef']).text, 'def');
  });

  it('TE-9: shown in part, it doesn’t begin within a color', () => {
    const tail = tailOf(1000, ['é\u001b[38;5;9mred\u001b]0;title\u0007 end']);
    assert.equal(tail.last(4), ' end');
    assert.equal(tail.last(8), ' end');
    assert.equal(tail.last(16), 'ed\u001b]0;title\u0007 end');
    assert.equal(tail.last(22), 'red\u001b]0;title\u0007 end');
    assert.equal(tail.last(26), '\u001b[38;5;9mred\u001b]0;title\u0007 end');
  });

  it('TE-3: says whether something was cut', () => {
    assert.equal(tailOf(3, ['abc']).truncated, false);
    assert.equal(tailOf(3, ['abc', 'd']).truncated, true);
    assert.equal(tailOf(0, []).truncated, false);
    assert.equal(tailOf(0, ['a']).truncated, true);
    assert.equal(tailOf(0, ['a']).text, '');
  });

  it('TE-7: is still there when nothing comes any more', () => {
    const tail = tailOf(3, ['abcd']);
    tail.end();
    assert.deepEqual([tail.text, tail.truncated], ['bcd', true]);
  });

  it('TE-3: is the same however the output comes in pieces', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(30), fc.array(text, { maxLength: 20 }), (limit, pieces) => {
        const whole = pieces.join('');
        const { text: end, truncated } = tailOf(limit, pieces);
        const cut = Buffer.byteLength(whole) > limit;
        assert.equal(truncated, cut);
        assert.ok(whole.endsWith(end));
        assert.ok(Buffer.byteLength(end) <= limit);
        // One more character would not have fitted.
        const before = Array.from(whole.slice(0, whole.length - end.length)).at(-1) ?? '';
        assert.equal(cut, Buffer.byteLength(before + end) > limit);
      }),
    );
  });

  it('TE-3: holds its limit and two blocks, however the output comes in pieces', () => {
    const limit = 200_000;
    for (const piece of ['x', 'y'.repeat(1000), 'z'.repeat(300_000)]) {
      const tail = new OutputTail(limit);
      let most = 0;
      for (let written = 0; written < 2 * limit; written += piece.length) {
        tail.push(piece);
        most = Math.max(most, tail.held);
      }
      assert.ok(most <= limit + 2 * 64 * 1024, `${most}`);
      assert.equal(tail.text.length, limit);
      tail.end();
      assert.equal(tail.held, limit);
    }
  });

  it('TE-3: a short output takes little memory', () => {
    assert.ok(tailOf(16 * 1024 * 1024, ['done\n']).held < 1000);
  });

  it('TE-3: gives up its beginning when it may keep less, also after the end', () => {
    const tail = tailOf(100, ['abc', '日本']);
    tail.keepAtMost(4);
    assert.deepEqual([tail.text, tail.truncated, tail.held], ['本', true, 4]);
    tail.push('é');
    assert.equal(tail.text, 'é');
    tail.keepAtMost(0);
    assert.deepEqual([tail.text, tail.truncated, tail.held], ['', true, 0]);
  });
});
