import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {
  deleteExactFile,
  readExactFile,
  writeExactFile,
} from '../../../../src/model/files/exactFile';
import { makeExactFolders } from '../../../../src/model/files/exactFolder';
import { FileBytes } from '../../../../src/model/files/fileBytes';
import { looksOpenedAt } from '../../../../src/model/files/openedPlace';
import { realPathOfNew } from '../../../../src/model/files/roots';
import type { Files } from '../../../../src/model/ports';
import { FileRequests } from '../../../../src/model/requests/fileRequests';
import { realPath } from '../../../../src/platform/files/realPath';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { ByteBudget } from '../../../../src/util/byteBudget';
import { posixOnly } from '../../../support/posixOnly';
import { FakeWorkspace } from '../fakePlatform';
import { makePipe, remove, swap, temporaryFolder } from './hostileFiles';

const most = 1_000_000;

describe('files at real paths', () => {
  let base: string;
  let cwd: string;
  let outside: string;
  beforeEach(() => {
    base = temporaryFolder('exact');
    [cwd, outside] = ['cwd', 'outside'].map((name) => path.join(base, name)) as [string, string];
    mkdirSync(path.join(cwd, 'sub'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(path.join(cwd, 'sub', 'a.txt'), 'mine');
    writeFileSync(path.join(outside, 'a.txt'), 'secret');
  });
  afterEach(() => remove(base));

  async function refused(request: Promise<unknown>, code: AcpErrorCode): Promise<void> {
    await assert.rejects(request, (error) => error instanceof AcpError && error.code === code);
  }

  function untouched(): void {
    assert.deepEqual(readdirSync(outside), ['a.txt']);
    assert.equal(readFileSync(path.join(outside, 'a.txt'), 'utf8'), 'secret');
  }

  it('DIR-7: what has become a link since it was looked at is refused, wherever on the way', async () => {
    const file = path.join(cwd, 'sub', 'a.txt');
    renameSync(path.join(cwd, 'sub'), path.join(cwd, 'away'));
    symlinkSync(outside, path.join(cwd, 'sub'), 'junction');
    await refused(readExactFile(file, most), 'invalidParams');
    await refused(writeExactFile(file, Buffer.from('x')), 'invalidParams');
    await refused(writeExactFile(path.join(cwd, 'sub', 'new'), Buffer.from('x')), 'invalidParams');
    const deep = path.join(cwd, 'sub', 'deep', 'new');
    await refused(writeExactFile(deep, Buffer.from('x')), 'invalidParams');
    await refused(makeExactFolders(path.dirname(deep)), 'invalidParams');
    const link = path.join(cwd, 'link');
    symlinkSync(path.join(outside, 'a.txt'), link);
    await refused(readExactFile(link, most), 'invalidParams');
    await refused(writeExactFile(link, Buffer.from('x')), 'invalidParams');
    untouched();
  });

  it('DIR-7: also detects by looking at the path whether the open file is the one there', async () => {
    const file = path.join(cwd, 'sub', 'a.txt');
    const handle = await open(file);
    try {
      assert.ok(await looksOpenedAt(handle, file));
      renameSync(path.join(cwd, 'sub'), path.join(cwd, 'away'));
      assert.ok(!(await looksOpenedAt(handle, file)), 'gone');
      symlinkSync(path.join(cwd, 'away'), path.join(cwd, 'sub'), 'junction');
      assert.ok(!(await looksOpenedAt(handle, file)), 'the same one behind a link');
      const other = path.join(outside, 'a.txt');
      assert.ok(!(await looksOpenedAt(handle, other)), 'another one');
    } finally {
      await handle.close();
    }
  });

  it('FS-3: creates folders, leaves nothing beside the file, and keeps its permissions', async () => {
    const made = path.join(cwd, 'new', 'deep', 'b.txt');
    await writeExactFile(made, Buffer.from('one'));
    await writeExactFile(made, Buffer.from('2'));
    assert.equal(readFileSync(made, 'utf8'), '2');
    assert.deepEqual(readdirSync(path.dirname(made)), ['b.txt']);
    chmodSync(made, 0o751);
    await writeExactFile(made, Buffer.from('three'));
    assert.equal(readFileSync(made, 'utf8'), 'three');
    if (process.platform !== 'win32') {
      assert.equal(statSync(made).mode & 0o777, 0o751);
    }
  });

  posixOnly(
    'FS-6: a read-only file stays as it is; one in a read-only folder is written',
    async function () {
      if (process.getuid?.() === 0) {
        // Root can write to read-only files.
        this.skip();
      }
      const file = path.join(cwd, 'sub', 'a.txt');
      chmodSync(file, 0o444);
      await assert.rejects(writeExactFile(file, Buffer.from('x')));
      chmodSync(file, 0o644);
      chmodSync(path.dirname(file), 0o555);
      try {
        await writeExactFile(file, Buffer.from('theirs'));
        await assert.rejects(writeExactFile(path.join(cwd, 'sub', 'new'), Buffer.from('x')));
      } finally {
        chmodSync(path.dirname(file), 0o755);
      }
      assert.equal(readFileSync(file, 'utf8'), 'theirs');
    },
  );

  posixOnly('FS-6: no pipe is read or written, nor made a file of', async () => {
    const pipe = makePipe(path.join(cwd, 'pipe'));
    await refused(readExactFile(pipe, most), 'invalidParams');
    await refused(writeExactFile(pipe, Buffer.from('x')), 'invalidParams');
    assert.ok(statSync(pipe).isFIFO());
  });

  /** Files on disk as agents access them, without an editor. */
  function requests(bytes = new FileBytes()): FileRequests {
    const files: Files = {
      read: (file) => bytes.read(file, (all) => Promise.resolve(all.toString('latin1'))),
      write: (file, content) => bytes.write(file, Buffer.from(content)),
    };
    const workspace = new FakeWorkspace();
    return new FileRequests({ files, workspace, realPath });
  }

  posixOnly(
    'DIR-7, SEC-27: a folder that is swapped for a link lets nothing out and nothing in',
    async function () {
      this.timeout(120_000);
      const made = requests();
      const link = path.join(cwd, 'link');
      symlinkSync(outside, link);
      const file = path.join(cwd, 'sub', 'a.txt');
      const seen = { done: 0, refused: 0 };
      const attempt = async (request: Promise<unknown>): Promise<void> => {
        try {
          assert.notEqual(await request, 'secret');
          seen.done++;
        } catch (error) {
          assert.ok(!(error instanceof assert.AssertionError), 'the secret was read');
          seen.refused++;
        }
      };
      const stop = await swap(path.dirname(file), link);
      try {
        for (let turn = 0; turn < 100 || seen.done === 0 || seen.refused === 0; turn++) {
          const request = { sessionId: 's', path: file };
          const write = { sessionId: 's', path: `${cwd}/sub/${turn % 2 ? 'a' : 'b'}.txt` };
          await Promise.all([
            attempt(made.read([cwd], request)),
            attempt(made.read([cwd], request)),
            attempt(made.write([cwd], { ...write, content: 'agent' }, 'Agent')),
            attempt(
              made.write([cwd], { ...write, path: `${cwd}/sub/${turn}/c`, content: '' }, 'A'),
            ),
          ]);
          untouched();
        }
      } finally {
        await stop();
      }
    },
  );

  it('DIR-7, SEC-81: a file is deleted for good only if it is at its place, and is what was looked at', async () => {
    const file = path.join(cwd, 'sub', 'a.txt');
    for (const other of ['mine, changed', 'mime', '']) {
      assert.equal(await deleteExactFile(file, Buffer.from(other)), false);
    }
    const link = path.join(cwd, 'link');
    symlinkSync(file, link);
    await refused(deleteExactFile(link, Buffer.from('mine')), 'invalidParams');
    await refused(deleteExactFile(path.join(cwd, 'sub'), Buffer.from('')), 'invalidParams');
    assert.equal(await deleteExactFile(file, Buffer.from('mine')), true);
    await refused(deleteExactFile(file, Buffer.from('mine')), 'gone');
    renameSync(path.join(cwd, 'sub'), path.join(cwd, 'away'));
    symlinkSync(outside, path.join(cwd, 'sub'), 'junction');
    await refused(deleteExactFile(file, Buffer.from('secret')), 'invalidParams');
    untouched();
  });

  posixOnly(
    'DIR-7, SEC-81: deletes nothing elsewhere while its folder is swapped for a link',
    async function () {
      this.timeout(120_000);
      const link = path.join(cwd, 'link');
      symlinkSync(outside, link);
      const file = path.join(cwd, 'sub', 'a.txt');
      writeFileSync(file, 'secret');
      const seen = { done: 0, refused: 0 };
      const stop = await swap(path.dirname(file), link);
      try {
        for (let turn = 0; turn < 100 || seen.done === 0 || seen.refused === 0; turn++) {
          const isDone = await deleteExactFile(file, Buffer.from('secret')).catch(() => false);
          seen[isDone ? 'done' : 'refused'] += 1;
          untouched();
          await writeExactFile(file, Buffer.from('secret')).catch(() => undefined);
        }
      } finally {
        await stop();
      }
    },
  );

  it('FS-3: a file that appears while it is written is written nevertheless, in place or replaced', async () => {
    for (const replaces of [false, true]) {
      const file = path.join(cwd, 'new', `${replaces}.txt`);
      // Each of them finds nothing at first, and only one can create it.
      const texts = ['text', 'text', 'text'];
      await Promise.all(texts.map((text) => writeExactFile(file, Buffer.from(text), replaces)));
      assert.equal(readFileSync(file, 'utf8'), 'text');
    }
  });

  it('FS-3, FS-4: a file or folder that appears while its path is resolved is found', async () => {
    for (const late of [path.join(cwd, 'late.txt'), path.join(cwd, 'folder', 'late.txt')]) {
      let looks = 0;
      const appearing = (file: string): Promise<string | undefined> => {
        if (looks++ > 0) {
          return realPath(file);
        }
        mkdirSync(path.dirname(late), { recursive: true });
        writeFileSync(late, 'agent');
        return Promise.resolve(undefined);
      };
      assert.equal(await realPathOfNew(late, appearing), late);
    }
    symlinkSync(path.join(outside, 'none'), path.join(cwd, 'dangling'));
    await refused(realPathOfNew(path.join(cwd, 'dangling'), realPath), 'invalidParams');
  });

  it('FS-2, SEC-122: a hundred large files that are asked for at once are never all in memory', async () => {
    let held = 0;
    let peak = 0;
    const budget = new ByteBudget(20 * 1024 * 1024);
    const bytes = new FileBytes(budget);
    const file = path.join(cwd, 'large.txt');
    const size = 2 * 1024 * 1024;
    writeFileSync(file, Buffer.alloc(size, 'x'));
    const read = async (): Promise<void> =>
      bytes.read(file, async (all) => {
        held += all.length;
        peak = Math.max(peak, held);
        await new Promise(setImmediate);
        held -= all.length;
      });
    await Promise.all(Array.from({ length: 100 }, read));
    assert.equal(held, 0);
    assert.ok(peak >= size && peak <= 10 * 1024 * 1024, `${peak} bytes at once`);
  });
});
