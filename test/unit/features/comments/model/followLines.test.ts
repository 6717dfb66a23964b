import assert from 'node:assert/strict';
import { findLines, followLines } from '../../../../../src/features/comments/model/followLines';
import { fc } from '../../../../support/properties';

const text = ['a', 'b', 'c', 'd', 'e'];
const follow = (first: number, last: number, after: readonly string[]) =>
  followLines({ first, last }, text, after);

describe('followLines', () => {
  it('moves lines with what is added or removed before them, and not with what is after them', () => {
    assert.deepEqual(follow(1, 2, ['x', 'y', ...text]), { first: 3, last: 4 });
    assert.deepEqual(follow(1, 2, text.slice(1)), { first: 0, last: 1 });
    assert.deepEqual(follow(1, 2, [...text.slice(0, 3), 'x', 'd', 'e']), { first: 1, last: 2 });
    assert.deepEqual(follow(1, 2, ['x', 'b', 'c', 'y', 'z', 'e', 'f']), { first: 1, last: 2 });
  });

  it('grows and shrinks with what is changed in them', () => {
    assert.deepEqual(follow(1, 3, ['a', 'b', 'x', 'y', 'd', 'e']), { first: 1, last: 4 });
    assert.deepEqual(follow(1, 3, ['a', 'b', 'd', 'e']), { first: 1, last: 2 });
    assert.deepEqual(follow(1, 2, ['a', 'x', 'd', 'e']), { first: 1, last: 1 });
  });

  it('says when nothing is left of them', () => {
    assert.equal(follow(1, 2, ['a', 'd', 'e']), undefined);
    assert.equal(follow(1, 2, ['e']), undefined);
    assert.deepEqual(follow(0, 4, ['']), { first: 0, last: 0 });
  });

  const line = fc.constantFrom('a', 'b', 'c', 'd', '');
  const lines = fc.array(line, { minLength: 1, maxLength: 12 });

  it('never leaves the text', () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, (before, own, rest, after) => {
        const place = { first: before.length, last: before.length + own.length - 1 };
        const now = followLines(place, [...before, ...own, ...rest], after);
        assert.ok(
          now === undefined || (now.first >= 0 && now.first <= now.last && now.last < after.length),
        );
      }),
    );
  });

  it('keeps lines that nothing has touched', () => {
    // Each line is kept, removed, or gets another one before it.
    const edited = fc.array(fc.tuple(line, fc.constantFrom('keep', 'remove', 'add')));
    const old = (edits: readonly (readonly [string, string])[]) => edits.map(([text]) => text);
    const now = (edits: readonly (readonly [string, string])[]) =>
      edits.flatMap(([text, act]) => (act === 'keep' ? [text] : act === 'add' ? ['+', text] : []));
    fc.assert(
      fc.property(edited, lines, edited, (before, some, rest) => {
        const own = some.map((each, index) => `${each}${index}`);
        const place = { first: before.length, last: before.length + own.length - 1 };
        const after = [...now(before), ...own, ...now(rest)];
        const found = followLines(place, [...old(before), ...own, ...old(rest)], after);
        assert.deepEqual(found && after.slice(found.first, found.last + 1), own);
      }),
    );
  });

  it('takes a text of any size, with other lines throughout', () => {
    const before = Array.from({ length: 40_000 }, (_, index) => `${index}`);
    const after = before.map((line) => `${line}!`);
    assert.deepEqual(followLines({ first: 10, last: 12 }, before, after), { first: 10, last: 12 });
  });
});

describe('findLines', () => {
  it('finds lines again where they are nearest', () => {
    const all = ['x', 'a', 'b', 'x', 'x', 'a', 'b'];
    assert.deepEqual(findLines('a\nb', { first: 0, last: 1 }, all), { first: 1, last: 2 });
    assert.deepEqual(findLines('a\nb', { first: 6, last: 7 }, all), { first: 5, last: 6 });
    assert.equal(findLines('a\nc', { first: 0, last: 1 }, all), undefined);
  });

  it('finds lines of which only the beginning is known', () => {
    assert.deepEqual(findLines('a', { first: 0, last: 2 }, ['x', 'a', 'b', 'c', 'd']), {
      first: 1,
      last: 3,
    });
  });
});
