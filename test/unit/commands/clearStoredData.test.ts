import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clearStoredData } from '../../../src/commands/view/clearStoredData';
import { folderSize } from '../../../src/model/files/folderSize';
import { StoredData } from '../../../src/platform/storage/storedData';
import { Dialogs } from '../../vscode/harness/dialogs';

describe('Clear Stored Data…', () => {
  let dialogs: Dialogs;
  let cleared: string[];
  const warned: string[] = [];
  const log = { component: () => ({ warn: (text: string) => warned.push(text) }) as never };

  beforeEach(() => {
    dialogs = new Dialogs();
    cleared = [];
    warned.length = 0;
  });
  afterEach(() => dialogs.dispose());

  function stored(): StoredData {
    const storedData = new StoredData();
    for (const [id, label, size] of [
      ['a', 'Apples', 2048],
      ['b', 'Berries', undefined],
      ['broken', 'Broken', 0],
    ] as const) {
      storedData.provide({
        id,
        label,
        detail: `Of ${label}.`,
        size: () => Promise.resolve(size),
        clear: () => {
          if (id === 'broken') {
            return Promise.reject(new Error('disk is full'));
          }
          cleared.push(id);
          return Promise.resolve();
        },
      });
    }
    return storedData;
  }

  it('lists what there is with its size, and deletes only what was checked and confirmed', async () => {
    const storedData = stored();
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'Apples\nBerries' : undefined);
    await clearStoredData({ storedData, log }, undefined);
    const [list, question] = dialogs.asked;
    assert.deepEqual(list?.descriptions, ['2 KB', undefined, '0 bytes']);
    assert.match(question?.detail ?? '', /^Apples\nBerries\n/);
    assert.deepEqual(cleared, []);
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'Apples\nBerries' : 'Clear');
    await clearStoredData({ storedData, log }, undefined);
    assert.deepEqual(cleared, ['a', 'b']);
  });

  it('deletes nothing if nothing is checked, and asks for one alone that is named', async () => {
    const storedData = stored();
    dialogs.answer = ({ kind }) => (kind === 'pick' ? '' : 'Clear');
    await clearStoredData({ storedData, log }, 'no such kind');
    assert.deepEqual(cleared, []);
    await clearStoredData({ storedData, log }, 'b');
    assert.deepEqual(cleared, ['b']);
    assert.equal(dialogs.texts('pick').length, 1);
  });

  it('deletes the rest when one fails, and says which did', async () => {
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'Broken\nApples' : 'Clear');
    await clearStoredData({ storedData: stored(), log }, undefined);
    assert.deepEqual(cleared, ['a']);
    assert.match(dialogs.texts('error').join(), /Broken/);
    assert.match(warned.join(), /disk is full/);
  });

  it('counts the files below a folder, and follows no link out of it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'size-'));
    try {
      await mkdir(path.join(folder, 'inner'));
      await writeFile(path.join(folder, 'a'), 'x'.repeat(100));
      await writeFile(path.join(folder, 'inner/b'), 'x'.repeat(20));
      await symlink('/usr', path.join(folder, 'link'));
      assert.equal(await folderSize(folder), 120);
      assert.equal(await folderSize(path.join(folder, 'none')), 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
