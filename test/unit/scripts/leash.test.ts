import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startOnLeash } from '../../../scripts/host/leash.mjs';
import { inProject } from '../../support/project';

const forever = 'setInterval(() => {}, 1000);';
const sayPid = 'console.log(process.pid);';

function order(program: string, remove: string[] = []) {
  return { command: process.execPath, args: ['-e', program], remove, env: process.env };
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    stream.once('data', (chunk) => resolve(String(chunk).trim()));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await wait(20);
}

// The hosts that the leash is for don't run on Windows.
const describeLeash = process.platform === 'win32' ? describe.skip : describe;

describeLeash('a program on a leash', () => {
  it('ends with what it was told to remove', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-leash-'));
    const leashed = startOnLeash(order(sayPid + forever, [folder]));
    const pid = Number(await firstLine(leashed.output));
    assert.deepEqual(await leashed.stop(), []);
    assert.ok(!isAlive(pid));
    assert.ok(!existsSync(folder));
  });

  it('ends when its starter is killed', async () => {
    const module = pathToFileURL(inProject('scripts/host/leash.mjs')).href;
    const starter = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { startOnLeash } from ${JSON.stringify(module)};
       const order = ${JSON.stringify({ ...order(sayPid + forever), env: {} })};
       startOnLeash({ ...order, env: process.env }).output.pipe(process.stdout);`,
    ]);
    const pid = Number(await firstLine(starter.stdout));
    starter.kill('SIGKILL');
    await untilGone(pid);
  });

  it('reports its exit code when it ends by itself', async () => {
    const leashed = startOnLeash(order('process.exitCode = 3;'));
    assert.equal(await leashed.exited, 3);
  });

  it('names a program in a group of its own that outlives it, and kills it', async function () {
    // Only Linux reveals which process started which.
    if (process.platform !== 'linux') this.skip();
    this.timeout(20_000);
    const child = `${sayPid}setInterval(() => {}, 1000);//outlives`;
    const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}],
        { detached: true, stdio: 'inherit' });${forever}`;
    const leashed = startOnLeash({ ...order(program), patience: 100 });
    const pid = Number(await firstLine(leashed.output));
    const [survivor = '', ...others] = await leashed.stop();
    assert.match(survivor, /outlives/);
    assert.deepEqual(others, []);
    await untilGone(pid);
  });
});
