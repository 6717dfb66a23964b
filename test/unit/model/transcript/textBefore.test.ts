import assert from 'node:assert/strict';
import {
  holds,
  lineOfLast,
  lookingEffort,
  textBefore,
} from '../../../../src/model/transcript/textBefore';
import type { Diff } from '../../../../src/shared/transcript/content';
import { Effort } from '../../../../src/util/effort';
import { fc } from '../../../support/properties';

function diff(oldText: string | null, newText: string): Diff {
  return { type: 'diff', path: '/a', oldText, newText };
}

describe('the text of a file before changes', () => {
  const original = 'alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\n';

  it('is found for two fragments, whatever their context', () => {
    const now = original.replace('beta', 'BETA').replace('theta', 'THETA');
    const changes = [
      diff('alpha\nbeta\ngamma', 'alpha\nBETA\ngamma'),
      diff('zeta\neta\ntheta', 'zeta\neta\nTHETA'),
    ];
    assert.equal(textBefore(now, changes), original);
  });

  it('is found for whole files, new ones, and changes that changed nothing', () => {
    assert.equal(textBefore('two\n', [diff(null, 'one\n'), diff('one\n', 'two\n')]), null);
    assert.equal(textBefore('x', [diff('', 'x')]), '');
    assert.equal(textBefore(original, [diff('beta', 'beta')]), original);
  });

  it('is found where the new text ends its last line and the file doesn’t', () => {
    assert.equal(textBefore('one\ntwo', [diff(null, 'one\ntwo\n')]), null);
    assert.equal(textBefore('b\r\nc', [diff('a\nc\n', 'b\nc\n')]), 'a\r\nc\r\n');
    assert.ok(holds('one\ntwo', diff(null, 'one\ntwo\n')));
    assert.ok(!holds('one\ntwo', diff(null, 'one\ntwo\n\n')));
  });

  it('keeps the line ends of the file', () => {
    assert.equal(textBefore('a\r\nB\r\nc\r\n', [diff('a\nb\n', 'a\nB\n')]), 'a\r\nb\r\nc\r\n');
  });

  it('is not known where a fragment stands twice, or nowhere', () => {
    assert.equal(textBefore('x = 1\nx = 1\n', [diff('x = 0', 'x = 1')]), undefined);
    assert.equal(textBefore('y\n', [diff('x = 0', 'x = 1')]), undefined);
    assert.equal(textBefore('left\n', [diff('gone', '')]), undefined);
    assert.equal(textBefore('new, then changed\n', [diff(null, 'new\n')]), undefined);
  });

  it('is the original for any changes of lines that stand once', () => {
    const line = fc.nat(9);
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 12 }), (edits) => {
        const lines = Array.from({ length: 10 }, (_, at) => `line ${at}, 0`);
        const first = lines.join('\n');
        const changes = edits.map(([at, isWhole], count) => {
          const [whole, old] = [lines.join('\n'), lines[at] ?? ''];
          lines[at] = `line ${at}, ${count + 1}.`;
          return isWhole ? diff(whole, lines.join('\n')) : diff(old, lines[at] ?? '');
        });
        assert.equal(textBefore(lines.join('\n'), changes), first);
      }),
    );
  });

  it('a file holds what a change made of it', () => {
    assert.ok(holds('a\r\nB\r\nc', diff('b', 'a\nB')));
    assert.ok(!holds('a\nb\nc', diff('b', 'B')));
  });

  it('is looked for as far as the effort goes, and is no longer than can be shown', () => {
    const changes = Array.from({ length: 20 }, (_, at) => diff(`${at}`, `${at + 1}`));
    const cost = (used: Effort): number => 1_000_000 - used.left;
    const all = new Effort(1_000_000);
    assert.equal(textBefore('20', changes, all), '0');
    assert.equal(textBefore('20', changes, new Effort(cost(all) / 2)), undefined);
    const large = 'x'.repeat(6_000_000);
    assert.equal(textBefore('a b', [diff(large, 'a')])?.length, large.length + 2);
    assert.equal(textBefore('a b', [diff(large, 'a'), diff(large, 'b')]), undefined);
  });

  it('is looked for at once in files that were written to make it slow', () => {
    const half = 'a'.repeat(1_000_000);
    const slow = diff('x', `${half}b${half}`);
    const file = 'a'.repeat(4_900_000);
    assert.equal(textBefore(file, [slow]), undefined);
    assert.equal(holds(file, slow), false);
    assert.equal(lineOfLast(file, [slow], lookingEffort()), undefined);
  });

  it('is as the editor shows it, without the mark at its beginning', () => {
    assert.equal(textBefore('two\n', [diff('\ufeffone\n', '\ufefftwo\n')]), 'one\n');
  });

  it('leaves the line of the last change that can be found', () => {
    const now = 'a\r\nb\r\nc\r\nb\r\n';
    const line = (...changes: readonly Diff[]): number | undefined =>
      lineOfLast(now, changes, lookingEffort());
    assert.equal(line(diff('x', 'c'), diff('x', 'b\n')), 2);
    assert.equal(line(diff('x', 'c\nb'), diff('x', 'gone'), diff('x', '')), 3);
    assert.equal(line(diff('x', 'gone')), undefined);
    assert.equal(lineOfLast(now, [diff('x', 'c')], new Effort(0)), undefined);
  });
});
