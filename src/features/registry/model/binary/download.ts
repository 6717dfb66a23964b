import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { watchProgress } from '../../../../util/async';
import {
  boundedBody,
  type FetchParts,
  followAddress,
  getCause,
  proxyTrouble,
} from '../followAddress';
import { checkAddress } from '../registryAddress';
import { RegistryError } from '../registryError';

interface DownloadLimits {
  readonly bytes: number;
  /** How long nothing may arrive, in ms. */
  readonly stall: number;
  /** How long all of it may take, in ms. */
  readonly whole: number;
}

export interface Download extends FetchParts {
  readonly address: string;
  /** The address of the registry that names the download. */
  readonly registry: URL | undefined;
  /** What the bytes must add up to; otherwise nobody can say whether they are the right ones. */
  readonly sha256: string | undefined;
  /** The file to write; it must not exist. */
  readonly file: string;
  readonly limits: DownloadLimits;
  readonly signal: AbortSignal;
  /** `total` is `undefined` if the server doesn't say. */
  onProgress(bytes: number, total: number | undefined): void;
  /** Creates the file. */
  readonly create?:
    | ((file: string) => Promise<Pick<FileHandle, 'writeFile' | 'sync' | 'close'>>)
    | undefined;
}

/**
 * Downloads a file and verifies it as it arrives. Rejects with a `RegistryError`, or with the signal's reason; what has
 * been written then is left to the caller.
 */
export async function download(options: Download): Promise<void> {
  const { limits } = options;
  const stalled = new AbortController();
  const late = AbortSignal.timeout(limits.whole);
  let received = 0;
  const watch = watchProgress(
    () => received,
    limits.stall,
    () => stalled.abort(),
  );
  const signal = AbortSignal.any([options.signal, stalled.signal, late]);
  try {
    await receive(options, signal, (bytes, total) => {
      received = bytes;
      options.onProgress(bytes, total);
    });
  } catch (error) {
    options.signal.throwIfAborted();
    if (stalled.signal.aborted || late.aborted) {
      throw new RegistryError(
        l10n.t('The download has stopped: the server sends nothing more. Try again later.'),
        `${received} bytes, then nothing in time`,
      );
    }
    throw getTrouble(error);
  } finally {
    watch.dispose();
  }
}

async function receive(
  options: Download,
  signal: AbortSignal,
  onProgress: Download['onProgress'],
): Promise<void> {
  const { address, registry, lookup, sha256, file, limits, create = createOwn } = options;
  const url = await checkAddress(address, undefined, registry, lookup);
  const headers = { accept: 'application/octet-stream, */*' };
  const response = await followAddress(url, { ...options, registry, headers, signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new RegistryError(
      l10n.t('The server of the download answered with an error ({0}).', response.status),
      `status ${response.status} of ${address}`,
    );
  }
  const total = Number(response.headers.get('content-length') ?? Number.NaN) || undefined;
  const hash = createHash('sha256');
  const handle = await create(file);
  try {
    let bytes = 0;
    for await (const chunk of boundedBody(response, limits.bytes, () => tooLarge(limits))) {
      hash.update(chunk);
      // Unlike `write`, it continues after a part of it.
      await handle.writeFile(chunk);
      bytes += chunk.byteLength;
      onProgress(bytes, total);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  const actual = hash.digest('hex');
  if (sha256 !== undefined && actual !== sha256) {
    throw new RegistryError(
      l10n.t(
        'What was downloaded isn’t what the registry describes: its checksum differs. It was deleted, and nothing was installed.',
      ),
      `sha256 ${actual}, not ${sha256}, of ${address}`,
    );
  }
}

/** Creates a file for the user alone, until it is verified. */
function createOwn(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600);
}

function tooLarge({ bytes }: DownloadLimits): RegistryError {
  return new RegistryError(
    l10n.t('The download is too large: more than {0} MB.', Math.round(bytes / 1e6)),
    `more than ${bytes} bytes`,
  );
}

/** Connections have other errors, some of which also come from a call of the system. */
const diskCodes =
  /^E(?:ACCES|BUSY|EXIST|IO|ISDIR|MFILE|NAMETOOLONG|NFILE|NOENT|NOTDIR|NOTEMPTY|PERM|ROFS|XDEV)$/;

/** What the user is told about an error of the network or of the disk. */
export function getTrouble(error: unknown): RegistryError {
  if (error instanceof RegistryError) {
    return error;
  }
  const code = isCoded(error) ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new RegistryError(
      l10n.t('There is no room left on the disk. Nothing was installed.'),
      String(error),
    );
  }
  if (code !== undefined && diskCodes.test(code)) {
    return new RegistryError(
      l10n.t('A file of the extension’s storage can’t be written. Nothing was installed.'),
      String(error),
    );
  }
  const interrupted = l10n.t('The download was interrupted. Check the connection, then try again.');
  return proxyTrouble(error) ?? new RegistryError(interrupted, getCause(error));
}

function isCoded(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}
