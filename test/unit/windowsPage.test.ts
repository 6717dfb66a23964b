import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from '../support/project';

/** docs/windows.md says where each decision is, and which test proves it. */
const page = readFileSync(inProject('docs/windows.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(?:-+\|| Decision )/.test(line));

describe('docs/windows.md', () => {
  it('names only files that exist', () => {
    const files = [...page.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 30, `${files.length} files are named`);
    assert.deepEqual(
      files.filter((file) => !existsSync(inProject(file))),
      [],
    );
  });

  it('names only tests that are in the file named with them', () => {
    let file = '';
    let named = 0;
    for (const row of rows) {
      for (const [, path, title] of row.matchAll(/`(test\/[^`]+)`|"([^"]+)"/g)) {
        file = path ?? file;
        if (title !== undefined) {
          named++;
          assert.ok(readFileSync(inProject(file), 'utf8').includes(title), `${file}: ${title}`);
        }
      }
    }
    assert.ok(named > 20, `${named} tests are named`);
  });

  it('says in each row what it rests on', () => {
    assert.deepEqual(
      rows.filter((row) => !/test: |documented|not proven/.test(row)),
      [],
    );
  });
});
