import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';

/**
 * Otherwise, opening a pipe without a writer would block a thread forever, and Node has only four
 * (https://github.com/nodejs/node/issues/23220). Windows has neither flag: there they are
 * `undefined`, which `|` treats as 0.
 */
const withoutWaiting = constants.O_NONBLOCK | constants.O_NOCTTY;

/** Bytes by which a file may grow between the check of its size and the end of reading. */
export const roomToGrow = 1024 * 1024;

/**
 * Opens a regular file; rejects for a pipe, a socket, a device or a folder without waiting for it.
 */
export async function openRegularFile(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  return (await openWithFacts(file, flags)).handle;
}

/** Opens as `openRegularFile` does, and returns what was found out about the file, too. */
export async function openWithFacts(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<{ readonly handle: FileHandle; readonly facts: Stats }> {
  const handle = await openAny(file, flags);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) {
      throw facts.isDirectory() ? isFolder(file) : notAFile(file);
    }
    return { handle, facts };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * All bytes of a file; rejects if it has more than `maxBytes`, even if it grows while it is read, and for a link unless
 * it `follows` one.
 */
export async function readRegularFile(
  file: string,
  { maxBytes, follows = true }: { readonly maxBytes: number; readonly follows?: boolean },
): Promise<Buffer> {
  const flags = constants.O_RDONLY | (follows ? 0 : constants.O_NOFOLLOW);
  const { handle, facts } = await openWithFacts(file, flags);
  try {
    return await readWhole(handle, file, maxBytes, facts);
  } finally {
    await handle.close();
  }
}

/** The first bytes of a file, which may be longer. */
export async function readBeginning(file: string, bytes: number): Promise<Buffer> {
  const handle = await openRegularFile(file);
  try {
    return await readInto(handle, Buffer.allocUnsafe(bytes), bytes);
  } finally {
    await handle.close();
  }
}

/** The last bytes of a file, which may be longer; rejects for a link. */
export async function readEnd(file: string, bytes: number): Promise<Buffer> {
  const { handle, facts } = await openWithFacts(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const length = Math.min(facts.size, bytes);
    return await readInto(handle, Buffer.allocUnsafe(length), length, facts.size - length);
  } finally {
    await handle.close();
  }
}

/** All bytes of an open file, from its start. `file` is its name in error messages. */
export async function readWhole(
  handle: FileHandle,
  file: string,
  maxBytes: number,
  facts?: Stats,
): Promise<Buffer> {
  const { size } = facts ?? (await handle.stat());
  mustFit(size, file, maxBytes);
  // A file that fills one byte more than it had grows, or doesn't tell its size.
  const expected = await readInto(handle, Buffer.allocUnsafe(size + 1), Math.max(1, size));
  if (expected.length <= size) {
    return expected;
  }
  const most = Math.min(size + roomToGrow, maxBytes);
  const bytes = await readInto(handle, Buffer.allocUnsafe(most + 1), most + 1);
  mustFit(bytes.length, file, maxBytes);
  if (bytes.length > most) {
    throw refusal('changedMeanwhile', `${file} grew while it was read`);
  }
  return bytes;
}

function mustFit(size: number, file: string, maxBytes: number): void {
  if (size > maxBytes) {
    throw refusal('tooLarge', `${file} is larger than ${maxBytes} bytes`);
  }
}

/** Reads until the file ends or there is enough; the buffer may get more. */
async function readInto(
  handle: FileHandle,
  buffer: Buffer,
  enough: number,
  from = 0,
): Promise<Buffer> {
  let length = 0;
  while (length < enough) {
    const room = buffer.length - length;
    const { bytesRead } = await handle.read(buffer, length, room, from + length);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function openAny(file: string, flags: number): Promise<FileHandle> {
  try {
    return await open(file, flags | withoutWaiting);
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
      case 'ENOTDIR':
        throw refusal('resourceNotFound', `The file ${file} does not exist`, { cause: error });
      case 'ELOOP':
        throw refusal('pathBroken', `${file} is a link`, { cause: error });
      case 'EISDIR':
        throw isFolder(file);
      // A socket, or a device without a driver.
      case 'ENXIO':
      case 'ENODEV':
      case 'EOPNOTSUPP':
        throw notAFile(file);
      default:
        throw error;
    }
  }
}

function notAFile(file: string): AcpError {
  return refusal('notAFile', `${file} is not a file`);
}

function isFolder(file: string): AcpError {
  return refusal('isFolder', `${file} is a folder`);
}
