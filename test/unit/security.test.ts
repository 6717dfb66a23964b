import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from '../support/project';

/** Each promise in docs/security.md names the test that fails without it. */
const page = readFileSync(inProject('docs/security.md'), 'utf8').replace(/\n(?![\n|#-])/g, ' ');

interface NamedTest {
  readonly file: string;
  /** Prefixes or parts of titles. */
  readonly titles: readonly string[];
}

function namedTests(): readonly NamedTest[] {
  const files = page.matchAll(/`(test\/[\w./-]+\.ts)`(?::((?: ?"[^"]+",?)+))?/g);
  return [...files].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }));
}

describe('docs/security.md', () => {
  it('names only tests that exist', () => {
    const named = namedTests();
    assert.ok(named.length > 30, `${named.length} tests are named`);
    assert.deepEqual(
      named.filter(({ file }) => !existsSync(inProject(file))),
      [],
    );
    const missing = named.flatMap(({ file, titles }) => {
      const text = readFileSync(inProject(file), 'utf8');
      return titles.filter((title) => !text.includes(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });

  it('names a test in each row of its tables', () => {
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^\|(?:-+\||.* test \|$)/.test(line));
    assert.ok(rows.length > 30);
    assert.deepEqual(
      rows.filter((row) => !/`test\/[^`]+`/.test(row)),
      [],
    );
  });
});
