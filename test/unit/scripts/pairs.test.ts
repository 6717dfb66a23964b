import assert from 'node:assert/strict';
import { compare, figuresIn, tableOf } from '../../../scripts/bench/pairs.mjs';

const row = 'agent to model';

/** Pairs of one row's times here and there, in ms. */
function pairsOf(...times: readonly (readonly [number, number])[]) {
  const table = (value: number) => figuresIn(`| ${row} | ≤ 1 s | ${value} ms | yes |`);
  return times.map(([here, there]) => ({ here: table(here), there: table(there) }));
}

describe('a benchmark against another commit', () => {
  it('reads the figures of a printed table, times before sizes and ratios', () => {
    const printed = [
      '2 × AMD EPYC, Node v20.19.0',
      '| what | limit | measured | met |',
      '|---|---|---|---|',
      '| loaded | ≤ 3 × floor | 2.10 × floor (1,234 ms, floor 588 ms) | yes |',
      '| memory | ≤ 1.2 × | 1.75 × the wire (37.5 MB) | no |',
      '| page 200 | ≤ 3 × | 1.02 × the first | yes |',
      '| loaded at activation | nothing | nothing | yes |',
    ].join('\n');
    assert.deepEqual(
      [...figuresIn(printed)],
      [
        ['loaded', { value: 1234, unit: 'ms' }],
        ['memory', { value: 37.5, unit: 'MB' }],
        ['page 200', { value: 1.02, unit: '×' }],
      ],
    );
  });

  it('says that a row is slower by more than three percent in most pairs', () => {
    const [compared] = compare(pairsOf([105, 100], [212, 200], [52, 50], [108, 100], [99, 100]));
    assert.ok(compared);
    assert.equal(compared.slower, true);
    assert.equal(compared.ratio, 1.05);
    assert.deepEqual(compared.spread, [1.04, 1.06]);
    assert.match(tableOf([compared], 'abc'), /1\.050 × \(1\.040 to 1\.060\) \| slower \|/);
  });

  it('blames neither three percent nor what the spread explains', () => {
    const slightly = compare(pairsOf([103, 100], [206, 200], [51, 50]));
    assert.equal(slightly[0]?.slower, false);
    const noisy = compare(pairsOf([140, 100], [90, 100], [120, 100], [80, 100], [108, 100]));
    assert.equal(noisy[0]?.ratio, 1.08);
    assert.equal(noisy[0].slower, false);
  });

  it('compares only rows that both have in every pair, in the same unit', () => {
    const [pair] = pairsOf([1, 1]);
    assert.ok(pair);
    assert.deepEqual(compare([pair, { ...pair, there: new Map() }]), []);
    const there = new Map([[row, { value: 1, unit: 'MB' }]]);
    assert.deepEqual(compare([{ ...pair, there }]), []);
  });
});
