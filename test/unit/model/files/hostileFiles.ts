import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** A temporary folder, by its real path. */
export function temporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(path.join(os.tmpdir(), `acp-${name}-`)));
}

/** A pipe that nobody writes to: opening it for reading waits forever. */
export function makePipe(file: string): string {
  execFileSync('mkfifo', [file]);
  return file;
}

/** A Unix domain socket; closing it removes its file. */
export async function makeSocket(file: string): Promise<net.Server> {
  const server = net.createServer().listen(file);
  await once(server, 'listening');
  return server;
}

const swapping = `
const fs = require('node:fs');
const [folder, link] = process.argv.slice(1);
const away = folder + '.away';
process.stdout.write('swapping');
for (;;) {
  try {
    fs.renameSync(folder, away);
    fs.renameSync(link, folder);
    fs.renameSync(folder, link);
    fs.renameSync(away, folder);
  } catch {
    // Somebody has made the folder anew, and may still be in it.
    try {
      if (fs.existsSync(away)) fs.rmSync(folder, { recursive: true, force: true });
      fs.renameSync(away, folder);
    } catch {}
  }
}`;

/** Replaces a folder with a link and restores it, as fast as possible, until it is stopped. */
export async function swap(folder: string, link: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', swapping, folder, link], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
