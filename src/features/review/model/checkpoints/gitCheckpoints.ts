import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isRootLike } from '../../../../model/files/paths';
import { isInside } from '../../../../model/files/roots';
import { GitFailure } from '../../../../model/git/gitProcess';
import { findRepository } from '../../../../model/places/repository';
import type { Log, RealPath } from '../../../../model/ports';
import { inSequence } from '../../../../util/async';
import type { Disposable } from '../../../../util/disposable';
import type { Blobs, FileState } from '../record/fileState';
import type { Checkpoint, Checkpoints, NoCheckpoint, TreeChange } from './checkpoints';
import { GitStore, isGone, type StoreLimits, usualLimits } from './gitStore';
import { TooMuch } from './measure';
import { throwAway } from './privateGit';
import { changesBetween, earlierIn } from './treeChanges';

export interface GitCheckpointsOptions {
  /** The folder in which reviews and checkpoints are stored. */
  readonly storage: string;
  /** The git program; `undefined`: there is none. */
  readonly git: () => Promise<string | undefined>;
  /** Why nothing may be recorded at present. */
  readonly hindrance: () => 'off' | 'untrusted' | undefined;
  readonly realPath: RealPath;
  readonly log: Log;
  readonly limits?: Partial<StoreLimits>;
}

/** A folder in a checkpoint. */
interface Part {
  /** The folder's real path. */
  readonly folder: string;
  /** The folder as the caller spelled it. */
  readonly spelled: string;
  readonly store: GitStore;
  readonly tree: string;
}

/** A folder that is recorded here, with everything that waits for it. */
interface Recorded {
  readonly inTurn: ReturnType<typeof inSequence>;
  store: GitStore | undefined;
  /** No checkpoint is attempted before this time, in ms since the epoch. */
  restsUntil: number;
}

/** A folder whose first checkpoint took too long is tried again after this multiple of the time limit. */
const restFactor = 12;
/** Repositories inside the folders of one checkpoint; further ones aren't recorded. */
const maxNestedRepositories = 32;

/**
 * Records folders in git directories of ours, without touching the user's repository, and without
 * running anything that a repository asks for.
 */
export class GitCheckpoints implements Checkpoints, Disposable {
  readonly #options: GitCheckpointsOptions;
  readonly #limits: StoreLimits;
  readonly #recorded = new Map<string, Recorded>();
  readonly #parts = new WeakMap<Checkpoint, readonly Part[]>();
  readonly #ending = new AbortController();

  constructor(options: GitCheckpointsOptions) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
  }

  async take(folders: readonly string[]): Promise<Checkpoint | NoCheckpoint> {
    const began = Date.now();
    const hindrance = this.#options.hindrance();
    if (hindrance !== undefined) {
      return hindrance;
    }
    try {
      const parts: Part[] = [];
      for (const [folder, spelled] of await this.#realFolders(folders)) {
        if (!(await this.#isCovered(parts, folder))) {
          await this.#takeInto(parts, folder, spelled);
        }
      }
      const checkpoint = { began, ended: Date.now() };
      this.#parts.set(checkpoint, parts);
      return checkpoint;
    } catch (error) {
      return this.#getReason(error);
    }
  }

  async prepare(folders: readonly string[]): Promise<Checkpoint | NoCheckpoint> {
    const taken = await this.take(folders);
    const parts = typeof taken === 'string' ? undefined : this.#parts.get(taken);
    for (const { folder, store } of parts ?? []) {
      void this.#recorded.get(folder)?.inTurn(() => store.expectAnother());
    }
    return taken;
  }

  /** Rejects if what was recorded is gone or damaged. */
  async changes(from: Checkpoint, to: Checkpoint, blobs: Blobs): Promise<readonly TreeChange[]> {
    const before = new Map(this.#parts.get(from)?.map((part) => [part.folder, part]));
    const found: TreeChange[] = [];
    for (const part of this.#parts.get(to) ?? []) {
      const old = before.get(part.folder);
      // What is in a repository that has just appeared isn't compared with anything.
      if (old !== undefined && old.tree !== part.tree) {
        if (old.store !== part.store) {
          throw new Error(`The checkpoints of ${part.folder} were begun anew in between`);
        }
        found.push(...(await this.#getChanges(part, old.tree, blobs)));
      }
    }
    return found;
  }

  async earlier(
    checkpoint: Checkpoint,
    file: string,
    now: Uint8Array | undefined,
    blobs: Blobs,
  ): Promise<FileState | undefined> {
    const around = (this.#parts.get(checkpoint) ?? []).filter(({ spelled }) =>
      isInside(file, [spelled]),
    );
    // A repository inside another folder has its own files.
    const part = around.sort((a, b) => b.spelled.length - a.spelled.length)[0];
    if (part === undefined) {
      return undefined;
    }
    const { store, tree, folder, spelled } = part;
    const real = path.join(folder, path.relative(spelled, file));
    const name = path.relative(store.top, real).split(path.sep).join('/');
    return earlierIn(store, tree, { name, now }, blobs);
  }

  /** Ends every program that is running. */
  dispose(): void {
    this.#ending.abort();
  }

  /** Ends every program that is running, and leaves what was recorded to the next window, which begins with it. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.all(
      [...this.#recorded.values()].map((recorded) =>
        recorded.inTurn(async () => recorded.store?.close()),
      ),
    );
  }

  async #getChanges(part: Part, from: string, blobs: Blobs): Promise<readonly TreeChange[]> {
    const { store, folder, spelled } = part;
    const { changes, leftOut, isDamaged } = await changesBetween(store, from, part.tree, blobs);
    if (leftOut > 0) {
      this.#options.log.info(`${leftOut} files of ${folder} have names that aren’t recorded`);
    }
    if (isDamaged) {
      await this.#beginAnew(folder, store, 'contents are missing');
    }
    const place = (name: string): string =>
      path.join(spelled, path.relative(folder, path.join(store.top, ...name.split('/'))));
    return changes.map(({ name, movedFrom, before, after }) => ({
      file: place(name),
      before,
      after,
      ...(movedFrom === undefined ? {} : { movedFrom: place(movedFrom) }),
    }));
  }

  /** The real paths of the folders, each with its given spelling; outer folders come before those inside them. */
  async #realFolders(folders: readonly string[]): Promise<readonly (readonly [string, string])[]> {
    const found = new Map<string, string>();
    for (const spelled of folders) {
      const real = await this.#options.realPath(spelled);
      if (real === undefined) {
        throw new Error(`${spelled} is gone`);
      }
      found.set(real, found.get(real) ?? spelled);
    }
    return [...found].sort(([a], [b]) => a.length - b.length);
  }

  /** Adds the folder and the repositories inside it, unless they are there already. */
  async #takeInto(parts: Part[], folder: string, spelled: string): Promise<void> {
    if (parts.some((part) => part.folder === folder)) {
      return;
    }
    const part = await this.#takeOne(folder, spelled);
    parts.push(part);
    for (const nested of part.store.nested) {
      if (parts.length > maxNestedRepositories) {
        this.#options.log.warn(
          `More than ${maxNestedRepositories} repositories in ${spelled}: the rest isn’t recorded`,
        );
        return;
      }
      if (this.#recorded.get(nested)?.store === undefined && (await isGone(nested))) {
        continue;
      }
      await this.#takeInto(parts, nested, path.join(spelled, path.relative(folder, nested)));
    }
  }

  /** Whether a folder is recorded as a part of an outer one, which a repository never is. */
  async #isCovered(parts: readonly Part[], folder: string): Promise<boolean> {
    const around = parts.filter((part) => isInside(folder, [part.folder]));
    if (around.length === 0) {
      return false;
    }
    const top = (await findRepository(folder, this.#options.realPath))?.top;
    return around.some(({ store }) => (top ?? store.top) === store.top);
  }

  #takeOne(folder: string, spelled: string): Promise<Part> {
    const recorded = this.#recorded.get(folder) ?? {
      inTurn: inSequence(),
      store: undefined,
      restsUntil: 0,
    };
    this.#recorded.set(folder, recorded);
    return recorded.inTurn(async () => {
      const { store } = recorded;
      if (store !== undefined && (await isGone(folder))) {
        return { folder, spelled, store, tree: store.emptyTree };
      }
      if (Date.now() < recorded.restsUntil) {
        throw new GitFailure('timeout', `${folder} took too long before`);
      }
      try {
        recorded.store ??= await this.#open(folder);
        return { folder, spelled, store: recorded.store, tree: await recorded.store.take() };
      } catch (error) {
        await this.#afterFailure(folder, recorded, error);
        throw error;
      }
    });
  }

  async #open(folder: string): Promise<GitStore> {
    const { storage, realPath } = this.#options;
    if (isRootLike(folder)) {
      throw new TooMuch('tooManyFiles');
    }
    const git = await this.#options.git();
    if (git === undefined) {
      throw new GitFailure('missing', 'There is no git');
    }
    const parent = path.join(storage, folderId(folder));
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return GitStore.open({
      folder,
      directory: path.join(parent, 'git'),
      storage: (await realPath(storage)) ?? storage,
      git,
      realPath,
      limits: this.#limits,
      signal: this.#ending.signal,
    });
  }

  /** A store that can't be used is begun anew, and so is one that became too large. */
  async #afterFailure(folder: string, recorded: Recorded, error: unknown): Promise<void> {
    const isHarmless =
      error instanceof GitFailure && ['missing', 'timeout', 'cancelled'].includes(error.problem);
    const { store } = recorded;
    const isTooLong = error instanceof GitFailure && error.problem === 'timeout';
    if (isTooLong && store?.isBegun !== true) {
      recorded.restsUntil = Date.now() + restFactor * this.#limits.firstMs;
    }
    if (isHarmless && store !== undefined) {
      return;
    }
    recorded.store = undefined;
    if (!isHarmless) {
      const directory = path.join(this.#options.storage, folderId(folder), 'git');
      await throwAway(directory).catch(() => undefined);
    }
  }

  #getReason(error: unknown): NoCheckpoint {
    if (error instanceof TooMuch) {
      return error.reason;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.#options.log.warn(`No checkpoint: ${message}`);
    return error instanceof GitFailure && error.problem === 'missing' ? 'noGit' : 'failed';
  }

  async #beginAnew(folder: string, store: GitStore, why: string): Promise<void> {
    this.#options.log.warn(`The checkpoints of ${folder} begin anew: ${why}`);
    const recorded = this.#recorded.get(folder);
    if (recorded?.store === store) {
      recorded.store = undefined;
      await recorded.inTurn(() => store.throwAway());
    }
  }
}

/** The name of the folder that has everything about a folder of the user's, by its real path. */
export function folderId(real: string): string {
  return createHash('sha256').update(real).digest('hex').slice(0, 16);
}
