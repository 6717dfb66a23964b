import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { programs } from '../../../scripts/tests/inputs.mjs';
import { inProject } from '../../support/project';

/** What would find the project, beside `inProject`, from which `scripts/tests/inputs.mjs` knows what a test reads. */
const ways =
  /\bimport\.meta\b|\b__(?:dir|file)name\b|'[./]+scripts\/paths\.mjs'|\bextension(?:Path|Uri)\b/g;

/** The files that may have one of them. */
const allowed: Readonly<Record<string, string>> = {
  'test/support/project.ts': 'it is what the others use',
  'test/support/vscode/extension.ts': 'inputs.mjs knows what the extension reads there',
  'test/soak/tab.ts': 'it names a folder that isn’t there',
  'test/unit/scripts/notices.test.ts': 'as it imports paths.mjs, it depends on the whole project',
  'test/unit/scripts/release.test.ts': 'as it imports paths.mjs, it depends on the whole project',
  'test/unit/translations.test.ts': 'as it imports paths.mjs, it depends on the whole project',
  'test/unit/features/vscodeStub.ts':
    'whoever starts the extension with it names what is read there',
  'test/unit/features/search/index/faultyWorker.main.ts': 'it loads what inProject names',
  'test/unit/features/startWithout.main.ts': 'it loads what inProject names',
  'test/ui/harness/screenshot.ts': 'it only writes',
  'test/ui/webview/harness/axe.ts': 'it finds a package',
  'test/vscode/index.ts': 'it finds the tests, and none reads it',
};

/** A way to the project in VS Code: only tests in Node run in an empty folder. */
const wayInVsCode = /\bprocess\.cwd\(/g;

describe('what a test reads of the project', () => {
  it('is known, because there is one way to find the project', () => {
    const folder = inProject('test');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => /\.tsx?$/.test(file) && !/^(?:agents|bench|fixtures)\//.test(file))
      .filter((file) => file !== 'unit/scripts/waysToProject.test.ts');
    assert.ok(files.length > 400);
    const found = files.filter((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return (
        text.search(ways) >= 0 || (file.startsWith('vscode/') && text.search(wayInVsCode) >= 0)
      );
    });
    assert.deepEqual(found.map((file) => `test/${file}`).sort(), Object.keys(allowed).sort());
  });

  it('is of what is built, if it runs the extension, every program but the extension itself', () => {
    const built = readdirSync(inProject('dist'), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.map$|^extension\.js$/.test(entry.name))
      .map(({ name }) => `dist/${name}`);
    assert.deepEqual([...programs].sort(), built.sort());
  });

  it('can’t be found by a path that isn’t absolute: tests run in an empty folder', () => {
    assert.deepEqual(readdirSync('.'), []);
  });
});
