import assert from 'node:assert/strict';
import ignore from 'ignore';
import { GitIgnores } from '../../../../../src/views/transcript/composer/gitIgnores';
import { fc, tries } from '../../../../support/properties';

function ignoring(files: Readonly<Record<string, string>>): GitIgnores {
  return new GitIgnores(new Map(Object.entries(files)));
}

describe('what .gitignore files leave out', () => {
  it('leaves out files and whole folders', () => {
    const ignores = ignoring({ '': 'dist/\n*.log\n' });
    assert.ok(ignores.ignores('dist/deep/file.js'));
    assert.ok(ignores.ignores('src/x.log'));
    assert.ok(!ignores.ignores('src/x.ts'));
    assert.ok(!ignores.ignores('dist'), 'a file of a folder’s name');
  });

  it('lets the nearest file decide', () => {
    const ignores = ignoring({ '': '*.txt', docs: '!keep.txt', 'docs/old': '*' });
    assert.ok(ignores.ignores('a.txt'));
    assert.ok(!ignores.ignores('docs/keep.txt'));
    assert.ok(ignores.ignores('docs/other.txt'));
    assert.ok(ignores.ignores('docs/old/keep.txt'));
  });

  it('brings nothing back out of a folder that is left out', () => {
    const ignores = ignoring({ '': 'build/', build: '!important.txt' });
    assert.ok(ignores.ignores('build/important.txt'));
  });

  it('reads a rule with a slash from the folder that it stands in', () => {
    const ignores = ignoring({ packages: '/out' });
    assert.ok(ignores.ignores('packages/out/a.js'));
    assert.ok(!ignores.ignores('packages/a/out/a.js'));
    assert.ok(!ignores.ignores('out/a.js'));
  });

  it('reads rules as Git does: stars, sets, escapes, spaces, folders and what is brought back', () => {
    const rules = [
      '*.PY[co]',
      '!keep.pyc',
      '/top',
      'a/**/z',
      'x/**',
      '\\#not',
      'end\\ ',
      'f?o/',
      '[!a-c].t',
    ];
    const ignores = ignoring({
      '': [...rules, '[[:digit:]]*.n', '# no', '', '[a', 'sp  '].join('\r\n'),
    });
    const out = [
      'b.pyc',
      'B.PyO',
      'top',
      'a/z',
      'a/b/c/z',
      'x/y',
      '#not',
      'end ',
      'foo/a',
      'd.t',
      '7up.n',
      'sp',
    ];
    const kept = [
      'keep.pyc',
      'b.pyx',
      'b/top',
      'b/a/z',
      'x',
      'not',
      'end',
      'foo',
      'fo/a',
      'b.t',
      'up.n',
      '[a',
      'a',
    ];
    assert.deepEqual(
      out.filter((file) => !ignores.ignores(file)),
      [],
    );
    assert.deepEqual(
      kept.filter((file) => ignores.ignores(file)),
      [],
    );
  });

  it('agrees with a library on any rules', () => {
    const part = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', 'a*b', '*a*');
    const names = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 4 });
    const rule = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '/'),
        names,
        fc.constantFrom('', '/'),
      )
      .map(([not, start, all, end]) => not + start + all.join('/') + end);
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', 'c'), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), path, (rules, all) => {
        const file = all.join('/');
        const text = rules.join('\n');
        assert.equal(ignoring({ '': text }).ignores(file), ignore().add(text).ignores(file));
      }),
      tries(2000),
    );
  });

  it('SEC-128: does bounded work, whatever the rules and the paths', () => {
    const deep = `${Array.from({ length: 120 }, () => 'a').join('/')}/b`;
    const work = { left: 100_000_000 };
    const rules = [`${'/**/a'.repeat(28)}/x`, `${'*a'.repeat(100)}b`, `${'**/'.repeat(150)}c`];
    const ignores = new GitIgnores(new Map([['', rules.join('\n')]]), work);
    assert.ok(!ignores.ignores(deep));
    assert.ok(!ignores.ignores('a'.repeat(250).repeat(16)));
    // Once for each folder on the path: 120 folders, at most 120 names with 150 parts.
    assert.ok(100_000_000 - work.left < 10_000_000, `${100_000_000 - work.left} comparisons`);
  });

  it('ignores nothing more once the work is spent', () => {
    const ignores = new GitIgnores(new Map([['', '*.log']]), { left: 3 });
    assert.ok(!ignores.ignores('some/longer/name.txt'));
    assert.ok(!ignores.ignores('a.log'));
    assert.ok(ignores.workLeft <= 0);
  });

  it('leaves out rules that are too long or too many, and says how many', () => {
    const many = Array.from({ length: 4000 }, (_, index) => `file${index}`);
    const ignores = ignoring({ '': `${'x'.repeat(1000)}\n${many.join('\n')}` });
    assert.equal(ignores.leftOut, 2001);
    assert.ok(ignores.ignores('file1999'));
    assert.ok(!ignores.ignores('file2000'));
    assert.ok(!ignores.ignores('x'.repeat(1000)));
  });
});
