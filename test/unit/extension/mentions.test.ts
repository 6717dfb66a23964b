import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findMentioned } from '../../../src/views/transcript/composer/findMentioned';
import { ExtensionBench } from '../../vscode/harness/support';

describe('files that a message mentions', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('are found inside of the session’s folders only', async () => {
    const folder = await realpath(bench.folder);
    const cwd = path.join(folder, 'project');
    await mkdir(path.join(cwd, 'src'), { recursive: true });
    await writeFile(path.join(cwd, 'src', 'a.ts'), '');
    await writeFile(path.join(folder, 'secret.txt'), '');
    await symlink(path.join(folder, 'secret.txt'), path.join(cwd, 'linked.txt'));
    const texts = [
      ...['src/a.ts', 'src/a.ts:12', path.join(cwd, 'src/a.ts'), 'src/../src/a.ts'],
      ...['src', 'src/b.ts', '../../secret.txt', 'linked.txt', '/etc/passwd', '//host/a.ts'],
      ...['http://a.b/c.ts', 'src/a.ts\0', ''],
    ];
    assert.deepEqual(await findMentioned(texts, { cwd, roots: [cwd] }), texts.slice(0, 4));
  });
});
