import { lstat, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../../model/files/roots';
import {
  GitFailure,
  type GitRun,
  mustGit,
  runGit,
  streamGit,
  toFailure,
} from '../../../../model/git/gitProcess';
import { findRepository, type Repository } from '../../../../model/places/repository';
import type { RealPath } from '../../../../model/ports';
import { readComplaint } from './addComplaint';
import { Excludes } from './excludes';
import { maxBlobBytes } from './folderOfBlobs';
import { distrust, gitlink, type IndexEntry, type ObjectFormat, readIndex } from './gitIndex';
import { type Amount, checkAmount, getAmount, measure } from './measure';
import { plainRules } from './plainRules';
import {
  alsoReading,
  getEnvironment,
  openPrivateGit,
  type PrivateGit,
  throwAway,
} from './privateGit';
import {
  copyIndex,
  finishIndex,
  leaveIndex,
  ownIndex,
  readIndexFile,
  writeIndex,
} from './privateIndex';
import { readSizes } from './sizes';
import { mayConvert, readUserFacts, type UserFacts } from './userGit';
import { WaitingCheck } from './waitingCheck';

export interface StoreLimits {
  /** The amount of a folder without Git. */
  readonly plain: Amount;
  /** The amount that is copied when a folder with Git is recorded for the first time. */
  readonly repository: Amount;
  /** Time limit of one program when a folder is recorded for the first time. */
  readonly firstMs: number;
  readonly laterMs: number;
  /** Maximum size of a file whose content is kept, in bytes. */
  readonly largest: number;
}

export const usualLimits: StoreLimits = {
  plain: { files: 20_000, bytes: 500_000_000 },
  repository: { files: 200_000, bytes: 2_000_000_000 },
  firstMs: 300_000,
  laterMs: 60_000,
  largest: maxBlobBytes,
};

export interface StoreOptions {
  /** The recorded folder, by its real path. */
  readonly folder: string;
  /** The private git directory; its parent exists. */
  readonly directory: string;
  /** The folder in which all records are stored; it may be inside the recorded folder. */
  readonly storage: string;
  readonly git: string;
  readonly realPath: RealPath;
  readonly limits: StoreLimits;
  readonly signal: AbortSignal;
}

const emptyTrees = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;
/** Number of attributes files beyond which Git is assumed to convert contents. */
const maxAttributeFiles = 200;
const maxAttempts = 3;

/**
 * Records a folder in a git directory of ours. Its functions must be called one after the other. After one has
 * rejected, the store has to be opened again.
 */
export class GitStore {
  readonly #options: StoreOptions;
  readonly #private: PrivateGit;
  readonly #repository: Repository | undefined;
  readonly #user: UserFacts;
  readonly #excludes: Excludes;
  /** Repositories inside the folder, relative to the top, as strings whose units are bytes. */
  readonly #nested = new Set<string>();
  #index: string;
  #isFirst = true;
  /** What the index file looked like when `#tree` was written from it. */
  #seen = '';
  #tree: string;
  #amount: Amount = { files: 0, bytes: 0 };
  #check: WaitingCheck | undefined;

  private constructor(
    options: StoreOptions,
    own: PrivateGit,
    repository: Repository | undefined,
    user: UserFacts,
    index: string,
  ) {
    this.#options = options;
    this.#private = own;
    this.#repository = repository;
    this.#user = user;
    this.#index = index;
    this.#excludes = new Excludes(own.directory);
    this.#tree = emptyTrees[own.format];
  }

  /** Rejects with `GitFailure`, with `TooMuch` or with an error of the file system. */
  static async open(options: StoreOptions): Promise<GitStore> {
    const { folder, directory, git, realPath, signal } = options;
    const user = await readUserFacts(git, folder, signal);
    const repository = await findRepository(folder, realPath);
    const top = repository?.top ?? folder;
    const own = await openPrivateGit({ directory, top, user });
    const { file, isNew } = await ownIndex(directory, user.format);
    try {
      let store = new GitStore(options, own, repository, user, file);
      await store.#writeExcludes();
      const below = repository?.below ?? '';
      if (below !== '' && (await store.leavesOut(below))) {
        store = new GitStore(options, own, undefined, user, file);
        await store.#writeExcludes();
      }
      await store.#begin(isNew);
      store.#index = await finishIndex(file);
      return store;
    } catch (error) {
      await unlink(file).catch(() => undefined);
      throw error;
    }
  }

  get top(): string {
    return this.#repository?.top ?? this.#options.folder;
  }

  /** What is recorded instead of contents that Git LFS stores elsewhere begins with this. */
  get filteredMark(): string {
    return this.#private.filteredMark;
  }

  /** Larger contents aren't kept. */
  get largest(): number {
    return this.#options.limits.largest;
  }

  /** Whether the folder was recorded once. */
  get isBegun(): boolean {
    return !this.#isFirst;
  }

  get format(): ObjectFormat {
    return this.#private.format;
  }

  get emptyTree(): string {
    return emptyTrees[this.#private.format];
  }

  /** The repositories inside the folder, by absolute path. They need stores of their own. */
  get nested(): readonly string[] {
    return [...this.#nested].flatMap((name) => {
      const text = Buffer.from(name, 'latin1').toString('utf8');
      const isWhole = Buffer.from(text, 'utf8').toString('latin1') === name;
      return isWhole ? [path.join(this.top, ...text.split('/'))] : [];
    });
  }

  /** Records the folder; returns the id of a tree. */
  async take(): Promise<string> {
    await this.#writeExcludes();
    if (await this.#isUnchanged()) {
      return this.#tree;
    }
    if (this.#repository === undefined && !this.#isFirst) {
      await this.#measureOthers(() => undefined);
    }
    // The git process that created it has ended.
    await unlink(`${this.#index}.lock`).catch(() => undefined);
    await this.#add();
    const seen = await this.#look();
    if (seen !== this.#seen) {
      await this.#checkEntries();
      this.#tree = seen === '' ? this.emptyTree : await this.#writeTree();
      // Without repositories that have appeared.
      this.#seen = await this.#look();
    }
    this.#isFirst = false;
    return this.#tree;
  }

  /** Prepares for a `take` that follows the last one soon, which is then quick if nothing changes until then. */
  expectAnother(): Promise<void> {
    const [, folder = '.'] = this.pathspec;
    this.#check ??= new WaitingCheck((args, input) => this.#run(args, input), [folder]);
    return Promise.resolve();
  }

  async #isUnchanged(): Promise<boolean> {
    const check = this.#check;
    this.#check = undefined;
    return (await check?.isUnchanged()) === true && (await this.#look()) === this.#seen;
  }

  /** Prepares git for this store. Paths are relative to the top. */
  #run(args: readonly string[], input?: GitRun['input']): GitRun {
    const { git, limits, signal } = this.#options;
    return {
      git,
      args,
      cwd: this.top,
      environment: getEnvironment(this.#private, this.top, this.#index),
      limitMs: this.#isFirst ? limits.firstMs : limits.laterMs,
      signal,
      ...(input === undefined ? {} : { input }),
    };
  }

  /**
   * Prepares git for reading what the store and the repository have. The recorded folder may be
   * gone.
   */
  reading(args: readonly string[], input?: Uint8Array | string): GitRun {
    const run = this.#run(args, input);
    const objects = this.#repository && path.join(this.#repository.common, 'objects');
    const environment = { ...run.environment, ...alsoReading(objects) };
    return { ...run, environment, cwd: this.#private.directory };
  }

  /** Arguments that limit git to the recorded folder. */
  get pathspec(): readonly string[] {
    const below = this.#repository?.below ?? '';
    return below === '' ? [] : ['--', `:(top,literal)${below.split(path.sep).join('/')}`];
  }

  /** Leaves the index to the next process. */
  close(): Promise<void> {
    return leaveIndex(this.#index);
  }

  /** Deletes everything that was recorded. */
  async throwAway(): Promise<void> {
    // On Windows, nothing can be deleted that a process has open.
    await this.#isUnchanged();
    await throwAway(this.#private.directory);
  }

  async #writeExcludes(): Promise<void> {
    const { storage } = this.#options;
    const below = path.relative(this.top, storage).split(path.sep).join('/');
    const ours = isInside(storage, [this.top]) && below !== '' ? [toBytes(below)] : [];
    await this.#excludes.write({
      rules: this.#repository === undefined ? plainRules : [],
      file: this.#repository && path.join(this.#repository.common, 'info', 'exclude'),
      folders: [...ours, ...this.#nested],
    });
  }

  /** Whether a path below the top stays out of what is recorded, unless git tracks it. */
  async leavesOut(name: string): Promise<boolean> {
    // Without the dot, a colon at the beginning would mean something.
    return (await runGit(this.#run(['check-ignore', '-q', '--', `./${name}`]))).code === 0;
  }

  async #begin(isNew: boolean): Promise<void> {
    if (isNew && this.#repository !== undefined) {
      await this.#adopt(this.#repository);
    } else {
      await this.#measureOthers(() => undefined);
    }
  }

  /**
   * Starts from the repository's index, so that git needn't read its files again; from its names only, if git may store
   * other bytes than those on the disk.
   */
  async #adopt({ directory, common }: Repository): Promise<void> {
    if (!(await copyIndex(path.join(directory, 'index'), this.#index))) {
      await this.#measureOthers(() => undefined);
      return;
    }
    const rewrite = ['update-index', '--force-write-index', '--index-version', '2'];
    const { code } = await runGit({
      ...this.reading(rewrite),
      // Git looks here at files that are as new as the index.
      cwd: this.top,
    });
    const file = await readIndexFile(this.#index);
    const entries = code === 0 && file ? readIndex(file.bytes, this.#private.format) : undefined;
    if (file === undefined || entries === undefined) {
      // Parts of it are elsewhere, or it is damaged: everything is read.
      await unlink(this.#index).catch(() => undefined);
      await this.#measureOthers(() => undefined);
      return;
    }
    const attributes = entries.filter(({ name }) => isAttributes(name)).map(({ name }) => name);
    await this.#measureOthers((name) => {
      const text = name.toString('latin1');
      if (isAttributes(text)) {
        attributes.push(text);
      }
    });
    const files = attributes.map((name) => path.join(this.top, fromBytes(name)));
    const apart = [path.join(common, 'info', 'attributes'), this.#user.attributesFile];
    const isConverted =
      this.#user.converts ||
      files.length > maxAttributeFiles ||
      (await mayConvert(apart, false)) ||
      (await mayConvert(files, true));
    const isDoubtful = isConverted ? () => true : await this.#otherSizes(entries);
    if (isConverted) {
      const { limits } = this.#options;
      checkAmount(getAmount(entries), limits.repository);
    }
    distrust(file.bytes, entries, this.#private.format, isDoubtful);
    await writeIndex(this.#index, file.bytes, file.mtimeMs);
    await this.#leaveOut(entries.filter(({ mode }) => mode === gitlink).map(({ name }) => name));
  }

  /** Finds the files whose size on the disk isn't that of their content in git, or whose content git doesn't have. */
  async #otherSizes(entries: readonly IndexEntry[]): Promise<(entry: IndexEntry) => boolean> {
    const ids = [...new Set(entries.filter(({ mode }) => mode !== gitlink).map(({ id }) => id))];
    const sizes = await readSizes((args, input) => this.reading(args, input), ids);
    return ({ id, size }) => {
      const known = sizes.get(id);
      return known === undefined || known % 2 ** 32 !== size;
    };
  }

  /** Measures what is about to be recorded for the first time; rejects if it is too much. */
  async #measureOthers(watch: (name: Buffer) => void): Promise<void> {
    const { limits } = this.#options;
    const isPlain = this.#repository === undefined;
    const run = this.#run(['ls-files', '-o', '-z', '--exclude-standard', ...this.pathspec]);
    const already = isPlain ? this.#amount : { files: 0, bytes: 0 };
    const bounds = { already, limit: isPlain ? limits.plain : limits.repository };
    const { code, complaint } = await streamGit(run, (output) =>
      measure(output, this.top, bounds, watch),
    );
    if (code !== 0) {
      throw toFailure(run, code, complaint);
    }
  }

  /** What git can't read stays as it was recorded before. */
  async #add(): Promise<void> {
    const run = this.#run(['add', '-A', '--ignore-errors', ...this.pathspec]);
    for (let attempt = 1; ; attempt++) {
      const { code, complaint } = await runGit(run);
      if (code === 0) {
        return;
      }
      const { isHarmless, isPassing, emptyRepositories } = readComplaint(complaint);
      if (code === 1 && isHarmless) {
        await this.#leaveOut(emptyRepositories.map(toBytes));
        return;
      }
      if (attempt === maxAttempts || !isPassing) {
        throw toFailure(run, code, complaint);
      }
    }
  }

  /** Bounds what is recorded, and takes repositories out: git would look into them. */
  async #checkEntries(): Promise<void> {
    const file = await readIndexFile(this.#index);
    if (file === undefined) {
      return;
    }
    const entries = readIndex(file.bytes, this.#private.format);
    if (entries === undefined) {
      throw new GitFailure('exit', 'The private index can’t be read');
    }
    if (this.#repository === undefined) {
      this.#amount = getAmount(entries);
      checkAmount(this.#amount, this.#options.limits.plain);
    }
    await this.#leaveOut(entries.filter(({ mode }) => mode === gitlink).map(({ name }) => name));
  }

  async #leaveOut(names: readonly string[]): Promise<void> {
    if (names.length > 0) {
      for (const name of names) {
        // A submodule that wasn't fetched is a folder like any other.
        if (!(await isGone(path.join(this.top, fromBytes(name), '.git')))) {
          this.#nested.add(name);
        }
      }
      const input = Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');
      await mustGit(this.#run(['update-index', '--force-remove', '-z', '--stdin'], input));
      await this.#writeExcludes();
    }
  }

  /** A content that only the repository's own store had may be missing; that is noticed when it is needed. */
  async #writeTree(): Promise<string> {
    const output = await mustGit(this.#run(['write-tree', '--missing-ok']));
    return output.toString('latin1').trim();
  }

  /** Changes whenever the index file does: git replaces it as a whole. */
  async #look(): Promise<string> {
    try {
      const { ino, mtimeNs, size } = await stat(this.#index, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch {
      return '';
    }
  }
}

/** Whether there is nothing at this path. */
export async function isGone(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => undefined)) === undefined;
}

function isAttributes(name: string): boolean {
  return name === '.gitattributes' || name.endsWith('/.gitattributes');
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function fromBytes(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
