import assert from 'node:assert/strict';
import { type HideProblem, HideRules } from '../../../../src/model/list/hideRules';
import { fc } from '../../../support/properties';

function hidden(setting: unknown, ...titles: readonly string[]): readonly string[] {
  return [...new HideRules(setting).hidden(titles)];
}

describe('HideRules', () => {
  it('hide nothing without rules, or with an invalid setting', () => {
    for (const setting of [undefined, null, 'x', 7, {}, [], [7, null, '', '  ']]) {
      assert.deepEqual(hidden(setting, 'One', ''), []);
    }
  });

  it('match the whole title, with * for anything, whatever the case', () => {
    assert.deepEqual(hidden(['nightly run *'], 'Nightly run 7', 'A nightly run 7'), [
      'Nightly run 7',
    ]);
    assert.deepEqual(hidden(['*bot*check*'], 'Bot: check', 'my bot checks', 'check bot'), [
      'Bot: check',
      'my bot checks',
    ]);
    assert.deepEqual(hidden(['exact'], 'Exact', 'exactly'), ['Exact']);
    assert.deepEqual(hidden(['a*a'], 'a', 'aa'), ['aa']);
    assert.deepEqual(hidden(['*'], 'anything'), ['anything']);
  });

  it('take text literally but for the star', () => {
    assert.deepEqual(hidden(['a.c [x] (y+)'], 'a.c [x] (y+)', 'abc x y'), ['a.c [x] (y+)']);
    assert.deepEqual(hidden(['/src/*'], '/src/main', 'src'), ['/src/main']);
  });

  it('match anywhere with an expression between slashes', () => {
    assert.deepEqual(hidden([String.raw`/^ci-\d+/i`], 'CI-17 broke', 'my ci-17'), ['CI-17 broke']);
    assert.deepEqual(hidden(['/b,c/'], 'a', 'b,c', 'd'), ['b,c']);
  });

  it('agree with a regular expression, for any glob', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 })
      .map((it) => it.join(''));
    const title = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((it) => it.join(''));
    fc.assert(
      fc.property(text, title, (glob, value) => {
        fc.pre(glob !== '');
        const regex = new RegExp(`^${glob.replaceAll('*', '.*')}$`, 'u');
        assert.equal(hidden([glob], value).length === 1, regex.test(value));
      }),
    );
  });

  it('SEC-83: take no expressions of a workspace, and say so, but its other rules', () => {
    const problems: HideProblem[] = [];
    const rules = new HideRules(
      ['/^ci/', 'bot*'],
      (problem) => problems.push(problem),
      'workspace',
    );
    assert.deepEqual([...rules.hidden(['ci 1', 'bot 2'])], ['bot 2']);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ['/^ci/'],
    );
  });

  // Each expression alone stays within its time limit; without a limit for all of them together, this would exceed the
  // test's time limit.
  it('have a time for all expressions of a list together, and go on with the next list', () => {
    const slow = Array.from({ length: 49 }, (_, index) => `/^(a+)+${index}$/`);
    for (let list = 0; list < 4; list++) {
      const problems: HideProblem[] = [];
      const rules = new HideRules([...slow, 'bot*'], (problem) => problems.push(problem));
      assert.deepEqual([...rules.hidden([`${'a'.repeat(60)}!`, 'bot'])], ['bot']);
      assert.ok(problems.length > 0 && problems.length <= 3, `${problems.length}`);
    }
  });

  it('blame no expression for the time that others took', () => {
    const problems: HideProblem[] = [];
    const slow = Array.from({ length: 6 }, (_, index) => `/^(a+)+${index}$/`);
    const rules = new HideRules([...slow, '/^ci/'], (problem) => problems.push(problem));
    const titles = [`${'a'.repeat(60)}!`, 'ci 1'];
    for (let call = 0; call < slow.length + 1; call++) {
      rules.hidden(titles);
    }
    assert.deepEqual([...rules.hidden(titles)], ['ci 1']);
    assert.deepEqual([...rules.hidden([...titles, 'ci 2'])], ['ci 1', 'ci 2']);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      slow,
    );
  });

  it('end an expression that would take for ever, say so once, and go on with the others', () => {
    const problems: HideProblem[] = [];
    const slow = '/^(a+)+$/';
    const rules = new HideRules([slow, '/(/', 'b*'], (problem) => problems.push(problem));
    const titles = [`${'a'.repeat(60)}!`, 'bot'];
    assert.deepEqual([...rules.hidden(titles)], ['bot']);
    assert.deepEqual([...rules.hidden([...titles, 'bad'])], ['bot', 'bad']);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      [slow, '/(/'],
    );
  });
});
