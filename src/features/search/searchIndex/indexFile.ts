import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { FileLock, sweepLocks } from '../../../model/files/fileLock';
import { SearchIndexError } from '../model/searchIndex';
import { asReadOnly, DamagedIndexError, getProblem, type IndexProblem } from './indexProblem';
import { isEngineLocked, letEngineUse } from './lockedFs';
import { deleteIndexFile, deleteOtherIndexes, deleteUnusedIndexes, indexFileName } from './machine';
import { formatVersion, schema } from './schema';

/** Rebuilds before the damage is reported as a failure. */
const maxRebuilds = 5;

export interface IndexFileOptions {
  readonly folder: string;
  /** Hexadecimal; unique among the workers that are alive. */
  readonly worker: string;
  readonly log: (message: string) => void;
}

interface OpenDatabase {
  readonly database: Database;
  readonly identity: string;
  readonly isReadOnly: boolean;
}

/**
 * The file of the index: opened on first use, rebuilt if it is damaged. All access, even reading,
 * holds the lock, because the engine rolls back what another process left unfinished.
 */
export class IndexFile {
  readonly #folder: string;
  readonly #file: string;
  readonly #lock: FileLock;
  readonly #log: (message: string) => void;
  #open: OpenDatabase | undefined;
  #rebuilds = 0;
  #isSwept = false;

  constructor({ folder, worker, log }: IndexFileOptions) {
    this.#folder = folder;
    this.#file = path.join(folder, indexFileName());
    this.#lock = new FileLock(`${this.#file}.lock`, worker);
    this.#log = log;
  }

  get exists(): boolean {
    return findIdentity(this.#file) !== undefined;
  }

  /**
   * Runs `work` in one transaction; `undefined` if there is no index yet. Throws
   * `SearchIndexError`.
   */
  read<T>(work: (database: Database) => T): T | undefined {
    return this.exists
      ? this.#whileHeld(false, (isReadOnly) => this.#healed(isReadOnly, 'BEGIN', work))
      : undefined;
  }

  /** Runs `work`, which changes the index, in one transaction; creates the index if there is none. */
  write<T>(work: (database: Database) => T): T {
    this.#makeFolder();
    return this.#whileHeld(true, () => this.#healed(false, 'BEGIN IMMEDIATE', work));
  }

  /** Returns unused space to the disk. */
  shrink(): void {
    this.#whileHeld(true, () =>
      this.#healed(false, undefined, (database) => database.exec('PRAGMA incremental_vacuum')),
    );
  }

  /** Deletes the index, and those of other machines in the same folder. */
  delete(): void {
    if (findIdentity(this.#folder) !== undefined) {
      this.#whileHeld(true, () => {
        this.close();
        this.#rebuilds = 0;
        deleteFiles(() => {
          deleteIndexFile(this.#file);
          deleteOtherIndexes(this.#folder);
        });
      });
      this.#lock.dispose();
    }
  }

  /** Starts over without reading the file, because reading it has ended the worker. */
  discard(): void {
    this.#whileHeld(true, () => this.#rebuild('reading it ends the worker'));
  }

  close(): void {
    try {
      this.#open?.database.close();
    } catch (error) {
      this.#log(`The search index could not be closed: ${String(error)}`);
    }
    this.#open = undefined;
  }

  /** Removes everything of this worker from the folder except the index. */
  dispose(): void {
    this.close();
    this.#lock.dispose();
  }

  /** Runs `work` with the lock, or without it to read an index in a folder that isn't writable for anyone. */
  #whileHeld<T>(isToWrite: boolean, work: (isReadOnly: boolean) => T): T {
    const taken = this.#lock.take();
    if (taken === 'busy') {
      throw new SearchIndexError('busy', this.#lock.holder);
    }
    if (taken === 'impossible' && isToWrite) {
      throw new SearchIndexError('readOnly', 'Its folder can’t be written');
    }
    letEngineUse({ file: this.#file, mayWrite: () => this.#lock.isHeld() });
    try {
      return work(taken === 'impossible');
    } finally {
      if (isEngineLocked()) {
        this.close();
      }
      letEngineUse(undefined);
      this.#lock.release();
    }
  }

  /** Retries once with a new file if this one is damaged. */
  #healed<T>(isReadOnly: boolean, begin: string | undefined, work: (database: Database) => T): T {
    for (let tries = 0; ; tries++) {
      try {
        return inTransaction(this.#opened(isReadOnly), begin, work);
      } catch (error) {
        const problem = getProblem(error);
        this.close();
        if (problem !== 'damaged' || isReadOnly || tries > 0 || this.#rebuilds >= maxRebuilds) {
          throw asIndexError(error, isReadOnly && problem === 'damaged' ? 'readOnly' : problem);
        }
        this.#rebuild(String(error));
      }
    }
  }

  #rebuild(reason: string): void {
    this.#rebuilds++;
    this.#log(`The search index is damaged and is rebuilt (${reason})`);
    this.close();
    deleteFiles(() => deleteIndexFile(this.#file));
  }

  #makeFolder(): void {
    deleteFiles(() => {
      mkdirSync(this.#folder, { recursive: true });
      if (!this.#isSwept) {
        this.#isSwept = true;
        sweepLocks(this.#folder, `${path.basename(this.#file)}.lock`);
        deleteUnusedIndexes(this.#folder);
      }
    });
  }

  /** Runs under the lock, so that no other window can replace the file in the meantime. */
  #opened(isReadOnly: boolean): Database {
    const { identity, isReadOnly: wasReadOnly } = this.#open ?? {};
    if (identity !== findIdentity(this.#file) || wasReadOnly !== isReadOnly) {
      this.close();
    }
    this.#open ??= openFile(this.#file, isReadOnly);
    return this.#open.database;
  }
}

function openFile(file: string, isReadOnly: boolean): OpenDatabase {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new DamagedIndexError('There is something else than a file in its place');
  }
  const database = new Database(file, { readOnly: isReadOnly });
  try {
    prepare(database, isReadOnly);
    return { database, identity: findIdentity(file) ?? '', isReadOnly };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: Database, isReadOnly: boolean): void {
  // Nothing in the file is trusted, neither its schema nor the structure of its pages.
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  // A crash of this process does no harm; what a power failure may damage is rebuilt.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
  const version = getVersion(database);
  if (version > formatVersion) {
    throw new SearchIndexError(
      'newer',
      'The search index was created by a newer version of ACP Sessions',
    );
  }
  if (version === 0 && !isReadOnly && getTables(database) === '[]') {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    inTransaction(database, 'BEGIN IMMEDIATE', () => database.exec(schema));
  } else if (version !== formatVersion || getTables(database) !== ownTables()) {
    throw new DamagedIndexError('Its tables are not those of this version');
  }
  database.exec('PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = 1000000');
}

/** Kept because finding it out creates a database; it can't change while this program runs. */
let knownTables: string | undefined;

/** Our schema as the engine stores it. */
function ownTables(): string {
  if (knownTables === undefined) {
    const database = new Database(':memory:');
    try {
      database.exec(schema);
      knownTables = getTables(database);
    } finally {
      database.close();
    }
  }
  return knownTables;
}

/**
 * The complete schema of a file: tables, indexes, views and triggers, truncated at sizes that ours
 * can't reach.
 */
function getTables(database: Database): string {
  return JSON.stringify(
    database.all(
      `SELECT type, substr(name, 1, 200), substr(tbl_name, 1, 200), substr(sql, 1, 2000) FROM sqlite_schema
       ORDER BY name, type LIMIT 50`,
    ),
  );
}

function getVersion(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}

function inTransaction<T>(
  database: Database,
  begin: string | undefined,
  work: (database: Database) => T,
): T {
  if (begin === undefined) {
    return work(database);
  }
  database.exec(begin);
  try {
    const value = work(database);
    database.exec('COMMIT');
    return value;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Rolls back; if that fails, the next one to open the file does. */
function rollBack(database: Database): void {
  try {
    if (database.inTransaction) {
      database.exec('ROLLBACK');
    }
  } catch {
    // The preceding error is more informative.
  }
}

function deleteFiles(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw asReadOnly(error);
  }
}

/** Distinguishes a file from another one that replaced it at the same path. */
function findIdentity(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch (error) {
    throw asReadOnly(error);
  }
}

function asIndexError(error: unknown, problem: IndexProblem): unknown {
  if (error instanceof SearchIndexError || problem === 'broken') {
    return error;
  }
  return new SearchIndexError(problem === 'damaged' ? 'failed' : problem, String(error));
}
