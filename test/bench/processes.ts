import { readdir, readFile } from 'node:fs/promises';
import { statOf } from '../../scripts/tests/processorTime.mjs';

/** The extension host's process among the descendants of `root`; Linux only. */
export async function extensionHostOf(root: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('--type=extensionHost') && descendsFrom(pid, root)) {
      return pid;
    }
  }
  throw new Error('No extension host');
}

/** The processor time that the process has used so far, in milliseconds; Linux only. */
export function processorMilliseconds(pid: number): number {
  return statOf(pid)?.own ?? Number.NaN;
}

function descendsFrom(pid: number, root: number): boolean {
  for (let at = pid; at > 1; at = statOf(at)?.parent ?? 0) {
    if (at === root) {
      return true;
    }
  }
  return false;
}
