import assert from 'node:assert/strict';
import { OutputBudget } from '../../../../src/platform/terminals/outputBudget';
import { OutputTail } from '../../../../src/platform/terminals/outputTail';

const megabyte = 1024 * 1024;

describe('SEC-121: the outputs of all commands', () => {
  function tailsIn(budget: OutputBudget, count: number): OutputTail[] {
    return Array.from({ length: count }, () => {
      const tail = new OutputTail(16 * megabyte);
      budget.add(tail);
      return tail;
    });
  }

  it('TE-3: hold together what they may at most, written twice as much, and say what was cut', () => {
    const budget = new OutputBudget(4 * megabyte);
    const tails = tailsIn(budget, 8);
    for (let piece = 0; piece < 16; piece++) {
      for (const tail of tails) {
        budget.push(tail, 'x'.repeat(megabyte / 16));
        assert.ok(budget.held <= 4 * megabyte);
      }
    }
    const held = tails.reduce((sum, tail) => sum + tail.held, 0);
    assert.equal(budget.held, held);
    assert.ok(held > megabyte, 'much is still there');
    assert.ok(tails.some(({ truncated }) => truncated));
    assert.ok(tails.every((tail) => tail.text.length < megabyte === tail.truncated));
  });

  it('TE-3: a short output is whole beside a flood', () => {
    const budget = new OutputBudget(megabyte);
    const [short, flood] = tailsIn(budget, 2);
    assert.ok(short && flood);
    budget.push(short, 'result');
    for (let piece = 0; piece < 40; piece++) {
      budget.push(flood, 'x'.repeat(megabyte / 10));
    }
    assert.deepEqual([short.text, short.truncated], ['result', false]);
    assert.equal(flood.truncated, true);
  });

  it('TE-7: of those that have ended count what is kept, of those that are forgotten nothing', () => {
    const budget = new OutputBudget(megabyte);
    const [ended, other] = tailsIn(budget, 2);
    assert.ok(ended && other);
    budget.push(ended, 'x'.repeat(1000));
    budget.push(other, 'y'.repeat(500));
    budget.end(ended);
    budget.end(other);
    assert.equal(budget.held, 1500);
    budget.forget(ended);
    assert.equal(budget.held, 500);
    budget.push(ended, 'late');
    budget.forget(ended);
    assert.equal(budget.held, 500);
  });
});
