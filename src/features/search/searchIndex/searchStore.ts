import type { Database } from 'node-sqlite3-wasm';
import { parseQuery } from '../../../model/text/searchWords';
import type { SearchHit, TouchHit } from '../model/searchIndex';
import { chunkHits, fileHits, titleHits } from './hits';
import {
  checkPut,
  findSession,
  getBase,
  getVersion,
  putPart,
  removeSession,
} from './indexedSessions';
import { IndexFile, type IndexFileOptions } from './indexFile';
import { idsOfSession } from './schema';
import type { PackedPart } from './workerMessages';

/** The operations of the index, each in one or a few transactions. All throw `SearchIndexError`. */
export class SearchStore {
  readonly #file: IndexFile;

  constructor(options: IndexFileOptions) {
    this.#file = new IndexFile(options);
  }

  /** Starts over if there is an index. */
  discard(): void {
    if (this.#file.exists) {
      this.#file.discard();
    }
  }

  /** `limit`: maximum size of the index on disk, in bytes. */
  put(parts: readonly PackedPart[], limit: number): void {
    const isSmaller = this.#file.write((database) => {
      for (const part of parts) {
        putPart(database, part);
      }
      const last = parts.at(-1);
      if (last !== undefined) {
        checkPut(database, last);
      }
      return parts.some(({ version }) => version !== '') && makeRoom(database, limit);
    });
    if (isSmaller) {
      this.#file.shrink();
    }
  }

  version(agentId: string, sessionId: string): string | undefined {
    const version = this.#file.read((database) => {
      const row = findSession(database, agentId, sessionId);
      return row === null ? '' : getVersion(row);
    });
    return version === '' ? undefined : version;
  }

  search(text: string): readonly SearchHit[] {
    const query = parseQuery(text);
    if (query === undefined) {
      return [];
    }
    const hits = this.#file.read((database) => [
      ...titleHits(database, query),
      ...chunkHits(database, query),
    ]);
    return hits ?? [];
  }

  touching(files: readonly string[]): readonly TouchHit[] {
    return this.#file.read((database) => fileHits(database, files)) ?? [];
  }

  forget(agentId: string, sessionId: string): void {
    if (this.#file.exists) {
      this.#file.write((database) => {
        const row = findSession(database, agentId, sessionId);
        if (row !== null) {
          removeSession(database, getBase(row));
        }
      });
    }
  }

  clear(): void {
    this.#file.delete();
  }

  dispose(): void {
    this.#file.dispose();
  }
}

/** Share of the limit that remains after an eviction, so that not every put evicts. */
const keptShare = 0.9;
/** Pages of the word tables that are merged after each eviction. */
const mergedPages = 2_000;
/** Ratio of a session's total size to that of its texts. */
const besidesTexts = 1.5;

/** Evicts the least recently used sessions until the rest fits; returns whether any had to go. */
function makeRoom(database: Database, limit: number): boolean {
  const used = usedBytes(database);
  if (used <= limit) {
    return false;
  }
  let tooMuch = used - keptShare * limit;
  for (const row of database.all('SELECT base FROM sessions ORDER BY lastUsed')) {
    if (tooMuch <= 0) {
      break;
    }
    tooMuch -= besidesTexts * textBytes(database, getBase(row));
    removeSession(database, getBase(row));
  }
  // The words of evicted sessions keep their space until the segments of the table are merged.
  database.run(`INSERT INTO chunkWords(chunkWords, rank) VALUES ('merge', ${mergedPages})`);
  return true;
}

function usedBytes(database: Database): number {
  const pragma = (name: string): number => Number(database.get(`PRAGMA ${name}`)?.[name]);
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}

function textBytes(database: Database, base: number): number {
  const row = database.get(
    'SELECT sum(length(texts)) AS bytes FROM chunks WHERE id >= ? AND id < ?',
    [base, base + idsOfSession],
  );
  return Number(row?.['bytes'] ?? 0);
}
