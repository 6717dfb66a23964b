import { randomUUID } from 'node:crypto';
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import process from 'node:process';

/** A lock that nobody can hold for so long, in ms: what is done under one takes a second or two. */
const oldestMs = 30_000;
/** Whoever has made the file writes who it is within this time, in ms. */
const signingMs = 2_000;

/** `impossible`: nothing can be written there, by nobody. */
export type Taken = 'taken' | 'busy' | 'impossible';

/**
 * Takes a lock that is a file with the id of its holder's process. What a process has left behind when
 * it crashed is taken away.
 */
export function takeLock(file: string): Taken {
  const taken = create(file);
  if (taken !== 'busy' || !isStale(file)) {
    return taken;
  }
  bury(file);
  return create(file);
}

export function releaseLock(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw error;
    }
  }
}

function create(file: string): Taken {
  try {
    const handle = openSync(file, 'wx');
    try {
      writeSync(handle, `${process.pid}`);
    } finally {
      closeSync(handle);
    }
    return 'taken';
  } catch (error) {
    const code = codeOf(error);
    // Windows says `EPERM` and `EBUSY` of a file that is about to go.
    const isBusy = code === 'EEXIST' || (process.platform === 'win32' && code !== 'ENOSPC');
    return isBusy ? 'busy' : 'impossible';
  }
}

function isStale(file: string): boolean {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const holder = Number(readFileSync(file, 'utf8'));
    if (!Number.isSafeInteger(holder) || holder <= 0) {
      return age > signingMs;
    }
    return age > oldestMs || !isAlive(holder);
  } catch {
    // It has just gone.
    return false;
  }
}

function isAlive(holder: number): boolean {
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** By another name first: of two who take it away only one can. */
function bury(file: string): void {
  const grave = `${file}.${randomUUID()}`;
  try {
    renameSync(file, grave);
    unlinkSync(grave);
  } catch {
    // The other one did.
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
