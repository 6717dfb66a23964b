import fs from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** A process as reported by the system. A pid may be reused; a pid together with a start time isn't. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** `undefined` if the system doesn't report it. */
  readonly session: number | undefined;
  /** The start time, in a system-specific unit. */
  readonly start: number;
  readonly name: string;
}

/** The running processes, without zombies. */
export interface ProcessTable {
  /** Whether `find` queries the system rather than the last list. */
  readonly findsNow: boolean;
  list(): Promise<readonly ProcessRow[]>;
  /** Lists them synchronously, for when this process is about to exit. */
  listNow(): readonly ProcessRow[];
  find(pid: number): ProcessRow | undefined;
  /** Whether the environment that the process was started with contains this text. */
  hasInEnvironment(pid: number, text: string): boolean;
}

/** Maximum number of processes that are read. */
const maxProcesses = 50_000;
/** Processes read before yielding to other work. */
const rowsAtOnce = 50;
const maxEnvironmentBytes = 1024 * 1024;

/** The processes of a Linux system, read from `/proc`. */
export class ProcFolder implements ProcessTable {
  readonly findsNow = true;

  async list(): Promise<readonly ProcessRow[]> {
    const rows: ProcessRow[] = [];
    let read = 0;
    for (const row of this.#read()) {
      if (row !== undefined) {
        rows.push(row);
      }
      if (++read % rowsAtOnce === 0) {
        await setImmediate();
      }
    }
    return rows;
  }

  listNow(): readonly ProcessRow[] {
    return [...this.#read()].filter((row) => row !== undefined);
  }

  find(pid: number): ProcessRow | undefined {
    return parseStat(readText(`/proc/${pid}/stat`));
  }

  hasInEnvironment(pid: number, text: string): boolean {
    return readText(`/proc/${pid}/environ`).includes(text);
  }

  *#read(): Iterable<ProcessRow | undefined> {
    const names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    for (const name of names.slice(0, maxProcesses)) {
      yield this.find(Number(name));
    }
  }
}

/** Shared by all reads, so that listing processes doesn't allocate a buffer for each one. */
const piece = Buffer.allocUnsafe(64 * 1024);

/** The beginning of a file; empty if it doesn't exist or can't be read. */
function readText(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    let text = '';
    for (let read = -1; read !== 0 && text.length < maxEnvironmentBytes; ) {
      read = fs.readSync(descriptor, piece);
      text += piece.toString('latin1', 0, read);
    }
    return text;
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) {
      fs.closeSync(descriptor);
    }
  }
}

/**
 * Parses `/proc/<pid>/stat`. The name is in parentheses and may contain any character, including
 * parentheses.
 */
function parseStat(stat: string): ProcessRow | undefined {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  const [state] = fields;
  if (open === -1 || close === -1 || state === 'Z' || state === 'X') {
    return undefined;
  }
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    start: Number(fields[19]),
    name: stat.slice(open + 1, close),
  };
}
