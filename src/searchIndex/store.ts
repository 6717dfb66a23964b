import type { SearchHit, TouchHit } from '../model/search/searchIndex';
import { parseQuery } from '../model/search/searchWords';
import { makeRoom } from './eviction';
import { chunkHits, fileHits, titleHits } from './hits';
import {
  baseOf,
  checkPut,
  findSession,
  putPart,
  removeSession,
  versionOf,
} from './indexedSessions';
import { IndexFile, type IndexFileOptions } from './indexFile';
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
      return row === null ? '' : versionOf(row);
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
          removeSession(database, baseOf(row));
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
