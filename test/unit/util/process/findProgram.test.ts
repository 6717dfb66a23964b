import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { findOnPath } from '../../../../src/util/process/findProgram';

describe('a program on the PATH', () => {
  const before = process.env['PATH'];
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-path-'));
    await mkdir(path.join(folder, 'own'));
    await mkdir(path.join(folder, 'login'));
    process.env['PATH'] = path.join(folder, 'own');
  });
  afterEach(async () => {
    process.env['PATH'] = before;
    await rm(folder, { recursive: true, force: true });
  });

  async function program(...names: readonly string[]): Promise<string> {
    const file = path.join(folder, ...names) + (process.platform === 'win32' ? '.cmd' : '');
    await writeFile(file, '');
    await chmod(file, 0o755);
    return file;
  }

  const login = () => Promise.resolve({ PATH: path.join(folder, 'login') });

  it('is found without asking the login shell, which may take seconds', async () => {
    const tool = await program('own', 'tool');
    const asked = () => assert.fail('the login shell was asked');
    assert.equal(await findOnPath('tool', asked), tool);
  });

  it('is found where only the login shell knows it, and missing where neither does', async () => {
    const tool = await program('login', 'tool');
    assert.equal(await findOnPath('tool', login), tool);
    assert.equal(await findOnPath('another', login), undefined);
    assert.equal(await findOnPath('tool', () => Promise.resolve(undefined)), undefined);
  });
});
