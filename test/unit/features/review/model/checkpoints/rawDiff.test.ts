import assert from 'node:assert/strict';
import { readRawDiff } from '../../../../../../src/features/review/model/checkpoints/rawDiff';

const id = 'a'.repeat(40);
const changed = `:100644 100755 ${id} ${id} M`;

describe('what git diff-tree prints', () => {
  const read = (text: string) => readRawDiff(Buffer.from(text, 'latin1'));

  it('is read with moved files, and without repositories inside', () => {
    const moved = `:100644 100644 ${id} ${id} R087`;
    const added = `:000000 160000 ${id} ${id} A`;
    const { changes, leftOut } = read(
      [changed, 'a b\n', moved, 'from', 'to', added, 'sub', ''].join('\0'),
    );
    const side = (mode: number) => ({ mode, id });
    assert.deepEqual(changes, [
      { name: 'a b\n', before: side(0o100644), after: side(0o100755) },
      { name: 'to', before: side(0o100644), after: side(0o100644), movedFrom: 'from' },
    ]);
    assert.equal(leftOut, 0);
  });

  it('leaves out names that lead elsewhere or aren’t UTF-8', () => {
    const names = [
      '../x',
      'a/../../x',
      '/etc/x',
      'a//x',
      '.git/config',
      'sub/.GIT/hooks/x',
      '\xff',
    ];
    const { changes, leftOut } = read(names.map((name) => `${changed}\0${name}\0`).join(''));
    assert.deepEqual([changes, leftOut], [[], names.length]);
  });

  it('is refused when it is something else', () => {
    assert.throws(() => read('something\0else\0'));
    assert.deepEqual(read(''), { changes: [], leftOut: 0 });
  });
});
