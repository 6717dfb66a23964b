import type { Database } from 'node-sqlite3-wasm';
import { baseOf, removeSession } from './indexedSessions';
import { idsOfSession } from './schema';

/** So much of the limit is left when sessions had to go, so that it isn't each time that they have to. */
const keptShare = 0.9;
/** So many pages of the words are put together anew each time. */
const mergedPages = 2_000;
/** What a session takes besides its texts. */
const besidesTexts = 1.5;

/** Lets go of the sessions that were used least recently until the rest fits; whether any had to go. */
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
  // Words of what has gone stay until the index's parts are put together.
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
