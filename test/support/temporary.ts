import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

let folder: string | undefined;

/** The path of a file in a folder that `removeTemporary` deletes. */
export function temporaryFile(name: string): string {
  folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'acp-protocol-'));
  return path.join(folder, name);
}

export function removeTemporary(): void {
  if (folder !== undefined) {
    fs.rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  }
}

/** Waits until the condition holds; the test's time limit ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

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
