import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { isInside } from '../../../../model/files/roots';
import { type ArchiveKind, headBytes, kindOfBytes } from './archiveKind';
import { bunzipFile } from './bunzip';
import { Placement, type UnpackLimits } from './placement';
import { placeTar } from './tarEntries';
import { UnpackError } from './unpackError';
import { placeZip } from './zipEntries';

export interface UnpackRequest {
  /** The file, which is gone afterward. */
  readonly archive: string;
  /** What its name says that it is. */
  readonly kind: ArchiveKind;
  /** The folder to create. */
  readonly folder: string;
  /** The program in it. */
  readonly cmd: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly limits: UnpackLimits;
}

/** The most bytes of a tar archive: its files, with headers and zeros for each of them. */
function maxTarBytes({ bytes, entries }: UnpackLimits): number {
  return bytes + 4096 * entries + 1e6;
}

/**
 * Unpacks an archive into a new folder, and checks that the program is in it and can be run. Rejects with an
 * `UnpackError`; what is there then is left to the caller.
 */
export async function unpack(request: UnpackRequest): Promise<void> {
  try {
    await checkKind(request);
    await mkdir(request.folder, { mode: 0o755 });
    await place(request);
    await checkProgram(request);
  } catch (error) {
    throw asUnpackError(error);
  }
}

async function checkKind({ archive, kind }: UnpackRequest): Promise<void> {
  const handle = await open(archive, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const actual = kindOfBytes(buffer.subarray(0, bytesRead));
    if (actual !== kind) {
      throw new UnpackError('otherKind', `it is ${actual ?? 'of no known kind'}, not ${kind}`);
    }
  } finally {
    await handle.close();
  }
}

async function place(request: UnpackRequest): Promise<void> {
  const { archive, kind, folder, cmd, limits } = request;
  if (kind === 'program') {
    const file = path.join(folder, ...cmd);
    await mkdir(path.dirname(file), { recursive: true });
    await rename(archive, file);
    return;
  }
  const placement = new Placement(request);
  switch (kind) {
    case 'zip':
      await placeZip(archive, placement);
      break;
    case 'tarGzip':
      await placeTar(bounded(createReadStream(archive).pipe(createGunzip()), limits), placement);
      break;
    case 'tarBzip2': {
      const tar = `${archive}.tar`;
      bunzipFile(archive, tar, maxTarBytes(limits));
      await placeTar(createReadStream(tar) as AsyncIterable<Uint8Array>, placement);
      await rm(tar);
      break;
    }
  }
  await placement.finish();
  await rm(archive);
}

/** Passes bytes on up to a limit, counting what belongs to no file, too. */
async function* bounded(
  parts: AsyncIterable<Uint8Array>,
  limits: UnpackLimits,
): AsyncGenerator<Uint8Array> {
  const most = maxTarBytes(limits);
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.byteLength;
    if (bytes > most) {
      throw new UnpackError('tooLarge', `more than ${most} bytes`);
    }
    yield part;
  }
}

/** Makes the program executable, because not every archive has modes. */
async function checkProgram({ folder, cmd }: UnpackRequest): Promise<void> {
  const root = await realpath(folder);
  const file = await realpath(path.join(root, ...cmd)).catch(() => undefined);
  if (file === undefined || !isInside(file, [root]) || !(await stat(file)).isFile()) {
    throw new UnpackError('noProgram', `“${cmd.join('/')}” isn’t a file in it`);
  }
  await chmod(file, 0o755);
}

function asUnpackError(error: unknown): UnpackError {
  if (error instanceof UnpackError) {
    return error;
  }
  const { code = '', message } =
    error instanceof Error ? getCode(error) : { message: String(error) };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UnpackError('noRoom', message);
  }
  // Those of files are about the disk; those of the unpackers are about the archive.
  return new UnpackError(/^E[A-Z]+$/.test(code) ? 'failed' : 'broken', message);
}

function getCode(error: NodeJS.ErrnoException): {
  readonly code?: string;
  readonly message: string;
} {
  const { code, message } = error;
  return { message, ...(code !== undefined && { code }) };
}
