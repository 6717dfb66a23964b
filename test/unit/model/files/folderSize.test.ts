import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSize, sizeLimits } from '../../../../src/model/files/folderSize';
import { posixOnly } from '../../../support/posixOnly';
import { remove, temporaryFolder } from './hostileFiles';

describe('the size of a folder', () => {
  let around: string;
  let folder: string;
  const { signal } = new AbortController();

  beforeEach(() => {
    around = temporaryFolder('sizes');
    folder = path.join(around, 'folder');
    mkdirSync(folder);
  });
  afterEach(() => remove(around));

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  it('is that of all its files, with the newest time of one', async () => {
    assert.deepEqual(await readSize(folder, signal), { bytes: 0, changedAt: 0, isWhole: true });
    write(path.join(folder, 'a.txt'), '12345');
    write(path.join(folder, 'one', 'two', 'b.txt'), '123');
    utimesSync(path.join(folder, 'a.txt'), 1_000, 1_000);
    utimesSync(path.join(folder, 'one', 'two', 'b.txt'), 2_000, 2_000);
    const size = { bytes: 8, changedAt: 2_000_000, isWhole: true };
    assert.deepEqual(await readSize(folder, signal), size);
  });

  posixOnly('follows no link', async () => {
    write(path.join(around, 'large', 'file'), 'x'.repeat(5_000));
    symlinkSync(path.join(around, 'large'), path.join(folder, 'folder'));
    symlinkSync(folder, path.join(folder, 'itself'));
    const { bytes, isWhole } = await readSize(folder, signal);
    assert.ok(bytes < 1_000, `${bytes}`);
    assert.ok(isWhole);
  });

  it('SEC-361: is given up at bounds of bytes, files and depth, and when it takes too long, and says so', async () => {
    for (let at = 0; at < 20; at++) {
      write(path.join(folder, 'many', `${at}`), 'x'.repeat(10));
      write(path.join(folder, ...Array.from({ length: at }, () => 'deep'), 'file'), 'x');
    }
    const whole = await readSize(folder, signal);
    assert.deepEqual([whole.bytes, whole.isWhole], [220, true]);
    const least = { bytes: 110, files: 20, depth: 10 } as const;
    for (const name of ['bytes', 'files', 'depth'] as const) {
      const limits = { ...sizeLimits, [name]: least[name] };
      const { bytes, isWhole } = await readSize(folder, signal, limits);
      assert.ok(!isWhole && bytes < 220, name);
    }
    assert.ok(!(await readSize(folder, AbortSignal.abort())).isWhole);
  });
});
