import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { getMark, isMark, mayLive } from './processMark';

/**
 * The lock of the index, of the folder of installed agents, and of texts that windows merge: only one worker of one
 * process on this machine holds it at a time. A window that installs counts as a worker.
 *
 * The lock is a folder that contains one file, the claim. The name of the claim identifies the holder: its
 * process id, when that process and the machine were started, and a number of the worker. Each step is a
 * single atomic operation of the file system:
 *
 * - Acquiring: a folder with the claim, prepared beside the lock, is renamed to the lock's name. That fails
 *   as long as a non-empty folder has this name, so only one of several contenders succeeds, and nobody ever
 *   sees a lock without the name of its holder.
 * - Releasing: the folder is renamed back, to be reused. A worker that ends deletes it.
 * - Taking over from a dead holder: its claim is deleted by name, which is unique. A contender that is late
 *   deletes nothing, because the claim of a new holder has a different name.
 *
 * Guarantees, each with the test that kills, stops or imitates real processes (in
 * `test/unit/features/search/index/searchLock.test.ts` unless another file is named):
 *
 * - A suspended process keeps its lock for as long as it is suspended ("a window that sleeps while it writes
 *   loses nothing, and neither do the others"). Only a holder that is known to be gone loses it: the process doesn't
 *   exist, its id belongs to another process by now, or the machine was restarted since ("is taken from a
 *   process that is no more", "… whose number another one has by now", "… from before the machine was
 *   started"). If that can't be determined (the holder is in another container, or its id was reused on a
 *   system without `/proc`), the holder counts as alive: others wait, and report for whom ("is not taken from
 *   a process that lives", "… a container whose processes can’t be seen", "… a process of which the system
 *   doesn’t say when it was started").
 * - A process that dies while holding the lock frees it for the next one that looks ("a window that is killed
 *   while it holds the lock frees it at once"). The journal rolls back what it has half written; the next
 *   holder reads the journal before anything else (`searchTrouble.test.ts`: "outlives a window that is killed
 *   while it writes", "takes back what a window has left half done"). If only a worker dies, its window frees
 *   the lock (`freeLock`; `searchFaults.test.ts`: "asks another worker when one ends while it writes", "… ends
 *   while it gives the lock back", "settles what was asked of a worker that says nothing any more"). What a
 *   process leaves beside the lock when it dies while acquiring it is swept ("what was left by a process that died
 *   while it took the lock goes").
 * - Two windows that write do so one after the other ("many windows that write at a time lose nothing"). Before
 *   each write to the file, the holder checks that its claim still exists (`isHeld`, called by `lockedFs.ts`),
 *   so that even if its lock was deleted by hand, it writes no more ("a window that wakes without its lock
 *   writes nothing until it has the lock again"). The check and the write are two steps: a lock that is deleted
 *   by hand between them is the one case in which two windows could write, and what that damages is rebuilt
 *   (`searchDamage.test.ts`).
 * - Where nobody can write, the index is read without the lock (`searchFaults.test.ts`: "can be read where
 *   nothing can be written").
 * - Whatever else has the lock's name is no lock ("is taken where there is something else in its place").
 * - No clock is read, so none can be wrong (the tests above set the lock's times to 1970). Machines that can't
 *   see each other's processes have separate indexes (`machine.ts`; `searchHostile.test.ts`: "has an index of
 *   its own on each machine").
 *
 * `npm run soak -- --only index` repeats all of this with random deaths and pauses.
 */

/** `impossible`: the lock's folder isn't writable for anyone. */
export type Taken = 'taken' | 'busy' | 'impossible';

/** Another contender may be faster each time; then it holds the lock. */
const maxTries = 3;

export class FileLock {
  readonly #folder: string;
  readonly #claim: string;
  /** The path of the folder with the claim while the lock isn't held. */
  readonly #beside: string;
  #holder: string | undefined;
  #isTaken = false;

  /** `worker`: hexadecimal; unique among the workers that are alive. */
  constructor(folder: string, worker: string) {
    this.#folder = folder;
    this.#claim = getMark(worker);
    this.#beside = `${folder}.${this.#claim}`;
  }

  /** The holder that the last attempt found, as text for the log. */
  get holder(): string {
    return `${this.#folder} is held by process ${this.#holder?.split('_')[0] ?? 'unknown'}`;
  }

  take(): Taken {
    // The last release failed.
    if (this.#isTaken && this.isHeld()) {
      return 'taken';
    }
    this.#isTaken = false;
    for (let tries = 0; tries < maxTries; tries++) {
      this.#holder = livingHolder(this.#folder);
      if (this.#holder !== undefined && this.#holder !== this.#claim) {
        return 'busy';
      }
      const taken = this.#holder === this.#claim ? 'taken' : this.#publish();
      if (taken !== 'busy') {
        this.#isTaken = taken === 'taken';
        return taken;
      }
    }
    return 'busy';
  }

  /** Checks the disk, because the lock may have been deleted by hand. */
  isHeld(): boolean {
    return this.#isTaken && existsSync(`${this.#folder}/${this.#claim}`);
  }

  /** If the release fails, the lock stays held and is released after its next use. */
  release(): void {
    const isBack =
      this.#isTaken &&
      ((this.isHeld() && attempt(() => renameSync(this.#folder, this.#beside))) ||
        deleteClaim(this.#folder, this.#claim));
    if (isBack) {
      this.#isTaken = false;
    }
  }

  /** Removes everything beside the lock, which can still be taken again. */
  dispose(): void {
    this.release();
    deleteClaim(this.#beside, this.#claim);
  }

  #publish(): Taken {
    if (attempt(() => renameSync(this.#beside, this.#folder))) {
      return 'taken';
    }
    try {
      makeFolder(this.#beside);
      closeSync(openSync(`${this.#beside}/${this.#claim}`, 'w'));
      renameSync(this.#beside, this.#folder);
      return 'taken';
    } catch (error) {
      deleteClaim(this.#beside, this.#claim);
      return this.#isInTheWay(findCode(error)) ? 'busy' : 'impossible';
    }
  }

  #isInTheWay(code: string | undefined): boolean {
    switch (code) {
      case 'EEXIST':
      case 'ENOTEMPTY':
        return true;
      case 'ENOTDIR':
        // Not a folder, so nobody's lock.
        return attempt(() => unlinkSync(this.#folder));
      case 'EPERM':
      case 'EACCES':
      case 'EBUSY':
        // The codes that Windows reports.
        return existsSync(this.#folder);
      default:
        return false;
    }
  }
}

/** Frees the lock of a worker of this process that has ended. */
export function freeLock(folder: string, worker: string): void {
  const claim = getMark(worker);
  deleteClaim(folder, claim);
  deleteClaim(`${folder}.${claim}`, claim);
}

/** Deletes what processes left beside the lock when they died while acquiring it. */
export function sweepLocks(folder: string, name: string): void {
  for (const other of readdirSync(folder)) {
    const claim = other.startsWith(`${name}.`) ? other.slice(name.length + 1) : '';
    if (isMark(claim) && !mayLive(claim)) {
      deleteClaim(`${folder}/${other}`, claim);
    }
  }
}

/** The claim of a holder that may be alive; deletes the claims of dead ones. */
function livingHolder(folder: string): string | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const living = names.find(mayLive);
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (living === undefined && isFolder) {
    for (const name of names) {
      attempt(() => unlinkSync(`${folder}/${name}`));
    }
  }
  if (living === undefined) {
    // Windows can't rename onto a folder, not even an empty one; a non-empty folder stays.
    attempt(() => rmdirSync(folder));
  }
  return living;
}

/** Returns whether the claim is gone. */
function deleteClaim(folder: string, claim: string): boolean {
  const isGone =
    attempt(() => unlinkSync(`${folder}/${claim}`)) || !existsSync(`${folder}/${claim}`);
  attempt(() => rmdirSync(folder));
  return isGone;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (findCode(error) !== 'EEXIST') {
      throw error;
    }
  }
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function findCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
