import type { Database } from 'node-sqlite3-wasm';
import type { Query } from '../../../model/text/searchWords';
import {
  entriesInChunk,
  type IndexedSession,
  type SearchHit,
  type TouchHit,
  touchActs,
} from '../model/searchIndex';
import { matchTexts } from '../model/searchSnippet';
import { chunkTexts, computeDigest, type EngineRow, getSession } from './indexedSessions';
import { DamagedIndexError } from './indexProblem';
import { idsOfSession } from './schema';

const maxHits = 60;
const maxTitles = 10;
const maxSessions = 200;
/** Hits per session, so that one session doesn't hide all others. */
const maxHitsPerSession = 5;
/** Limit of chunks that a search reads once it has found something, and until then. */
const enoughChunks = 200;
const maxChunks = 2_000;
/** Matching chunks that a search visits, including those that it doesn't read. */
const maxRows = 10_000;
/**
 * Characters that one request reads, so that long texts crafted to be read in vain don't hold up
 * others.
 */
const maxCharacters = 32_000_000;
/** Entries that fit into a session's range of ids; more than any session has. */
const entriesOfSession = idsOfSession * entriesInChunk;

/** Sessions with these words in their titles, newest first. */
export function titleHits(database: Database, query: Query): readonly SearchHit[] {
  const rows = database.all(
    `SELECT s.* FROM titleWords t JOIN sessions s ON s.base = t.rowid
     WHERE titleWords MATCH ? ORDER BY t.rowid DESC LIMIT ${maxTitles}`,
    [getMatch(query)],
  );
  return rows
    .map(getSession)
    .flatMap((session) =>
      matchTexts([session.title], query).map(({ snippet }) => ({ session, snippet })),
    );
}

/**
 * Entries that contain all words, newest first, then entries of chunks that contain them together.
 */
export function chunkHits(database: Database, query: Query): readonly SearchHit[] {
  const whole: SearchHit[] = [];
  const near: SearchHit[] = [];
  const sessions = new Map<number, { readonly session: IndexedSession; hits: number }>();
  let rows = 0;
  let chunks = 0;
  let characters = 0;
  const statement = database.prepare(
    'SELECT rowid AS id FROM chunkWords WHERE chunkWords MATCH ? ORDER BY rowid DESC',
  );
  try {
    for (const row of statement.iterate([getMatch(query)])) {
      const id = Number(row['id']);
      const base = Math.floor(id / idsOfSession) * idsOfSession;
      const known = sessions.get(base) ?? getKnown(database, base);
      sessions.set(base, known);
      rows++;
      if (known.hits < maxHitsPerSession) {
        chunks++;
        const texts = chunkTexts(database, id);
        characters += getLength(texts);
        for (const match of matchTexts(texts, query).toReversed()) {
          const entry = (id - base) * entriesInChunk + match.at;
          known.hits++;
          (match.whole ? whole : near).push({
            session: known.session,
            entry,
            snippet: match.snippet,
          });
        }
      }
      const found = whole.length + near.length;
      const enough =
        chunks >= (found > 0 ? enoughChunks : maxChunks) || characters >= maxCharacters;
      if (found >= maxHits || enough || rows >= maxRows) {
        break;
      }
    }
  } finally {
    statement.finalize();
  }
  return [...whole, ...near].slice(0, maxHits);
}

/** What sessions did to one file, given in all its spellings. */
export function fileHits(database: Database, files: readonly string[]): readonly TouchHit[] {
  const marks = files.map(() => '?').join();
  const rows: readonly EngineRow[] = database.all(
    `SELECT s.*, max(f.act * ${entriesOfSession} + f.entry) AS last, sum(f.added) AS added,
       sum(f.removed) AS removed
     FROM files f JOIN sessions s USING (base)
     WHERE f.file IN (${marks}) GROUP BY s.base ORDER BY s.lastUsed DESC LIMIT ${maxSessions}`,
    files.map(computeDigest),
  );
  return rows.map((row) => {
    const last = Number(row['last']);
    return {
      session: getSession(row),
      entry: last % entriesOfSession,
      act: touchActs[Math.floor(last / entriesOfSession)] ?? 'used',
      added: Number(row['added']),
      removed: Number(row['removed']),
    };
  });
}

function getLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function getKnown(database: Database, base: number) {
  const row = database.get('SELECT * FROM sessions WHERE base = ?', [base]);
  if (row === null) {
    throw new DamagedIndexError('The index has words of a session that does not exist');
  }
  return { session: getSession(row), hits: 0 };
}

/**
 * Words consist of letters and digits only, so quotes separate them from the engine's query syntax.
 */
function getMatch({ words, prefix }: Query): string {
  const all = words.map((word) => `"${word}"`);
  return [...all, ...(prefix === undefined ? [] : [`"${prefix}" *`])].join(' ');
}
