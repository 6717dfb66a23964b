import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  download,
  getTrouble,
} from '../../../../../../src/features/registry/model/binary/download';
import { RegistryServer } from '../../../../../support/registryServer';

describe('the download of a program', () => {
  let server: RegistryServer;
  let folder: string;
  beforeEach(async () => {
    server = await RegistryServer.start();
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-download-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  function take(name: string, limits: Partial<Parameters<typeof download>[0]['limits']> = {}) {
    return download({
      address: `${server.origin}/poet`,
      registry: new URL(server.address),
      sha256: undefined,
      file: path.join(folder, name),
      limits: { bytes: 1000, stall: 20_000, whole: 20_000, ...limits },
      signal: new AbortController().signal,
      onProgress: () => undefined,
      fetch: (input, init) => fetch(input, init),
      lookup: () => Promise.reject(new Error('unknown')),
    });
  }

  it('SEC-109: takes just the limit, and is given up for twice as much', async () => {
    server.answer = (_, response) => response.end(Buffer.alloc(1000));
    await take('poet');
    assert.equal((await readFile(path.join(folder, 'poet'))).length, 1000);
    server.answer = (_, response) => response.end(Buffer.alloc(2000));
    await assert.rejects(take('other'), /too large/);
  });

  it('that is interrupted isn’t taken for trouble with the disk, nor the other way round', () => {
    const words = (code: string): string =>
      getTrouble(Object.assign(new Error('x'), { code, syscall: 'read' })).message;
    assert.match(words('ECONNRESET'), /interrupted/);
    assert.match(words('EPIPE'), /interrupted/);
    assert.match(words('EROFS'), /can’t be written/);
    assert.match(words('EDQUOT'), /no room/);
  });

  it('SEC-109: is given up once nothing more arrives, or if it never ends', async () => {
    server.answer = (_, response) => void response.write('half');
    await assert.rejects(take('poet', { stall: 50 }), /has stopped/);
    await assert.rejects(take('other', { whole: 50 }), /has stopped/);
  });
});
