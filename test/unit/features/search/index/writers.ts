import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import sqlite from 'node-sqlite3-wasm';
import { isObject } from '../../../../../src/util/json';
import { inProject } from '../../../../support/project';
import { until } from '../../../../support/until';
import { type Fault, faultVariable } from './faults';

const writerProgram = inProject('out/unit/features/search/index/sessions.main.mjs');

/** A process that puts sessions into an index; the test can stop, continue and kill it. */
export class Writer {
  /** Sessions that it has reported as stored. */
  readonly put: string[] = [];
  readonly failed: string[] = [];
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  #isGone = false;

  constructor(folder: string, prefix: string, count: number, fault?: Fault) {
    this.#child = fork(writerProgram, [folder, prefix, `${count}`], {
      env: { ...process.env, [faultVariable]: fault === undefined ? '' : JSON.stringify(fault) },
    });
    this.#child.on('message', (message: unknown) => {
      if (isObject(message)) {
        this.put.push(...(typeof message['put'] === 'string' ? [message['put']] : []));
        this.failed.push(...(typeof message['failed'] === 'string' ? [message['failed']] : []));
      }
    });
    this.#gone = once(this.#child, 'exit').then(() => {
      this.#isGone = true;
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Settles when the process has ended. */
  async end(): Promise<void> {
    await this.#gone;
  }

  /** Stops the process while it holds the lock; returns false if it ended before that. */
  async stopWhileItHolds(lock: string): Promise<boolean> {
    for (;;) {
      if (this.#isGone || !this.#signal('SIGSTOP')) {
        return false;
      }
      await until(() => this.#isGone || this.#isStopped());
      if (holdersOf(lock).some((claim) => claim.startsWith(`${this.#child.pid}_`))) {
        return true;
      }
      this.go();
      await setTimeout(Math.random() * 5);
    }
  }

  /** Resolves when something has stopped the process. */
  async stopped(): Promise<void> {
    await until(() => this.#isStopped());
  }

  go(): void {
    this.#signal('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#gone;
  }

  #signal(signal: NodeJS.Signals): boolean {
    return this.#child.exitCode === null && this.#child.kill(signal);
  }

  #isStopped(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
    } catch {
      return true;
    }
  }
}

export function holdersOf(lock: string): readonly string[] {
  try {
    return readdirSync(lock);
  } catch {
    return [];
  }
}

/** Runs a statement in SQLite itself, on an index that is not in use. */
export function askSqlite(file: string, sql: string): unknown {
  const database = new sqlite.Database(file);
  try {
    return Object.values(database.get(sql) ?? {})[0];
  } finally {
    database.close();
  }
}

/** Checks that the database's pages and its full-text index are intact; throws otherwise. */
export function checkWhole(file: string): void {
  const database = new sqlite.Database(file);
  try {
    const [first] = database.all('PRAGMA integrity_check');
    if (first?.['integrity_check'] !== 'ok') {
      throw new Error(`The index is damaged: ${JSON.stringify(first)}`);
    }
    for (const table of ['titleWords', 'chunkWords']) {
      database.exec(`INSERT INTO ${table}(${table}) VALUES ('integrity-check')`);
    }
  } finally {
    database.close();
  }
}
