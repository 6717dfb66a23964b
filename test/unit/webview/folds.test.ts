import assert from 'node:assert/strict';
import { Folds } from '../../../src/webview/folds';

describe('folds', () => {
  it('stand as they normally do until somebody touches them', () => {
    const folds = new Folds();
    assert.equal(folds.isOpen(1, 'plan', true), true);
    assert.equal(folds.isOpen(1, 'tool', false), false);
    folds.set(1, 'plan', false);
    folds.set(1, 'tool', true);
    assert.equal(folds.isOpen(1, 'plan', true), false);
    assert.equal(folds.isOpen(1, 'tool', false), true);
    assert.equal(folds.isOpen(2, 'plan', true), true);
  });

  it('are all closed at once, and opened again one by one', () => {
    const folds = new Folds();
    folds.set(1, 'tool', true);
    folds.foldAll();
    assert.equal(folds.isOpen(1, 'tool', false), false);
    assert.equal(folds.isOpen(2, 'plan', true), false);
    folds.set(2, 'plan', true);
    assert.equal(folds.isOpen(2, 'plan', true), true);
  });

  it('open for what was found in an entry, but for those closed by hand', () => {
    const folds = new Folds();
    folds.set(5, 'rawInput', false);
    folds.openAllOf(5);
    assert.equal(folds.isOpen(5, 'tool', false), true);
    assert.equal(folds.isOpen(5, 'rawInput', false), false);
    assert.equal(folds.isOpen(6, 'tool', false), false);
    folds.openAllOf(undefined);
    assert.equal(folds.isOpen(5, 'tool', false), false);
  });
});
