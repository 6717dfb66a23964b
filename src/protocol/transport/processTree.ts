import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import type { Disposable } from '../../util/disposable';
import { type FamilyRoot, familyOf } from './processFamily';
import { type ProcessRow, type ProcessTable, ProcFolder } from './processTable';
import { PsCommand } from './psCommand';

type EndSignal = 'SIGTERM' | 'SIGKILL';

export interface ProcessTreeOptions {
  readonly child: ChildProcess;
  readonly pid: number;
  /** A text in the child's environment that no other process has, unless it got it from the child. */
  readonly mark?: string;
  /** Milliseconds between asking and killing. */
  readonly graceMs: number;
  readonly table?: ProcessTable;
}

/** What of a tree is there. */
interface Left {
  /** Whether its process group may have members. */
  readonly group: boolean;
  readonly others: readonly ProcessRow[];
}

const onWindows = process.platform === 'win32';
const pollMs = 20;
/** The second time is for what was started while the first one was on its way. */
const signals: readonly EndSignal[] = ['SIGTERM', 'SIGKILL', 'SIGKILL'];

/** Trees that must not outlive this process. */
const guarded = new Set<ProcessTree>();
const systemTable = process.platform === 'linux' ? new ProcFolder() : new PsCommand();

/**
 * A process that was started with a process group of its own, and everything that it started (T-31). Until
 * nothing is left, it is killed when this process ends in any way in which it can still act.
 *
 * What has left the group is found by its session and its parents; what has lost its parents too, by its mark,
 * on Linux only. Not found is what has lost its parents and dropped its mark (elsewhere than on Linux: lost its
 * parents), and what a service that ran before has started on request; not ended is what runs as another user.
 * Windows finds by parents only, while the process itself runs, and has no polite way to end it.
 */
export class ProcessTree implements Disposable {
  readonly #child: ChildProcess;
  readonly #root: FamilyRoot;
  readonly #mark: string | undefined;
  readonly #graceMs: number;
  readonly #table: ProcessTable;
  #terminating: Promise<void> | undefined;

  constructor({ child, pid, mark, graceMs, table = systemTable }: ProcessTreeOptions) {
    this.#child = child;
    this.#table = table;
    this.#root = { pid, start: table.findsNow ? table.find(pid)?.start : undefined };
    this.#mark = mark;
    this.#graceMs = graceMs;
    if (guarded.size === 0) {
      process.on('exit', killGuarded);
    }
    guarded.add(this);
  }

  /** Whether the process itself has ended. */
  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Asks everything to end, and kills what doesn't; with `patience`, it has the time of grace to end unasked.
   * Resolves when nothing is left that can be found and ended.
   */
  terminate(patience: 'patient' | 'atOnce' = 'atOnce'): Promise<void> {
    this.#terminating ??= this.#terminate(patience === 'patient');
    return this.#terminating;
  }

  /** Kills it at once, without looking whether that helped. */
  kill(): void {
    this.#signal(this.#leftOf(onWindows ? [] : this.#table.listNow()), 'SIGKILL', spawnSync);
  }

  /** Lets go of it, whatever is left. */
  dispose(): void {
    guarded.delete(this);
    if (guarded.size === 0) {
      process.off('exit', killGuarded);
    }
  }

  async #terminate(isPatient: boolean): Promise<void> {
    if (isPatient) {
      await this.#untilGone([]);
    }
    let left: Left = { group: true, others: [] };
    for (const signal of signals) {
      left = await this.#find(left.others);
      if (!left.group && left.others.length === 0) {
        break;
      }
      this.#signal(left, signal, spawn);
      await this.#untilGone(left.others);
    }
    if (!this.#isGroupThere()) {
      this.dispose();
    }
  }

  /** `known`: what was found before; with its parent it may have lost what it was found by. */
  async #find(known: readonly ProcessRow[]): Promise<Left> {
    const { group, others } = this.#leftOf(onWindows ? [] : await this.#table.list());
    const found = new Set(others.map(({ pid }) => pid));
    const missed = known.filter((row) => !found.has(row.pid) && this.#isThere(row));
    return { group, others: [...others, ...missed] };
  }

  #leftOf(rows: readonly ProcessRow[]): Left {
    const { pid } = this.#root;
    const mark = this.#mark;
    const hasMark = (other: number): boolean =>
      mark !== undefined && this.#table.hasInEnvironment(other, mark);
    const family = familyOf(this.#root, rows, process.pid, hasMark);
    return {
      group: this.#isGroupThere(),
      others: family.filter((row) => row.group !== pid),
    };
  }

  #signal({ group, others }: Left, signal: EndSignal, run: typeof spawn | typeof spawnSync): void {
    const { pid } = this.#root;
    if (group && onWindows) {
      const started = run('taskkill', ['/pid', String(pid), '/T', '/F'], hidden);
      if ('on' in started) {
        started.on('error', () => undefined);
      }
    } else if (group) {
      send(-pid, signal);
    }
    for (const row of others.filter((other) => this.#isThere(other))) {
      send(row.pid, signal);
    }
  }

  /** On Windows a tree can't be asked, so only the process itself counts. */
  #isGroupThere(): boolean {
    const { pid, start } = this.#root;
    if (onWindows) {
      return !this.hasExited;
    }
    // Another process may have got the number since.
    const now = start === undefined ? undefined : this.#table.find(pid)?.start;
    return (now === undefined || now === start) && send(-pid, 0);
  }

  #isThere({ pid, start }: ProcessRow): boolean {
    return this.#table.find(pid)?.start === start && send(pid, 0);
  }

  /** Waits until these and the group are gone, for the time of grace at most. */
  async #untilGone(others: readonly ProcessRow[]): Promise<void> {
    const deadline = performance.now() + this.#graceMs;
    const isLeft = (): boolean =>
      !this.hasExited || this.#isGroupThere() || others.some((row) => this.#isThere(row));
    while (isLeft() && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

const hidden = { stdio: 'ignore', windowsHide: true } as const;

/** Whether there was somebody to send it to. */
function send(pid: number, signal: EndSignal | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function killGuarded(): void {
  for (const tree of guarded) {
    tree.kill();
  }
}
