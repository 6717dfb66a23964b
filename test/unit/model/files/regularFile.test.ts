import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { appendFile, open, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  openRegularFile,
  readBeginning,
  readRegularFile,
  readWhole,
} from '../../../../src/model/files/regularFile';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { posixOnly } from '../../../support/posixOnly';
import { makePipe, makeSocket, remove, temporaryFolder } from './hostileFiles';

const limit = { maxBytes: 100_000 };

describe('reading a file that anyone could have put there', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('regular');
  });
  afterEach(() => remove(folder));

  async function refused(
    reading: Promise<unknown>,
    message: RegExp,
    code: AcpErrorCode = 'invalidParams',
  ): Promise<void> {
    await assert.rejects(
      reading,
      (error) => error instanceof AcpError && error.code === code && message.test(error.message),
    );
  }

  it('reads regular files, also through a link', async () => {
    const file = path.join(folder, 'a.txt');
    await writeFile(file, 'text');
    await symlink(file, path.join(folder, 'link'));
    assert.equal((await readRegularFile(path.join(folder, 'link'), limit)).toString(), 'text');
    assert.equal((await readBeginning(file, 2)).toString(), 'te');
    assert.equal((await readBeginning(file, 20)).toString(), 'text');
  });

  posixOnly(
    'never waits for a pipe without a writer, even more often than there are threads',
    async () => {
      const pipe = makePipe(path.join(folder, 'pipe'));
      await Promise.all(
        Array.from({ length: 20 }, () => refused(readRegularFile(pipe, limit), /is not a file/)),
      );
      await refused(readBeginning(pipe, 10), /is not a file/);
      await refused(openRegularFile(pipe, constants.O_RDWR), /is not a file/);
    },
  );

  posixOnly('reads no socket, no device without an end, and no folder', async () => {
    const socket = path.join(folder, 'socket');
    const server = await makeSocket(socket);
    await symlink('/dev/zero', path.join(folder, 'zero'));
    const kinds = { socket: /is not a file/, zero: /is not a file/, '.': /is a folder/ };
    for (const [name, says] of Object.entries(kinds)) {
      await refused(readRegularFile(path.join(folder, name), limit), says);
      await refused(readBeginning(path.join(folder, name), 10), says);
    }
    await new Promise((closed) => server.close(closed));
  });

  it('FS-5: says that a file is gone, also below a file', async () => {
    await writeFile(path.join(folder, 'a'), '');
    for (const name of ['gone', 'a/gone']) {
      await assert.rejects(
        readRegularFile(path.join(folder, name), limit),
        (error) => error instanceof AcpError && error.code === 'gone',
      );
    }
  });

  it('SEC-122: takes a file of just the limit, and refuses one byte more and twice as much', async () => {
    const file = path.join(folder, 'large');
    await writeFile(file, Buffer.alloc(limit.maxBytes));
    assert.equal((await readRegularFile(file, limit)).length, limit.maxBytes);
    for (const size of [limit.maxBytes + 1, 2 * limit.maxBytes]) {
      await writeFile(file, Buffer.alloc(size));
      await refused(readRegularFile(file, limit), /is larger than 100000 bytes/);
    }
  });

  it('reads all of a file that has grown a little, and of one that doesn’t tell its size', async () => {
    const file = path.join(folder, 'growing');
    await writeFile(file, 'some');
    const handle = await open(file);
    const facts = await handle.stat();
    try {
      await appendFile(file, 'thing');
      assert.equal((await readWhole(handle, file, 1000, facts)).toString(), 'something');
    } finally {
      await handle.close();
    }
    if (process.platform === 'linux') {
      const status = await readRegularFile('/proc/self/status', limit);
      assert.match(status.toString(), /^Name:[^]*nonvoluntary_ctxt_switches/);
    }
  });

  it('SEC-129: stops at a file that grows while it is read', async () => {
    const file = path.join(folder, 'growing');
    await writeFile(file, '');
    const handle = await open(file);
    // The file grows between the `stat` and the read.
    const stat = handle.stat.bind(handle);
    handle.stat = (async () => {
      const facts = await stat();
      await appendFile(file, Buffer.alloc(3 * 1024 * 1024));
      return facts;
    }) as typeof handle.stat;
    try {
      const reading = readWhole(handle, file, 50_000_000);
      await refused(reading, /grew while it was read/, 'cancelled');
      await refused(readWhole(handle, file, 2 * 1024 * 1024), /is larger than/);
    } finally {
      await handle.close();
    }
  });
});
