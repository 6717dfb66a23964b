import assert from 'node:assert/strict';
import {
  afterSecondAttempt,
  failedToRun,
  type Results,
  reportOf,
  worthRunningAgain,
} from '../../../scripts/tests/results.mjs';

const title = 'Find: runs “a.*b” (twice) in C:\\src/[x], for $1 or {2}?';

function results(
  passed: number | readonly string[],
  failed: readonly string[],
  more: Partial<Results> = {},
): Results {
  const titles =
    typeof passed === 'number' ? Array.from({ length: passed }, (_, at) => `good ${at}`) : passed;
  return { passed: [...titles], failed: [...failed], skipped: [], ...more };
}

describe('the second attempt of failed tests', () => {
  it('runs exactly the tests that failed, whatever their titles contain', () => {
    const again = new RegExp(worthRunningAgain(results(3, [title, 'a test'])) ?? '');
    assert.ok(again.test(title));
    assert.ok(again.test('a test'));
    assert.ok(!again.test('a test of something else'));
    assert.ok(!again.test('not a test'));
  });

  it('is left out if nothing failed, or too much', () => {
    assert.equal(worthRunningAgain(results(3, [])), undefined);
    const eleven = Array.from({ length: 11 }, (_, at) => `test ${at}`);
    assert.ok(worthRunningAgain(results(0, eleven.slice(1))));
    assert.equal(worthRunningAgain(results(0, eleven)), undefined);
  });

  it('makes a test that passes unsteady, and leaves one that fails again failed', () => {
    const first = results(['a', 'b'], ['slow', 'broken'], { skipped: ['other'] });
    assert.deepEqual(afterSecondAttempt(first, results(['slow'], ['broken'])), {
      passed: ['a', 'b', 'slow'],
      failed: ['broken'],
      skipped: ['other'],
      unsteady: ['slow'],
    });
    assert.deepEqual(afterSecondAttempt(first, results(2, [])).failed, []);
    assert.deepEqual(
      afterSecondAttempt(first, results(0, ['slow', 'broken'])).failed,
      first.failed,
    );
  });

  it('runs the tests of a suite that could not begin', () => {
    const hook = 'A (window) "before all" hook for "opens"';
    const first = results(['a'], ['slow', hook]);
    const again = new RegExp(worthRunningAgain(first) ?? '');
    assert.ok(again.test('slow'));
    assert.ok(again.test('A (window) opens'));
    assert.ok(!again.test('Another window opens'));
    assert.deepEqual(afterSecondAttempt(first, results(['slow', 'A (window) opens'], [])), {
      ...{ passed: ['a', 'slow', 'A (window) opens'], failed: [], skipped: [] },
      unsteady: ['slow', hook],
    });
    const broken = afterSecondAttempt(first, results(3, ['A (window) opens']));
    assert.deepEqual([broken.failed, broken.unsteady], [['A (window) opens'], ['slow']]);
    assert.deepEqual(afterSecondAttempt(first, results(1, [hook])).failed, [hook]);
  });

  it('runs a suite again that a hook has ended early, and counts each of its tests once', () => {
    const hook = 'A tab "after each" hook: close for "opens"';
    const first = results(['a', 'A tab is there', 'A tab opens'], [hook]);
    const again = new RegExp(worthRunningAgain(first) ?? '');
    assert.ok(again.test('A tab closes'));
    const whole = ['A tab is there', 'A tab opens', 'A tab closes'];
    assert.deepEqual(afterSecondAttempt(first, results(whole, [])), {
      ...{ passed: ['a', ...whole], failed: [], skipped: [] },
      unsteady: [hook],
    });
  });

  it('changes nothing if it didn’t run exactly the failed tests', () => {
    const first = results(5, ['a', 'Suite "before all" hook']);
    // A hook has no title that could be selected; a process can fail, and a test be skipped, as well.
    for (const again of [
      results(1, []),
      results(1, ['left running: an agent']),
      failedToRun('its process ended with code 2'),
      results(1, [], { skipped: ['a'] }),
    ]) {
      assert.equal(afterSecondAttempt(first, again), first);
    }
  });
});

describe('the report of a test run', () => {
  it('names what was skipped, was unsteady and failed, and ends with the totals', () => {
    const report = reportOf([
      { name: 'unit', results: results(7, ['broken'], { unsteady: ['slow'] }) },
      { name: 'ui', results: results(2, [], { skipped: ['no display'] }) },
    ]);
    assert.deepEqual(report.split('\n'), [
      'skipped  ui: no display',
      'unsteady unit: slow',
      'FAILED   unit: broken',
      '9 passed, 1 failed, 1 skipped',
    ]);
    assert.equal(reportOf([{ name: 'unit', results: results(3, []) }]), '3 passed, 0 failed');
  });

  it('counts what is unchanged as passed, and says which files didn’t run', () => {
    const unchanged = { files: ['a.test.mjs', 'b.test.mjs'], others: ['c.test.mjs'], tests: 5 };
    const many = Array.from({ length: 11 }, (_, at) => `${at}.test.mjs`);
    const report = reportOf([
      { name: 'unit', results: results(2, ['broken'], { unchanged }) },
      { name: 'ui', results: results(1, [], { unchanged: { ...unchanged, files: many } }) },
      {
        name: 'vscode',
        results: results(0, [], { unchanged: { files: many, others: [], tests: 1 } }),
      },
      {
        name: 'all',
        results: results(1, [], { unchanged: { files: [], others: many, tests: 0 } }),
      },
    ]);
    assert.deepEqual(report.split('\n'), [
      'unchanged unit: a.test.mjs, b.test.mjs (not run)',
      'unchanged ui: 11 of 12 files (not run); run: c.test.mjs',
      'unchanged vscode: 11 of 11 files (not run)',
      'FAILED   unit: broken',
      '15 passed (11 unchanged), 1 failed',
    ]);
  });
});
