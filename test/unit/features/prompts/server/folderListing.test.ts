import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FolderListing } from '../../../../../src/features/prompts/server/folderListing';
import { posixOnly } from '../../../../support/posixOnly';
import { makePipe, remove, temporaryFolder } from '../../../model/files/hostileFiles';

describe('prompt server: listing of folders', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('listing');
  });
  afterEach(() => remove(folder));

  async function listed(): Promise<string[]> {
    const files = await new FolderListing(folder).read(() => undefined);
    return files.map((file) => file.path).sort();
  }

  posixOnly('waits for no .gitignore that is a pipe, and reads no device', async () => {
    for (const name of ['pipe', 'zero']) {
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, 'a.txt'), '');
    }
    makePipe(path.join(folder, 'pipe', '.gitignore'));
    symlinkSync('/dev/zero', path.join(folder, 'zero', '.gitignore'));
    assert.deepEqual(await listed(), ['pipe', 'pipe/a.txt', 'zero', 'zero/a.txt']);
  });

  it('comes to an end with a .gitignore that is made to last, and one that is too long', async () => {
    const deep = Array.from({ length: 120 }, () => 'a').join('/');
    mkdirSync(path.join(folder, deep), { recursive: true });
    writeFileSync(path.join(folder, deep, 'b'), '');
    writeFileSync(path.join(folder, '.gitignore'), `${'/**/a'.repeat(28)}/x\n`);
    mkdirSync(path.join(folder, 'long'));
    writeFileSync(path.join(folder, 'long', 'a.txt'), '');
    writeFileSync(path.join(folder, 'long', '.gitignore'), '*\n'.repeat(100_000));
    const files = await listed();
    assert.ok(files.includes(`${deep}/b`));
    assert.ok(files.includes('long/a.txt'));
  });
});
