import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { FolderOfBlobs } from '../../../../../../src/features/review/model/checkpoints/folderOfBlobs';
import { posixOnly } from '../../../../../support/posixOnly';
import { makePipe, remove, temporaryFolder } from '../../../../model/files/hostileFiles';

describe('blobs', () => {
  let folder: string;
  let blobs: FolderOfBlobs;
  beforeEach(() => {
    folder = temporaryFolder('blobs');
    blobs = new FolderOfBlobs(path.join(folder, 'blobs'));
  });
  afterEach(() => remove(folder));

  const fileOf = (hash: string): string => path.join(folder, 'blobs', hash.slice(0, 2), hash);
  const text = async (hash: string): Promise<string | undefined> => {
    const bytes = await blobs.read(hash);
    return bytes && Buffer.from(bytes).toString('utf8');
  };

  it('come back byte by byte, in another window too, and the same bytes are stored once', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
    const hash = await blobs.add(bytes);
    assert.equal(await blobs.add(Buffer.from(bytes)), hash);
    const again = await new FolderOfBlobs(path.join(folder, 'blobs')).read(hash);
    assert.deepEqual(Buffer.from(again ?? []), bytes);
    assert.deepEqual(readdirSync(path.dirname(fileOf(hash))), [hash]);
    assert.equal(await text(await blobs.add(Buffer.alloc(0))), '');
  });

  it('that are added many times at once are whole', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => blobs.add(Buffer.from('same'))));
    assert.equal(new Set(all).size, 1);
    assert.equal(await text(all[0]!), 'same');
    assert.deepEqual(readdirSync(path.dirname(fileOf(all[0]!))), [all[0]]);
  });

  it('that are damaged or cut off are missing until they are added again', async () => {
    const hash = await blobs.add(Buffer.from('the text'));
    for (const damage of ['the texx', 'the', '', 'the text and more']) {
      writeFileSync(fileOf(hash), damage);
      assert.equal(await blobs.read(hash), undefined);
      assert.equal(await blobs.add(Buffer.from('the text')), hash);
      assert.equal(await text(hash), 'the text');
    }
  });

  posixOnly('are never read through a link, from a pipe or by a name that is no hash', async () => {
    const hash = await blobs.add(Buffer.from('the text'));
    writeFileSync(path.join(folder, 'elsewhere'), 'the text');
    rmSync(fileOf(hash));
    symlinkSync(path.join(folder, 'elsewhere'), fileOf(hash));
    assert.equal(await blobs.read(hash), undefined);
    rmSync(fileOf(hash));
    makePipe(fileOf(hash));
    assert.equal(await blobs.read(hash), undefined);
    rmSync(fileOf(hash));
    mkdirSync(fileOf(hash));
    assert.equal(await blobs.read(hash), undefined);
    assert.equal(await blobs.read('../../elsewhere'), undefined);
    assert.equal(await blobs.read(''), undefined);
  });

  it('that are too large are refused, and nothing of them is left', async () => {
    const small = new FolderOfBlobs(path.join(folder, 'small'), { largest: 1000 });
    await small.add(Buffer.alloc(1000));
    await assert.rejects(small.add(Buffer.alloc(2000)), RangeError);
    assert.equal(readdirSync(path.join(folder, 'small')).length, 1);
  });

  it('SEC-127: that are too many in sum are refused, by the next window, too, and those that are there stay', async () => {
    const at = path.join(folder, 'small');
    const first = new FolderOfBlobs(at, { total: 10_000 });
    const all = Array.from({ length: 20 }, (_, index) => Buffer.alloc(1000, index));
    const added = await Promise.allSettled(all.map((bytes) => first.add(bytes)));
    assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 10);
    const next = new FolderOfBlobs(at, { total: 10_000 });
    for (const [index, bytes] of all.entries()) {
      const known = added[index];
      if (known?.status === 'fulfilled') {
        assert.equal(await next.add(bytes), known.value);
        assert.deepEqual(await next.read(known.value), bytes);
      } else {
        await assert.rejects(next.add(bytes), RangeError);
      }
    }
  });

  posixOnly('that are links, or behind links, are neither read nor followed', async () => {
    const bytes = Buffer.from('secret');
    const hash = await blobs.add(bytes);
    const elsewhere = path.join(folder, 'elsewhere');
    writeFileSync(elsewhere, bytes);
    unlinkSync(fileOf(hash));
    symlinkSync(elsewhere, fileOf(hash));
    assert.equal(await blobs.read(hash), undefined);
    await blobs.add(bytes);
    assert.ok(lstatSync(fileOf(hash)).isFile());
    assert.equal(readFileSync(elsewhere, 'utf8'), 'secret');
  });
});
