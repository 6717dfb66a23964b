import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Comparison, diffText } from '../../../../../src/features/context/model/diffText';
import { findOnPath } from '../../../../../src/util/process/findProgram';

describe('what Git says has changed', () => {
  let folder: string;

  function git(...args: readonly string[]): void {
    const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  }

  async function read(comparison: Comparison, cwd = folder): Promise<string> {
    const program = await findOnPath('git');
    assert.ok(program !== undefined);
    const { signal } = new AbortController();
    return diffText({ git: program, cwd, environment: process.env, signal }, comparison);
  }

  const write = (name: string, text: string): Promise<void> =>
    writeFile(path.join(folder, name), text);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'diff-'));
    git('init', '-q', '-b', 'main');
    await mkdir(path.join(folder, 'sub'));
    await write('a.txt', 'one\n');
    await write('sub/b.txt', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is empty if nothing has', async () => {
    assert.equal(await read('uncommitted'), '');
    assert.equal(await read('staged'), '');
  });

  it('is a patch of what isn’t committed, with the names of new files', async () => {
    await write('a.txt', 'two\n');
    git('add', '.');
    await write('sub/b.txt', 'two\n');
    await write('new.txt', 'secret');
    const all = await read('uncommitted');
    assert.match(all, /-one\n\+two/);
    assert.match(all, /sub\/b\.txt/);
    assert.match(all, /New files that Git does not track yet:\nnew\.txt$/);
    assert.doesNotMatch(all, /secret/);
    assert.doesNotMatch(await read('staged'), /b\.txt/);
  });

  it('is only what is in the session’s folder', async () => {
    await write('a.txt', 'two\n');
    await write('sub/b.txt', 'two\n');
    assert.doesNotMatch(await read('uncommitted', path.join(folder, 'sub')), /a\.txt/);
  });

  it('is what the branch has changed since it left its base', async () => {
    git('checkout', '-qb', 'work');
    await write('a.txt', 'two\n');
    git('commit', '-qam', 'second');
    assert.equal(await read('uncommitted'), '');
    assert.match(await read('base'), /-one\n\+two/);
  });

  it('runs no program that the repository names for its diffs', async () => {
    const ran = path.join(folder, 'ran');
    git('config', 'diff.external', `touch ${ran}`);
    git('config', 'diff.x.textconv', `touch ${ran}; cat`);
    git('config', 'core.fsmonitor', `touch ${ran}`);
    await write('.gitattributes', '*.txt diff=x\n');
    await write('a.txt', 'two\n');
    assert.match(await read('uncommitted'), /\+two/);
    assert.equal(existsSync(ran), false);
  });

  it('is what is staged before the first commit', async () => {
    await rm(path.join(folder, '.git'), { recursive: true });
    git('init', '-q', '-b', 'main');
    git('add', 'a.txt');
    const text = await read('uncommitted');
    assert.match(text, /a\.txt[^]*\+one/);
    assert.match(text, /sub\/b\.txt$/);
  });

  it('fails with git’s own words outside of a repository', async () => {
    await rm(path.join(folder, '.git'), { recursive: true });
    await assert.rejects(read('uncommitted'), /not a git repository/i);
  });
});
