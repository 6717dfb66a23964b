import assert from 'node:assert/strict';
import { GitIgnores } from '../../../../src/views/transcript/gitIgnores';

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
});
