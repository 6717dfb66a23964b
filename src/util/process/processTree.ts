import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import type { Disposable } from '../disposable';
import { type FamilyRoot, getFamily } from './processFamily';
import { type ProcessRow, type ProcessTable, ProcFolder } from './processTable';
import { PsCommand } from './psCommand';
import { killCommand } from './windowsPrograms';

type EndSignal = 'SIGTERM' | 'SIGKILL';

export interface ProcessTreeOptions {
  readonly child: Pick<ChildProcess, 'exitCode' | 'signalCode'>;
  readonly pid: number;
  /** A text in the child's environment that only the child and its descendants inherit. */
  readonly mark?: string;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly table?: ProcessTable;
  readonly platform?: NodeJS.Platform;
  /** Starts the program that ends a tree on Windows: beside this process, or while it waits. */
  readonly run?: Record<'beside' | 'waiting', RunProgram>;
}

type RunProgram = (command: string, args: readonly string[]) => void;

/** The remaining processes of a tree. */
interface Left {
  /** Whether the process group may still have members. */
  readonly group: boolean;
  readonly others: readonly ProcessRow[];
}

/** Time between two looks for processes: there is no event for the end of one that isn't a child. */
const pollMs = 20;
/** The second SIGKILL is for processes started while the first one was being sent. */
const signals: readonly EndSignal[] = ['SIGTERM', 'SIGKILL', 'SIGKILL'];

/** Trees that must not outlive this process, which has one handler for its exit. */
const guarded = new Set<ProcessTree>();
const systemTable = process.platform === 'linux' ? new ProcFolder() : new PsCommand();

/**
 * A process with its own process group, and everything that it has started (T-31). What remains of
 * it is killed when this process exits, unless this process can no longer run code by then.
 *
 * Processes that have left the group are found by session and parents; those that have also lost
 * their parents are found by their mark, on Linux only. Not found are processes that have lost
 * their parents and dropped their mark (on other systems: lost their parents), and those that an
 * independent service has started on request. Processes of another user aren't ended. On Windows,
 * processes are only found by their parents and while the root is running, and can't be asked to
 * end.
 */
export class ProcessTree implements Disposable {
  readonly #child: ProcessTreeOptions['child'];
  readonly #root: FamilyRoot;
  readonly #mark: string | undefined;
  readonly #graceMs: number;
  readonly #table: ProcessTable;
  readonly #onWindows: boolean;
  readonly #run: Record<'beside' | 'waiting', RunProgram>;
  #terminating: Promise<void> | undefined;

  constructor(options: ProcessTreeOptions) {
    const { child, pid, mark, graceMs, table = systemTable } = options;
    this.#onWindows = (options.platform ?? process.platform) === 'win32';
    this.#run = options.run ?? runProgram;
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

  /** Whether the root process has ended. */
  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Asks all processes to end, then kills those that haven't. `patient` first gives them the grace
   * time to end on their own. Resolves when nothing is left that can be found and ended.
   */
  terminate(patience: 'patient' | 'atOnce' = 'atOnce'): Promise<void> {
    this.#terminating ??= this.#terminate(patience === 'patient');
    return this.#terminating;
  }

  /** Whether the process has started others that still run; `undefined` on Windows, where that isn't known. */
  async hasChildren(): Promise<boolean | undefined> {
    const rows = this.#onWindows ? undefined : await this.#table.list();
    return rows?.some(({ parent }) => parent === this.#root.pid);
  }

  /** Kills the tree immediately, without checking the result. */
  kill(): void {
    this.#signal(
      this.#getSurvivors(this.#onWindows ? [] : this.#table.listNow()),
      'SIGKILL',
      'waiting',
    );
  }

  /** Stops guarding the tree: remaining processes are no longer killed when this process exits. */
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
      this.#signal(left, signal, 'beside');
      await this.#untilGone(left.others);
    }
    if (!this.#isGroupThere()) {
      this.dispose();
    }
  }

  /** `known`: processes found earlier; without their parent they may no longer be found. */
  async #find(known: readonly ProcessRow[]): Promise<Left> {
    const { group, others } = this.#getSurvivors(this.#onWindows ? [] : await this.#table.list());
    const found = new Set(others.map(({ pid }) => pid));
    const missed = known.filter((row) => !found.has(row.pid) && this.#isThere(row));
    return { group, others: [...others, ...missed] };
  }

  #getSurvivors(rows: readonly ProcessRow[]): Left {
    const { pid } = this.#root;
    const mark = this.#mark;
    const hasMark = (other: number): boolean =>
      mark !== undefined && this.#table.hasInEnvironment(other, mark);
    const family = getFamily(this.#root, rows, process.pid, hasMark);
    return {
      group: this.#isGroupThere(),
      others: family.filter((row) => row.group !== pid),
    };
  }

  #signal({ group, others }: Left, signal: EndSignal, how: 'beside' | 'waiting'): void {
    const { pid } = this.#root;
    if (group && this.#onWindows) {
      const { command, args } = killCommand(pid, process.env);
      this.#run[how](command, args);
    } else if (group) {
      send(-pid, signal);
    }
    for (const row of others.filter((other) => this.#isThere(other))) {
      send(row.pid, signal);
    }
  }

  /** Windows has no process group to signal, so only the root process counts. */
  #isGroupThere(): boolean {
    const { pid, start } = this.#root;
    if (this.#onWindows) {
      return !this.hasExited;
    }
    // The pid may have been reused.
    const now = start === undefined ? undefined : this.#table.find(pid)?.start;
    return (now === undefined || now === start) && send(-pid, 0);
  }

  #isThere({ pid, start }: ProcessRow): boolean {
    return this.#table.find(pid)?.start === start && send(pid, 0);
  }

  /** Waits until these processes and the group are gone, at most for the grace time. */
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
const runProgram: Record<'beside' | 'waiting', RunProgram> = {
  beside: (command, args) => {
    spawn(command, args, hidden).on('error', () => undefined);
  },
  waiting: (command, args) => {
    spawnSync(command, args, hidden);
  },
};

/** Sends a signal; returns whether there was a process to receive it. */
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
