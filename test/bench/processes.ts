import { readdir, readFile } from 'node:fs/promises';

/** The clock tick of Linux, in milliseconds. */
const tick = 10;

/** The extension host's process among the descendants of `root`; Linux only. */
export async function extensionHostOf(root: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('--type=extensionHost') && (await descendsFrom(pid, root))) {
      return pid;
    }
  }
  throw new Error('No extension host');
}

/** The processor time that the process has used so far, in milliseconds; Linux only. */
export async function processorMilliseconds(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

async function descendsFrom(pid: number, root: number): Promise<boolean> {
  for (let at = pid; at > 1; at = Number((await statOf(at))[1])) {
    if (at === root) {
      return true;
    }
  }
  return false;
}

/** The fields after the program's name, which may contain spaces: state, parent, … */
async function statOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
