import fs from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** A process as the system tells of it. A number may come back for another process, a number and a start don't. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** `undefined` where the system doesn't tell. */
  readonly session: number | undefined;
  /** When it started, in a unit of the system's own. */
  readonly start: number;
  readonly name: string;
}

/** The processes that run, those that have ended and wait for their parent left out. */
export interface ProcessTable {
  /** Whether `find` looks for itself, rather than in what was listed last. */
  readonly findsNow: boolean;
  list(): Promise<readonly ProcessRow[]>;
  /** The same at once, for a process that is about to end. */
  listNow(): readonly ProcessRow[];
  /** One of them. */
  find(pid: number): ProcessRow | undefined;
  /** Whether its environment, as it was started with, has this text. */
  hasInEnvironment(pid: number, text: string): boolean;
}

/** More processes than this aren't looked at. */
const maxProcesses = 50_000;
/** So many are read before the event loop gets its turn. */
const rowsAtOnce = 50;
const maxEnvironmentBytes = 1024 * 1024;

/** The processes of Linux, as `/proc` has them. */
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

/** For every read: a list of processes would allocate one for each. */
const piece = Buffer.allocUnsafe(64 * 1024);

/** Its beginning; nothing of what is gone or not ours to read. */
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

/** The name is in parentheses and may have anything in it, parentheses too. */
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
