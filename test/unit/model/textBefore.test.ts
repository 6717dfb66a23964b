import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holds, textBefore } from '../../../src/model/textBefore';
import type { Diff } from '../../../src/shared/content';

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
});
