import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getMark } from '../../../../src/model/files/processMark';
import { createFile, replaceFile } from '../../../../src/model/files/wholeFiles';
import { withDisk } from '../../../support/fullDisk';
import { posixOnly } from '../../../support/posixOnly';
import { remove, temporaryFolder } from './hostileFiles';

describe('a file that is replaced as a whole', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder('whole');
    file = path.join(folder, 'a.json');
  });
  afterEach(() => remove(folder));

  const text = (): string => readFileSync(file, 'utf8');

  it('has every byte, even if the system writes only some of them at a time', async () => {
    await withDisk({ atOnce: 7, room: 1_000 }, () => replaceFile(file, 'ü'.repeat(100)));
    assert.equal(text(), 'ü'.repeat(100));
    await withDisk({ atOnce: 7, room: 1_000 }, () => replaceFile(file, 'end', { kept: 20 }));
    assert.equal(text(), `${'ü'.repeat(10)}end`);
    await replaceFile(file, new Uint8Array());
    assert.equal(text(), '');
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  it('SEC-140: is as it was if the disk becomes full, and nothing is left beside it', async () => {
    await replaceFile(file, 'good');
    for (const room of [0, 3, 99]) {
      const full = withDisk({ atOnce: 50, room }, () => replaceFile(file, 'x'.repeat(100)));
      await assert.rejects(full, { code: 'ENOSPC' });
      const made = path.join(folder, `b${room}`);
      await assert.rejects(
        withDisk({ atOnce: 50, room }, () => createFile(made, 'x'.repeat(100))),
        { code: 'ENOSPC' },
      );
    }
    assert.equal(text(), 'good');
    assert.deepEqual(readdirSync(folder).sort(), ['a.json', 'b0', 'b3', 'b99']);
  });

  it('is as it was if fewer bytes are there than are to stay', async () => {
    await replaceFile(file, 'good');
    await assert.rejects(replaceFile(file, 'x', { kept: 5 }));
    assert.equal(text(), 'good');
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  it('SEC-141: takes what a process left that is no more, and nothing that a living one writes', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    const mine = getMark('ab');
    const dead = mine.replace(/^\d+/, String(child.pid));
    const others = ['.acp-notes.txt', `.acp-${dead}.txt`, `x.acp-${dead}.tmp`];
    for (const name of [`.acp-${mine}.tmp`, `.acp-${dead}.tmp`, ...others]) {
      writeFileSync(path.join(folder, name), 'half');
    }
    await replaceFile(file, 'x');
    assert.deepEqual(readdirSync(folder).sort(), ['a.json', `.acp-${mine}.tmp`, ...others].sort());
  });

  posixOnly('is only the user’s, and never written through a link', async () => {
    await replaceFile(file, 'x');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    mkdirSync(path.join(folder, 'taken'));
    await assert.rejects(createFile(path.join(folder, 'taken'), 'x'), { code: 'EEXIST' });
  });
});
