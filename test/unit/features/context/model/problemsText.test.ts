import assert from 'node:assert/strict';
import {
  aboutProblems,
  problemsText,
  readAboutProblems,
} from '../../../../../src/features/context/model/problemsText';
import type { Problem } from '../../../../../src/shared/problem';

const show = (file: string): string => file.slice(1);

function problem(own: Partial<Problem>): Problem {
  const place = { path: '/a.ts', line: 1, column: 1 };
  return { ...place, severity: 'error', message: 'Wrong', source: '', ...own };
}

describe('the text of problems', () => {
  it('has a line each, the most severe first', () => {
    const text = problemsText(
      [
        problem({ severity: 'warning', path: '/b.ts', line: 2, column: 7, source: 'ts 6133' }),
        problem({ message: 'Cannot find\n  name', line: 3 }),
        problem({ message: 'First', line: 2 }),
      ],
      show,
    );
    assert.equal(
      text,
      [
        'a.ts:2:1 error: First',
        'a.ts:3:1 error: Cannot find name',
        'b.ts:2:7 warning: Wrong (ts 6133)',
      ].join('\n'),
    );
  });

  it('is bounded in number and length', () => {
    const many = Array.from({ length: 1000 }, (_, line) =>
      problem({ line: line + 1, message: 'm'.repeat(2000) }),
    );
    const lines = problemsText(many, show).split('\n');
    assert.equal(lines.length, 501);
    assert.equal(lines.at(-1), '(500 more)');
    assert.ok(lines.every((line) => line.length < 1100));
  });

  it('is about what was chosen', () => {
    for (const wanted of [
      { of: 'all' },
      { of: 'errors' },
      { of: 'file', path: '/a b:c' },
    ] as const) {
      assert.deepEqual(readAboutProblems(aboutProblems(wanted)), wanted);
    }
    assert.equal(readAboutProblems('other'), undefined);
  });
});
