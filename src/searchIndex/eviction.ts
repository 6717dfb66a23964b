import type { Database } from 'node-sqlite3-wasm';
import { baseOf, removeSession } from './indexedSessions';
import { idsOfSession } from './schema';

/** Share of the limit that remains after an eviction, so that not every put evicts. */
const keptShare = 0.9;
/** Pages of the word tables that are merged after each eviction. */
const mergedPages = 2_000;
/** Ratio of a session's total size to that of its texts. */
const besidesTexts = 1.5;

/** Evicts the least recently used sessions until the rest fits; returns whether any had to go. */
export function makeRoom(database: Database, limit: number): boolean {
  const used = usedBytes(database);
  if (used <= limit) {
    return false;
  }
  let tooMuch = used - keptShare * limit;
  for (const row of database.all('SELECT base FROM sessions ORDER BY lastUsed')) {
    if (tooMuch <= 0) {
      break;
    }
    tooMuch -= besidesTexts * textBytes(database, baseOf(row));
    removeSession(database, baseOf(row));
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
