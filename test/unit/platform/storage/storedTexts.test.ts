import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Uri } from 'vscode';
import { FileLock } from '../../../../src/model/files/fileLock';
import { commentsFolder, FolderOfTexts } from '../../../../src/platform/storage/storedTexts';
import { posixOnly } from '../../../support/posixOnly';

const one = 'a'.repeat(64);
const other = 'b'.repeat(64);

describe('texts in a folder of the extension’s own', () => {
  let folder: string;
  let texts: FolderOfTexts;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-texts-'));
    texts = new FolderOfTexts(path.join(folder, 'drafts'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are there for the next window, and gone once they are removed', async () => {
    assert.deepEqual(await texts.readAll(), new Map(), 'no folder is no fault');
    await texts.write(one, 'first');
    await texts.write(one, 'second');
    await texts.write(other, 'x');
    await texts.remove(other);
    await texts.remove(other);
    assert.deepEqual(await texts.readAll(), new Map([[one, 'second']]));
  });

  it('are the same comments in all windows of a workspace, and others in another one', () => {
    const uri = (fsPath: string) => ({ fsPath, toString: () => `file://${fsPath}` }) as Uri;
    const context = { globalStorageUri: uri('/global') };
    const of = (window: { workspaceFile?: Uri; folders?: readonly string[] }): string =>
      commentsFolder(context, {
        workspaceFile: window.workspaceFile,
        workspaceFolders: window.folders?.map((name, index) => ({ uri: uri(name), name, index })),
      });
    const all = [
      of({ folders: ['/a'] }),
      of({ folders: ['/b'] }),
      of({ workspaceFile: uri('/a.code-workspace'), folders: ['/a', '/b'] }),
      of({}),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.equal(of({ folders: ['/a'] }), all[0]);
    assert.ok(all.every((place) => path.dirname(place) === path.join('/global', 'comments')));
  });

  it('are changed by one window at a time: another one waits until the first is done', async () => {
    await texts.write(one, 'before');
    const held = new FileLock(path.join(folder, 'drafts', '.lock'), '1');
    assert.equal(held.take(), 'taken');
    const read = texts.alone(() => texts.read(one));
    await texts.write(one, 'after');
    held.dispose();
    assert.equal(await read, 'after');
    await assert.rejects(
      texts.alone(() => Promise.reject(new Error('no room'))),
      /no room/,
    );
    assert.deepEqual(await readdir(path.join(folder, 'drafts')), [`${one}.json`]);
  });

  it('SEC-138: are whole, and no write fails, while two windows write the same one', async () => {
    const windows = [texts, new FolderOfTexts(path.join(folder, 'drafts'))];
    const whole = (at: number): string => `${at}`.repeat(10_000);
    await texts.write(one, whole(0));
    const writes = windows.flatMap((window) =>
      Array.from({ length: 40 }, (_, at) => window.write(one, whole(at % 10))),
    );
    const reads = Array.from({ length: 20 }, () => texts.readAll());
    const [written, all] = await Promise.all([Promise.allSettled(writes), Promise.all(reads)]);
    const failed = written.filter(({ status }) => status === 'rejected');
    const read = all.map((each) => each.get(one));
    assert.equal(failed.length, 0, `${failed.length} of ${writes.length} writes failed`);
    assert.deepEqual(
      read.filter((text) => text?.length !== 10_000 || new Set(text).size !== 1),
      [],
    );
    assert.deepEqual(await readdir(path.join(folder, 'drafts')), [`${one}.json`]);
  });

  posixOnly(
    'aren’t what a pipe or a link in their folder leads to, and wait for neither',
    async () => {
      await texts.write(one, 'first');
      const drafts = path.join(folder, 'drafts');
      execFileSync('mkfifo', [path.join(drafts, `${other}.json`)]);
      await writeFile(path.join(folder, 'elsewhere'), 'secret');
      await symlink(path.join(folder, 'elsewhere'), path.join(drafts, `${'c'.repeat(64)}.json`));
      assert.deepEqual(await texts.readAll(), new Map([[one, 'first']]));
    },
  );

  posixOnly('are in a folder that other users can’t list', async () => {
    const before = process.umask(0);
    try {
      await texts.write(one, 'first');
    } finally {
      process.umask(before);
    }
    assert.equal((await stat(path.join(folder, 'drafts'))).mode & 0o777, 0o700);
  });

  posixOnly('SEC-68: can’t be read by other users', async () => {
    await texts.write(one, 'secret');
    const { mode } = await stat(path.join(folder, 'drafts', `${one}.json`));
    assert.equal(mode & 0o077, 0);
  });

  it('SEC-69: leave other files alone, and those that no window of ours has written', async () => {
    await texts.write(one, 'ours');
    const drafts = path.join(folder, 'drafts');
    await writeFile(path.join(drafts, 'notes.txt'), 'x');
    await writeFile(path.join(drafts, `${other}.json.new`), 'half');
    await writeFile(path.join(drafts, `${other}.json`), 'x'.repeat(5 * 1024 * 1024));
    assert.deepEqual([...(await texts.readAll()).keys()], [one]);
    assert.equal((await readdir(drafts)).length, 4);
  });
});
