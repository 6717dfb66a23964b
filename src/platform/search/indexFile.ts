import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { SearchIndexError, type SearchIndexProblem } from '../../model/searchIndex';
import { isWithoutLock } from './lockedFs';
import { formatVersion, schema } from './schema';

const fileName = 'index.db';
/** So often in a row a damaged file is made anew. */
const mostRebuilds = 2;

/** The engine has words only. */
const problems: readonly (readonly [RegExp, SearchIndexProblem | 'damaged'])[] = [
  [/locked/, 'busy'],
  [/malformed|not a database|corrupt|vtable constructor|no such (?:table|column)/, 'damaged'],
  [
    /full|readonly|read-only|disk I\/O|unable to open|Could not open|EACCES|EROFS|ENOSPC|EPERM|ENOTDIR|EEXIST/,
    'readOnly',
  ],
];

/** The file of the index: opened when it is first used, made anew when it is damaged. */
export class IndexFile {
  readonly #folder: string;
  readonly #file: string;
  readonly #log: (message: string) => void;
  #open: { readonly database: Database; readonly identity: string } | undefined;
  #rebuilds = 0;

  constructor(folder: string, log: (message: string) => void) {
    this.#folder = folder;
    this.#file = path.join(folder, fileName);
    this.#log = log;
  }

  get exists(): boolean {
    return identityOf(this.#file) !== undefined;
  }

  /** Does `work` in one transaction. `undefined` when there is no index yet. Throws `SearchIndexError`. */
  read<T>(work: (database: Database) => T): T | undefined {
    return this.exists ? this.#run('BEGIN', work) : undefined;
  }

  /** The same to change something; makes the index if there is none. */
  write<T>(work: (database: Database) => T): T {
    return this.#run('BEGIN IMMEDIATE', (database) => {
      if (isWithoutLock()) {
        throw new SearchIndexError('readOnly', 'Its folder can’t be written');
      }
      return work(database);
    });
  }

  /** Gives space that nothing needs any more back to the disk. */
  shrink(): void {
    this.#guarded(() => {
      this.#opened().exec('PRAGMA incremental_vacuum');
    });
  }

  delete(): void {
    this.close();
    rmSync(this.#file, { force: true });
    rmSync(`${this.#file}-journal`, { force: true });
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }

  #run<T>(begin: string, work: (database: Database) => T): T {
    const result = this.#guarded(() => {
      const database = this.#opened();
      database.exec(begin);
      try {
        const value = work(database);
        database.exec('COMMIT');
        return value;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
    this.#rebuilds = 0;
    return result;
  }

  /** Tries again with a new file when this one is damaged. */
  #guarded<T>(work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        const problem = problemOf(error);
        if (problem !== 'damaged' || this.#rebuilds === mostRebuilds) {
          throw asIndexError(error, problem);
        }
        this.#rebuild(String(error));
      }
    }
  }

  #rebuild(reason: string): void {
    this.#rebuilds++;
    const isStillThat = this.#open === undefined || this.#open.identity === identityOf(this.#file);
    this.close();
    // Else another window has made a new one already.
    if (isStillThat) {
      this.#log(`The search index is damaged and begins anew (${reason})`);
      this.delete();
    }
  }

  #opened(): Database {
    if (this.#open !== undefined && this.#open.identity !== identityOf(this.#file)) {
      this.close();
    }
    this.#open ??= this.#openFile();
    return this.#open.database;
  }

  #openFile(): { readonly database: Database; readonly identity: string } {
    const isNew = identityOf(this.#file) === undefined;
    if (isNew) {
      mkdirSync(this.#folder, { recursive: true });
    }
    const database = openDatabase(this.#file, isNew);
    try {
      prepare(database);
      return { database, identity: identityOf(this.#file) ?? '' };
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

function openDatabase(file: string, isNew: boolean): Database {
  try {
    return new Database(file);
  } catch (error) {
    if (isNew) {
      throw error;
    }
    return new Database(file, { readOnly: true });
  }
}

function prepare(database: Database): void {
  // A crash of ours harms nothing; what a power failure may break is made anew.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
  if (versionOf(database) === 0) {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE');
    try {
      // Another window may have been first.
      if (versionOf(database) === 0) {
        database.exec(schema);
      }
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }
  const version = versionOf(database);
  if (version > formatVersion) {
    throw new SearchIndexError(
      'newer',
      'A newer version of ACP Sessions has made the search index',
    );
  }
  if (version < formatVersion) {
    throw new Error('The format is not a database of this version any more');
  }
  database.exec('PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = 1000000');
}

function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}

function rollBack(database: Database): void {
  if (database.inTransaction) {
    database.exec('ROLLBACK');
  }
}

/** Tells one file at a path from another that took its place. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function problemOf(error: unknown): SearchIndexProblem | 'damaged' {
  if (error instanceof SearchIndexError) {
    return error.problem;
  }
  const text = String(error);
  return problems.find(([pattern]) => pattern.test(text))?.[1] ?? 'failed';
}

function asIndexError(error: unknown, problem: SearchIndexProblem | 'damaged'): SearchIndexError {
  return error instanceof SearchIndexError
    ? error
    : new SearchIndexError(problem === 'damaged' ? 'failed' : problem, String(error));
}
