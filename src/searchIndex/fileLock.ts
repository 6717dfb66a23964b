import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import process from 'node:process';

/**
 * The lock of the index: one worker of one process on this machine holds it at a time.
 *
 * The lock is a folder with one file in it, the claim, whose name says who holds the lock: process, when that
 * process and the machine were started, and a number of the worker's own. Each step is one that the file system
 * does whole or not at all:
 *
 * - Taking: a folder with the claim, which was made beside, is renamed to the lock's name. That fails as long as a
 *   folder with something in it has the name, so of many who try one succeeds, and nobody sees a lock without
 *   the name of its holder.
 * - Giving back: the folder is renamed back, for the next time. A worker that ends deletes it.
 * - Taking from the dead: their claim is deleted by its name, which nobody else has. Whoever is late deletes
 *   nothing, because the claim of a new holder has another name.
 *
 * What that promises:
 *
 * - A process that sleeps keeps its lock for as long as it sleeps. Only a holder that is known to be gone loses
 *   it: there is no such process, or another one has its number by now, or the machine was started again since.
 *   A holder of which that can't be known (another container's, or on a system without `/proc` one whose number
 *   was given to another process) counts as living: others wait, and say for whom.
 * - A process that dies holding it frees it for the next one that looks. What it has half written is taken back
 *   by the journal, which the next holder reads before anything else. When only a worker dies, its window frees
 *   the lock (`freeLock`).
 * - Two windows that write do so one after the other. Before each write to the file the holder looks whether its
 *   claim is still there (`isHeld`), so that even one whose lock was deleted by hand writes nothing more.
 * - No clock is asked, so that none can be wrong. Machines that can't see each other's processes have an index
 *   each (`machine.ts`).
 */

/** `impossible`: nothing can be written there, by nobody. */
export type Taken = 'taken' | 'busy' | 'impossible';

/** Another one may be quicker each time; then it holds the lock. */
const mostTries = 3;

/** What a system without `/proc` doesn't say. */
const unknown = 'x';
interface OwnProcess {
  readonly start: string;
  readonly boot: string;
  readonly space: string;
}
let own: OwnProcess | undefined;

const claimPattern = /^(\d{1,10})_(\d+|x)_([0-9a-f-]{36}|x)_(\d+|x)_[0-9a-f]+$/;

export class FileLock {
  readonly #folder: string;
  readonly #claim: string;
  /** Where the folder with the claim is while the lock isn't held. */
  readonly #beside: string;
  #holder: string | undefined;
  #isTaken = false;

  /** `worker`: hexadecimal; no two workers that live at a time have the same. */
  constructor(folder: string, worker: string) {
    this.#folder = folder;
    this.#claim = claimOf(worker);
    this.#beside = `${folder}.${this.#claim}`;
  }

  /** Who held the lock when it was last asked for in vain, in words for the log. */
  get holder(): string {
    return `${this.#folder} is held by process ${this.#holder?.split('_')[0] ?? 'unknown'}`;
  }

  take(): Taken {
    // It couldn't be given back last time.
    if (this.#isTaken && this.isHeld()) {
      return 'taken';
    }
    this.#isTaken = false;
    for (let tries = 0; tries < mostTries; tries++) {
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

  /** Asks the disk: a lock may have been deleted by hand. */
  isHeld(): boolean {
    return this.#isTaken && existsSync(`${this.#folder}/${this.#claim}`);
  }

  /** What can't be given back just now stays held, and is given back after the next use. */
  release(): void {
    const isBack =
      this.#isTaken &&
      ((this.isHeld() && attempt(() => renameSync(this.#folder, this.#beside))) ||
        deleteClaim(this.#folder, this.#claim));
    if (isBack) {
      this.#isTaken = false;
    }
  }

  /** Leaves nothing beside the lock; it can be taken again nevertheless. */
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
      return this.#isInTheWay(codeOf(error)) ? 'busy' : 'impossible';
    }
  }

  #isInTheWay(code: string | undefined): boolean {
    switch (code) {
      case 'EEXIST':
      case 'ENOTEMPTY':
        return true;
      case 'ENOTDIR':
        // No folder, so nobody's lock.
        return attempt(() => unlinkSync(this.#folder));
      case 'EPERM':
      case 'EACCES':
      case 'EBUSY':
        // What Windows says.
        return existsSync(this.#folder);
      default:
        return false;
    }
  }
}

/** Frees the lock of a worker of this process that is no more. */
export function freeLock(folder: string, worker: string): void {
  const claim = claimOf(worker);
  deleteClaim(folder, claim);
  deleteClaim(`${folder}.${claim}`, claim);
}

/** Deletes what processes have left beside the lock that died while they took it. */
export function sweepLocks(folder: string, name: string): void {
  for (const other of readdirSync(folder)) {
    const claim = other.startsWith(`${name}.`) ? other.slice(name.length + 1) : '';
    if (claimPattern.test(claim) && !mayLive(claim)) {
      deleteClaim(`${folder}/${other}`, claim);
    }
  }
}

/** The claim of a holder that may live; what the dead have left is deleted. */
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
    // Windows renames over no folder, not even an empty one; one that isn't empty stays.
    attempt(() => rmdirSync(folder));
  }
  return living;
}

/** Whether the claim is gone afterwards. */
function deleteClaim(folder: string, claim: string): boolean {
  const isGone =
    attempt(() => unlinkSync(`${folder}/${claim}`)) || !existsSync(`${folder}/${claim}`);
  attempt(() => rmdirSync(folder));
  return isGone;
}

function claimOf(worker: string): string {
  const { start, boot, space } = ownProcess();
  return [process.pid, start, boot, space, worker].join('_');
}

/** Whether the holder isn't known to be gone. What is no claim at all is nobody's. */
function mayLive(claim: string): boolean {
  const [, id, start, boot, space] = claimPattern.exec(claim) ?? [];
  if (id === undefined) {
    return false;
  }
  const own = ownProcess();
  if (boot !== own.boot) {
    return boot === unknown || own.boot === unknown;
  }
  if (space !== own.space) {
    return true;
  }
  if (!isThere(Number(id))) {
    return false;
  }
  const startNow = startOf(Number(id));
  return start === unknown || startNow === undefined || startNow === start;
}

function isThere(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** When a process was started, in ticks since the machine was; `dead` when only its parent hasn't heard of its end. */
function startOf(id: number): string | undefined {
  const text = readText(`/proc/${id}/stat`);
  // The name of the program is in brackets, and may contain anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, threads, start] = [fields?.[0], fields?.[17], fields?.[19]];
  return state === 'Z' && Number(threads) <= 1 ? 'dead' : start;
}

/** What tells this process from others, read once; `space` is which processes it sees. */
function ownProcess(): OwnProcess {
  own ??= {
    start: startOf(process.pid) ?? unknown,
    boot: readText('/proc/sys/kernel/random/boot_id') ?? unknown,
    space: /\d+/.exec(linkOf('/proc/self/ns/pid'))?.[0] ?? unknown,
  };
  return own;
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
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

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
