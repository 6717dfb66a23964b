import assert from 'node:assert/strict';
import { Folds } from '../../../../src/webview/rows/folds';

describe('folds', () => {
  it('have their default state until the user changes it', () => {
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
    folds.setAll('all', false);
    assert.equal(folds.isOpen(1, 'tool', false), false);
    assert.equal(folds.isOpen(2, 'plan', true), false);
    folds.set(2, 'plan', true);
    assert.equal(folds.isOpen(2, 'plan', true), true);
  });

  it('are opened and closed by kind, those to come as well', () => {
    const folds = new Folds();
    folds.set(1, 'tool', false);
    folds.set(1, 'plan', false);
    folds.setAll('tool', true);
    assert.equal(folds.isOpen(1, 'tool', false), true);
    assert.equal(folds.isOpen(900, 'rawInput', false), true);
    assert.equal(folds.isOpen(900, 'rawInput:code', false), false);
    assert.equal(folds.isOpen(900, 'thought', false), false);
    assert.equal(folds.isOpen(1, 'plan', true), false);
    folds.setAll('thought', true);
    folds.setAll('tool', false);
    assert.equal(folds.isOpen(1, 'tool', true), false);
    assert.equal(folds.isOpen(2, 'thought', false), true);
    folds.setAll('all', true);
    assert.equal(folds.isOpen(1, 'plan', true), true);
    assert.equal(folds.isOpen(5, 'summary', false), true);
    assert.equal(folds.isOpen(5, 'prompt', false), false);
  });

  it('come back as they were, the newest of very many', () => {
    const folds = new Folds();
    folds.setAll('thought', true);
    for (let index = 0; index < 2000; index++) {
      folds.set(index, 'tool', true);
    }
    folds.set(0, 'tool', true);
    const again = new Folds(folds.saved.peek());
    assert.ok(folds.saved.peek().parts.length <= 500);
    assert.equal(again.isOpen(7, 'thought', false), true);
    assert.equal(again.isOpen(1999, 'tool', false), true);
    assert.equal(again.isOpen(0, 'tool', false), true);
    assert.equal(again.isOpen(1, 'tool', false), false);
  });

  it('open for a match in an entry, except those closed by hand', () => {
    const folds = new Folds();
    folds.set(5, 'rawInput', false);
    folds.openAll(5);
    assert.equal(folds.isOpen(5, 'tool', false), true);
    assert.equal(folds.isOpen(5, 'rawInput', false), false);
    assert.equal(folds.isOpen(6, 'tool', false), false);
    folds.openAll(undefined);
    assert.equal(folds.isOpen(5, 'tool', false), false);
  });
});
