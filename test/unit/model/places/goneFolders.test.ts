import assert from 'node:assert/strict';
import { GoneFolders } from '../../../../src/model/places/goneFolders';

describe('folders that are gone', () => {
  it('are known once they were looked up, and when that changes', async () => {
    let isGone = true;
    const folders = new GoneFolders(() => Promise.resolve(isGone));
    let changes = 0;
    folders.onDidChange(() => changes++);
    assert.equal(await folders.check('/code/shop'), true);
    assert.equal(folders.has('/code/shop'), true);
    isGone = false;
    await folders.refresh();
    assert.equal(folders.has('/code/shop'), false);
    assert.equal(changes, 2);
  });

  it('are none of another machine’s, nor of a server’s: nobody looks there', async () => {
    const asked: string[] = [];
    const folders = new GoneFolders((path) => {
      asked.push(path);
      return Promise.resolve(true);
    });
    for (const folder of ['/[build.example:8080]/srv/app', '//server/share/app']) {
      assert.equal(await folders.check(folder), false, folder);
      assert.equal(folders.has(folder), false, folder);
    }
    assert.deepEqual(asked, []);
  });
});
