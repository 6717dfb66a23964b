import * as fs from 'node:fs';

/**
 * Replaces `fs` for the database engine of this bundle. Guarantees, with their tests in
 * `test/unit/features/search/index`:
 *
 * - The engine opens only the files of the index (`searchDamage.test.ts`: "a journal names no file that goes
 *   with it"), and never blocks on anything but a regular file (the same: "begins anew, and says so once, when
 *   the file is a pipe", "works when the file has a pipe for a journal").
 * - It changes them only while the lock is held (`searchLock.test.ts`: "a window that wakes without its lock
 *   writes nothing until it has the lock again").
 * - Its own lock, a folder beside the file that outlives a crash
 *   (https://github.com/tndrle/node-sqlite3-wasm/issues/56), isn't created: users of the engine hold ours
 *   instead. What that one promises is in `fileLock.ts`.
 * - The cause of a file error, which the engine doesn't report, is known (`searchFaults.test.ts`: "says so when
 *   the disk answers …", "tries again when files are short").
 */

export * from 'node:fs';

export interface EngineUse {
  readonly file: string;
  /** Checked before each change of a file. */
  readonly mayWrite: () => boolean;
}

/** Errors of the disk rather than of the contents of the files. */
const diskTrouble = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG', 'ENODEV', 'ESTALE']);
const shortOfFiles = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'ETIMEDOUT']);

// Of the module because the engine calls it as it would call `fs`; the thread has one engine.
let use: EngineUse | undefined;
let isLocked = false;
let trouble: EngineTrouble | undefined;

/**
 * The cause of a file error, which the engine doesn't report. `lockLost`: the lock isn't held any
 * more.
 */
export type EngineTrouble = 'disk' | 'passing' | 'lockLost';

/** Sets the files that the engine may use from now on, or none. */
export function letEngineUse(next: EngineUse | undefined): void {
  use = next;
  trouble = undefined;
}

export function engineTrouble(): EngineTrouble | undefined {
  return trouble;
}

/** Whether the engine believes that it holds its lock. */
export function isEngineLocked(): boolean {
  return isLocked;
}

export function mkdirSync(): void {
  if (use === undefined) {
    throw failure('EEXIST');
  }
  isLocked = true;
}

export function rmdirSync(): void {
  isLocked = false;
}

/**
 * Reports the engine's lock as missing: ours is exclusive, so no other process is about to write.
 */
export function accessSync(file: fs.PathLike, mode?: number): void {
  if (file === `${use?.file}.lock`) {
    throw failure('ENOENT');
  }
  fs.accessSync(file, mode);
}

/** Refuses other files: a journal may name any file to be deleted along with it. */
export function openSync(file: fs.PathLike, flags: number, mode?: fs.Mode): number {
  if (use === undefined || (file !== use.file && file !== `${use.file}-journal`)) {
    throw failure('EACCES');
  }
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as Partial<typeof fs.constants>;
  return noted(() => {
    const opened = fs.openSync(file, flags | O_NOFOLLOW | O_NONBLOCK, mode);
    if (!fs.fstatSync(opened).isFile()) {
      fs.closeSync(opened);
      throw failure('EACCES');
    }
    return opened;
  });
}

export function readSync(
  file: number,
  buffer: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number,
): number {
  return noted(() => fs.readSync(file, buffer, offset, length, position));
}

export function writeSync(
  file: number,
  buffer: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number,
): number {
  const written = changed(() => fs.writeSync(file, buffer, offset, length, position));
  if (written < length) {
    // There was space for only a part of it.
    trouble ??= 'disk';
  }
  return written;
}

export function ftruncateSync(file: number, length: number): void {
  changed(() => fs.ftruncateSync(file, length));
}

export function fsyncSync(file: number): void {
  noted(() => fs.fsyncSync(file));
}

export function unlinkSync(file: fs.PathLike): void {
  if (use === undefined || file !== `${use.file}-journal`) {
    throw failure('EACCES');
  }
  changed(() => fs.unlinkSync(file));
}

function changed<T>(work: () => T): T {
  if (use?.mayWrite() !== true) {
    trouble ??= 'lockLost';
    throw failure('EACCES');
  }
  return noted(work);
}

function noted<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    trouble ??= diskTrouble.has(code) ? 'disk' : shortOfFiles.has(code) ? 'passing' : undefined;
    throw error;
  }
}

function failure(code: string): Error {
  return Object.assign(new Error('Not for the engine'), { code });
}
