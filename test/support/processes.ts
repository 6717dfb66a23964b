import fs from 'node:fs';

/** Whether a process with this id is running and not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return fs.existsSync('/proc') ? false : true;
  }
}

export function pidIn(file: string): number {
  return Number(fs.readFileSync(file, 'utf8'));
}
