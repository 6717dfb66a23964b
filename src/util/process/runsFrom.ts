import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

const maxOutputBytes = 32 * 1024 * 1024;
const maxProcesses = 50_000;

/**
 * Whether a process of this machine runs a program in the folder, or names one in its arguments, as far as the user may
 * know. Not determined on Windows, which itself keeps the folder of a program that runs.
 */
export function runsFrom(folder: string): Promise<boolean> {
  const start = `${folder}${path.sep}`;
  switch (process.platform) {
    case 'win32':
      return Promise.resolve(false);
    case 'linux':
      return isInProcFolder(start);
    default:
      return isListed(start);
  }
}

async function isInProcFolder(start: string): Promise<boolean> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const name of names.slice(0, maxProcesses)) {
    const program = await readlink(`/proc/${name}/exe`).catch(() => '');
    const args = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (program.startsWith(start) || args.includes(start)) {
      return true;
    }
  }
  return false;
}

function isListed(start: string): Promise<boolean> {
  const args = ['-A', '-ww', '-o', 'args='];
  return new Promise((resolve) => {
    // Where it can't be listed, it may run.
    execFile('/bin/ps', args, { maxBuffer: maxOutputBytes }, (error, stdout) =>
      resolve(error !== null || stdout.includes(start)),
    );
  });
}
