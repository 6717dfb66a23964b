import assert from 'node:assert/strict';
import {
  apply,
  hunksBetween,
  linesIn,
  revert,
  touches,
} from '../../../../../../src/features/review/model/decisions/lines';
import { merge3 } from '../../../../../../src/features/review/model/decisions/merge3';
import { fc } from '../../../../../support/properties';

/** Texts with few different lines, of all line ends, with and without a last one. */
const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\r', 'e\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'x', 'a'))
  .map(([lines, last]) => lines.join('') + last);

function merged(base: string, ours: string, theirs: string): string {
  return merge3(linesIn(base), linesIn(ours), linesIn(theirs), 'ours').lines.join('');
}

describe('Lines of files under review', () => {
  it('lines make up the text exactly', () => {
    fc.assert(fc.property(text, (it) => assert.equal(linesIn(it).join(''), it)));
    assert.deepEqual(linesIn('a\r\nb\rc\n\nd'), ['a\r\n', 'b\r', 'c\n', '\n', 'd']);
    assert.deepEqual(linesIn(''), []);
  });

  it('all hunks lead from one text to the other and back, to the byte', () => {
    fc.assert(
      fc.property(text, text, (before, now) => {
        const [old, new_] = [linesIn(before), linesIn(now)];
        const hunks = hunksBetween(old, new_);
        assert.equal(revert(old, new_, hunks).join(''), before);
        assert.equal(apply(old, new_, hunks).join(''), now);
      }),
    );
  });

  it('what is reverted and what is applied are the two halves of a change', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 3 }), (before, now, at) => {
        const [old, new_] = [linesIn(before), linesIn(now)];
        const hunks = hunksBetween(old, new_);
        const [some, others] = [hunks.slice(0, at), hunks.slice(at)];
        const reverted = revert(old, new_, some).join('');
        // A last line without its end gets one if another comes to lie below it.
        assert.equal(
          reverted.replace(/[\r\n]/g, ''),
          apply(old, new_, others)
            .join('')
            .replace(/[\r\n]/g, ''),
        );
      }),
    );
  });

  it('the last lines of two texts never become one', () => {
    const [before, now] = [linesIn('a\nb'), linesIn('x\na\nb\nc')];
    const hunks = hunksBetween(before, now);
    assert.equal(revert(before, now, hunks.slice(0, 1)).join(''), 'a\nb\nc');
    assert.equal(revert(before, now, hunks.slice(1)).join(''), 'x\na\nb');
    assert.equal(apply(before, now, hunks.slice(0, 1)).join(''), 'x\na\nb');
  });

  it('texts that are too different are one hunk', () => {
    const lines = (step: number): string[] =>
      Array.from({ length: 20_000 }, (_, at) => `${((at + 1) * step) % 10_007}\n`);
    const [before, now] = [lines(7_919), lines(5_003)];
    const hunks = hunksBetween(['same\n', ...before], ['same\n', ...now]);
    assert.deepEqual(hunks, [
      { before: { start: 2, end: 20_002 }, now: { start: 2, end: 20_002 } },
    ]);
  });

  it('a range touches what it shares a line with, and a deletion at its edge', () => {
    assert.ok(touches({ start: 2, end: 3 }, { start: 2, end: 5 }));
    assert.ok(!touches({ start: 1, end: 2 }, { start: 2, end: 5 }));
    assert.ok(touches({ start: 2, end: 2 }, { start: 2, end: 3 }));
    assert.ok(touches({ start: 3, end: 3 }, { start: 2, end: 3 }));
    assert.ok(!touches({ start: 4, end: 4 }, { start: 2, end: 3 }));
  });
});

describe('Three-way merges', () => {
  it('takes the changes of both sides', () => {
    assert.equal(merged('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nd\ne\n'), 'A\nb\nc\nd\ne\n');
    assert.equal(
      merged('a\r\nb\r\nc\r\n', 'a\r\nc\r\n', 'a\r\nb\r\nC\r\n'),
      'a\r\nb\r\nc\r\n'.replace('b\r\nc', 'c'),
    );
  });

  it('an unchanged side gives the other, and equal changes aren’t a conflict', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        assert.equal(merged(base, base, other), other);
        assert.equal(merged(base, other, base), other);
        const both = merge3(linesIn(base), linesIn(other), linesIn(other), 'ours');
        assert.deepEqual([both.lines.join(''), both.conflicts], [other, 0]);
      }),
    );
  });

  it('where both changed the same line, the preferred side stays', () => {
    const sides = ['a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc\n'].map(linesIn);
    const [base = [], ours = [], theirs = []] = sides;
    assert.deepEqual(merge3(base, ours, theirs, 'ours'), { lines: ours, conflicts: 1 });
    assert.deepEqual(merge3(base, ours, theirs, 'theirs'), { lines: theirs, conflicts: 1 });
  });

  it('every line of ours that base doesn’t have stays', () => {
    const marked = fc.array(fc.constantFrom('a\n', 'b\n', '\n', 'mark\n'), { maxLength: 15 });
    fc.assert(
      fc.property(text, marked, text, (base, ours, theirs) => {
        const { lines } = merge3(linesIn(base), ours, linesIn(theirs), 'ours');
        const count = (all: readonly string[]): number =>
          all.filter((it) => it === 'mark\n').length;
        assert.equal(count(lines), count(ours));
      }),
    );
  });

  it('a long file with a change at each end is merged', () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`);
    const ours = ['first\n', ...lines.slice(1)];
    const theirs = [...lines.slice(0, -1), 'last\n'];
    const { lines: both, conflicts } = merge3(lines, ours, theirs, 'ours');
    assert.deepEqual(
      [both[0], both.at(-1), both.length, conflicts],
      ['first\n', 'last\n', 60_000, 0],
    );
  });

  it('texts that take too long to compare are one conflict', () => {
    const many = (seed: number): string[] =>
      Array.from({ length: 20_000 }, (_, at) => `${(at * seed) % 7}\n`);
    const { lines, conflicts } = merge3(many(3), many(5), many(11), 'ours');
    assert.deepEqual([lines.length, conflicts], [20_000, 1]);
  });
});
