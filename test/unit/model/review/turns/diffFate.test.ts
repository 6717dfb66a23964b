import assert from 'node:assert/strict';
import { fateOf } from '../../../../../src/model/review/turns/diffFate';

describe('what became of a diff of a turn', () => {
  const fragment = (oldText: string | null, newText: string) =>
    ({ type: 'diff', path: '/a.txt', oldText, newText }) as const;
  const edit = fragment('two', 'zwei');
  const before = 'one\ntwo\nthree\n';
  const after = 'one\nzwei\nthree\n';

  it('is open as long as the file holds it and nobody decided', () => {
    assert.equal(fateOf(edit, { baseline: before, now: after }, 'pending'), undefined);
    assert.equal(fateOf(edit, { baseline: before, now: after }, 'partly'), undefined);
  });

  it('is kept once the baseline holds it', () => {
    assert.equal(fateOf(edit, { baseline: after, now: after }, 'partly'), 'kept');
  });

  it('is undone once the file has the old text again', () => {
    assert.equal(fateOf(edit, { baseline: before, now: before }, 'partly'), 'undone');
  });

  it('has changed since when the file has neither text', () => {
    const now = 'one\nDEUX\nthree\n';
    assert.equal(fateOf(edit, { baseline: before, now }, 'partly'), 'changedSince');
    assert.equal(fateOf(edit, { baseline: before, now }, 'pending'), 'changedSince');
  });

  it('says nothing without a text to look at, or without a new one to look for', () => {
    assert.equal(fateOf(edit, { baseline: undefined, now: undefined }, 'partly'), undefined);
    assert.equal(fateOf(fragment('two', ''), { baseline: before, now: 'x' }, 'partly'), undefined);
  });

  it('says nothing where the baseline has both texts: either may be the one that is meant', () => {
    const both = 'two\nzwei\n';
    assert.equal(fateOf(edit, { baseline: both, now: both }, 'partly'), undefined);
  });
});
