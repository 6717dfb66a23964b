import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { FileLock, sweepLocks } from '../../../../model/files/fileLock';
import { whileHeld } from '../../../../model/files/heldFiles';
import { createFile } from '../../../../model/files/wholeFiles';
import type { Log } from '../../../../model/ports';
import { getStack } from '../../../../util/getStack';
import { isDeviceName } from '../../../../util/plainName';
import type { FetchParts } from '../followAddress';
import { isNewer } from '../packageSpec';
import type { RegistryBinary } from '../registryAgent';
import { RegistryError } from '../registryError';
import { type ArchiveKind, kindOfAddress } from './archiveKind';
import { type Download, download, getTrouble } from './download';
import {
  type InstalledVersion,
  isSameBinary,
  readInstalledVersion,
  versionFolder,
  versionName,
  versionParts,
} from './installedVersion';
import type { UnpackRequest } from './unpack';
import { UnpackError, type UnpackProblem } from './unpackError';

/** Twice what the largest agents have. */
const downloadLimits = { bytes: 512e6, stall: 30_000, whole: 3_600_000 };
const unpackLimits = { bytes: 2e9, entries: 50_000 };
/** Time between two looks at a lock that another window holds, in ms. */
const lockPause = 200;
const maxVersions = 100;

export interface InstalledAgentsParts extends FetchParts {
  /** The folder of all installed agents. */
  readonly folder: string;
  /** The address of the registry that names the downloads; throws if the user's setting isn't usable. */
  readonly registry: () => URL | undefined;
  readonly platform: NodeJS.Platform;
  readonly unpack: (request: UnpackRequest, signal: AbortSignal) => Promise<void>;
  /** Whether a process runs a program in a folder. */
  readonly isRunning: (folder: string) => Promise<boolean>;
  readonly log: Log;
  readonly create?: Download['create'];
}

/** What happens while an agent is installed. */
export type InstallStep =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'download'; readonly bytes: number; readonly total: number | undefined }
  | { readonly kind: 'unpack' };

export interface InstallTask {
  readonly signal: AbortSignal;
  readonly onStep: (step: InstallStep) => void;
}

/**
 * The programs of the registry that are installed on this machine, for all windows: a folder for each version, and for
 * each program that was offered as that version, which is there as a whole or not at all. One window at a time changes anything; what one that crashed has left is removed by
 * the next.
 */
export class InstalledAgents {
  readonly #parts: InstalledAgentsParts;

  constructor(parts: InstalledAgentsParts) {
    this.#parts = parts;
  }

  /**
   * Installs a program, unless exactly this one is there already: from the same address, with the same checksum, and
   * run in the same way. Rejects with a `RegistryError`, or with the signal's reason;
   * nothing is half installed then.
   */
  async install(id: string, binary: RegistryBinary, task: InstallTask): Promise<InstalledVersion> {
    const { log } = this.#parts;
    const kind = kindOfAddress(binary.archive);
    if (kind === undefined || isDeviceName(id)) {
      throw new RegistryError(
        l10n.t(
          'The program is packed in a way that can’t be unpacked here. Install it as its page says.',
        ),
        `${binary.archive} is of no kind that is unpacked`,
      );
    }
    const found = await this.#find(id, binary);
    if (found !== undefined) {
      return found;
    }
    try {
      return await this.#exclusively(task, async () => {
        // Another window may have been faster.
        return (await this.#find(id, binary)) ?? (await this.#install(id, binary, kind, task));
      });
    } catch (error) {
      task.signal.throwIfAborted();
      const trouble = error instanceof UnpackError ? getRefusal(error) : getTrouble(error);
      log.warn(`${id} ${binary.version} isn't installed: ${trouble.message} (${trouble.detail})`);
      throw trouble;
    }
  }

  /** The versions of an agent that are installed, the newest first. */
  async versions(id: string): Promise<readonly InstalledVersion[]> {
    const { folder } = this.#parts;
    const names = await readdir(path.join(folder, id)).catch(() => []);
    const read = await Promise.all(
      names.slice(0, maxVersions).map((name) => readInstalledVersion(folder, id, name)),
    );
    return read
      .filter((version) => version !== undefined)
      .sort((a, b) => (isNewer(a.binary.version, b.binary.version) ? -1 : 1));
  }

  /** Deletes a version; `false` if something runs from its folder. */
  async remove(
    { id, name }: Pick<InstalledVersion, 'id' | 'name'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const folder = versionFolder(this.#parts.folder, id, name);
    return this.#exclusively({ signal, onStep: () => undefined }, async () => {
      if (await this.#parts.isRunning(folder)) {
        return false;
      }
      // Windows renames no folder from which something runs.
      const isMoved = await this.#putAside(folder).then(
        () => true,
        () => false,
      );
      await this.#sweep();
      // Only if it was the last one.
      await rmdir(path.dirname(folder)).catch(() => undefined);
      return isMoved;
    });
  }

  /** What was recorded must be what is agreed to now, in all of its parts. */
  async #find(id: string, binary: RegistryBinary): Promise<InstalledVersion | undefined> {
    const found = await readInstalledVersion(this.#parts.folder, id, versionName(binary));
    return found !== undefined && isSameBinary(found.binary, binary) ? found : undefined;
  }

  async #install(
    id: string,
    binary: RegistryBinary,
    kind: ArchiveKind,
    { signal, onStep }: InstallTask,
  ): Promise<InstalledVersion> {
    const { folder, platform } = this.#parts;
    const { version, archive: address, sha256, cmd } = binary;
    const staging = path.join(folder, `.new-${randomBytes(8).toString('hex')}`);
    const whole = path.join(staging, 'whole');
    const archive = path.join(staging, 'archive');
    try {
      await mkdir(whole, { recursive: true });
      await download({
        ...this.#parts,
        ...{ address, sha256, signal, file: archive, limits: downloadLimits },
        registry: this.#parts.registry(),
        onProgress: (bytes, total) => onStep({ kind: 'download', bytes, total }),
      });
      onStep({ kind: 'unpack' });
      const files = path.join(whole, versionParts.files);
      await this.#parts.unpack(
        { archive, kind, folder: files, cmd, platform, limits: unpackLimits },
        signal,
      );
      const record = JSON.stringify({ ...binary, cmd: cmd.join('/') });
      await createFile(path.join(whole, versionParts.record), record);
      signal.throwIfAborted();
      const target = versionFolder(folder, id, versionName(binary));
      await mkdir(path.dirname(target), { recursive: true });
      // Something that isn't whole is in the way.
      await this.#putAside(target).catch(() => undefined);
      await whileHeld(() => rename(whole, target));
    } finally {
      await this.#sweep();
    }
    const installed = await this.#find(id, binary);
    if (installed === undefined) {
      throw new UnpackError('noProgram', `${id} ${version} can't be read after it was installed`);
    }
    return installed;
  }

  /** Works while no other window does, once what others have left is gone. */
  async #exclusively<T>({ signal, onStep }: InstallTask, work: () => Promise<T>): Promise<T> {
    const { folder, log } = this.#parts;
    await mkdir(folder, { recursive: true });
    const lock = new FileLock(path.join(folder, '.lock'), randomBytes(8).toString('hex'));
    try {
      for (let taken = lock.take(); taken !== 'taken'; taken = lock.take()) {
        if (taken === 'impossible') {
          throw new RegistryError(
            l10n.t('A file of the extension’s storage can’t be written. Nothing was installed.'),
            `${folder} can't be locked`,
          );
        }
        log.debug(lock.holder);
        onStep({ kind: 'waiting' });
        await pause(lockPause, undefined, { signal });
      }
      await this.#sweep();
      return await work();
    } finally {
      lock.dispose();
    }
  }

  async #putAside(folder: string): Promise<void> {
    const aside = path.join(this.#parts.folder, `.old-${randomBytes(8).toString('hex')}`);
    await whileHeld(() => rename(folder, aside));
  }

  /** Removes what was left behind; only for the one who has the lock. */
  async #sweep(): Promise<void> {
    const { folder } = this.#parts;
    sweepLocks(folder, '.lock');
    for (const name of await readdir(folder)) {
      if (/^\.(?:new|old)-[\da-f]+$/.test(name)) {
        await this.#delete(path.join(folder, name));
      }
    }
  }

  async #delete(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      this.#parts.log.warn(`${folder} isn't deleted: ${getStack(error)}`);
    }
  }
}

function getRefusal({ problem, message }: UnpackError): RegistryError {
  return new RegistryError(words[problem](), `${problem}: ${message}`);
}

const words: Readonly<Record<UnpackProblem, () => string>> = {
  unsafe: () =>
    l10n.t(
      'The archive would write outside of its folder, or over its own files. It was deleted, and nothing was installed.',
    ),
  tooLarge: () =>
    l10n.t(
      'The archive is too large when it is unpacked. It was deleted, and nothing was installed.',
    ),
  broken: () => l10n.t('The archive is damaged. It was deleted, and nothing was installed.'),
  otherKind: () =>
    l10n.t(
      'What was downloaded isn’t the kind of file that its name says. It was deleted, and nothing was installed.',
    ),
  noProgram: () =>
    l10n.t(
      'The archive doesn’t contain the program that the registry names. It was deleted, and nothing was installed.',
    ),
  noRoom: () => l10n.t('There is no room left on the disk. Nothing was installed.'),
  failed: () => l10n.t('The archive couldn’t be unpacked. Nothing was installed.'),
};
