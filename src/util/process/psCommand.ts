import { execFile, execFileSync } from 'node:child_process';
import type { ProcessRow, ProcessTable } from './processTable';

const command = '/bin/ps';
const columns = ['pid', 'ppid', 'pgid', 'stat', 'lstart'];
const args = ['-A', ...columns.flatMap((column) => ['-o', `${column}=`])];
const options = {
  encoding: 'utf8',
  maxBuffer: 16 * 1024 * 1024,
  // For English names of days and months, which `Date` can parse.
  env: { LC_ALL: 'C' },
} as const;

/**
 * The processes of a system without `/proc`, listed by `ps`, which reports neither sessions nor
 * environments.
 */
export class PsCommand implements ProcessTable {
  readonly findsNow = false;
  #last: ReadonlyMap<number, ProcessRow> = new Map();

  async list(): Promise<readonly ProcessRow[]> {
    const text = await new Promise<string>((resolve) => {
      execFile(command, args, options, (_error, stdout) => resolve(stdout));
    });
    return this.#take(text);
  }

  listNow(): readonly ProcessRow[] {
    try {
      return this.#take(execFileSync(command, args, { ...options, stdio: 'pipe' }));
    } catch {
      return [];
    }
  }

  find(pid: number): ProcessRow | undefined {
    return this.#last.get(pid);
  }

  hasInEnvironment(): boolean {
    return false;
  }

  #take(text: string): readonly ProcessRow[] {
    const rows = text.split('\n').flatMap((line) => readRow(line) ?? []);
    this.#last = new Map(rows.map((row) => [row.pid, row]));
    return rows;
  }
}

function readRow(line: string): ProcessRow | undefined {
  const [pid, parent, group, state = '', ...started] = line.trim().split(/\s+/);
  const start = Date.parse(started.join(' '));
  if (state === '' || state.startsWith('Z') || Number.isNaN(start)) {
    return undefined;
  }
  const session = undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session,
    start,
    name: '',
  };
}
