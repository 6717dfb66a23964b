import assert from 'node:assert/strict';
import { findFate, undecidedDiffs } from '../../../../src/model/changes/diffFate';
import { call, entriesOf, user } from '../updates';

describe('what became of a diff of a turn', () => {
  const fragment = (oldText: string | null, newText: string) =>
    ({ type: 'diff', path: '/a.txt', oldText, newText }) as const;
  const edit = fragment('two', 'zwei');
  const before = 'one\ntwo\nthree\n';
  const after = 'one\nzwei\nthree\n';

  it('is open as long as the file holds it and nobody decided', () => {
    assert.equal(findFate(edit, { baseline: before, now: after }, 'pending'), undefined);
    assert.equal(findFate(edit, { baseline: before, now: after }, 'partly'), undefined);
  });

  it('is kept once the baseline holds it', () => {
    assert.equal(findFate(edit, { baseline: after, now: after }, 'partly'), 'kept');
  });

  it('is undone once the file has the old text again', () => {
    assert.equal(findFate(edit, { baseline: before, now: before }, 'partly'), 'undone');
  });

  it('has changed since when the file has neither text', () => {
    const now = 'one\nDEUX\nthree\n';
    assert.equal(findFate(edit, { baseline: before, now }, 'partly'), 'changedSince');
    assert.equal(findFate(edit, { baseline: before, now }, 'pending'), 'changedSince');
  });

  it('is open where only the end of the last line differs, which a patch doesn’t tell', () => {
    const made = fragment(null, 'one\ntwo\n');
    assert.equal(findFate(made, { baseline: undefined, now: 'one\ntwo' }, 'pending'), undefined);
    assert.equal(
      findFate(made, { baseline: undefined, now: 'one\ntwo more' }, 'pending'),
      'changedSince',
    );
  });

  it('is no question for a call that has changed nothing', () => {
    const content = [edit];
    const entries = entriesOf(
      user('Go'),
      call('1', { status: 'failed', content }),
      call('2', { status: 'completed', content }),
    );
    const turn = { turn: 1, prompt: 0, last: 2, files: 1, added: 1, removed: 1 } as const;
    assert.deepEqual(
      [...undecidedDiffs([{ ...turn, state: 'pending' }], entries)].map(({ index }) => index),
      [2],
    );
    assert.deepEqual([...undecidedDiffs([{ ...turn, state: 'kept' }], entries)], []);
  });

  it('says nothing without a text to look at, or without a new one to look for', () => {
    assert.equal(findFate(edit, { baseline: undefined, now: undefined }, 'partly'), undefined);
    assert.equal(
      findFate(fragment('two', ''), { baseline: before, now: 'x' }, 'partly'),
      undefined,
    );
  });

  it('says nothing where the baseline has both texts: either may be the one that is meant', () => {
    const both = 'two\nzwei\n';
    assert.equal(findFate(edit, { baseline: both, now: both }, 'partly'), undefined);
  });
});
