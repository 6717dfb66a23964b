import type { Database } from 'node-sqlite3-wasm';
import {
  entriesInChunk,
  type IndexedSession,
  type SearchHit,
  type TouchHit,
  touchActs,
} from '../model/search/searchIndex';
import { matchTexts } from '../model/search/searchSnippet';
import type { Query } from '../model/search/searchWords';
import { chunkTexts, digestOf, type Row, sessionOf } from './indexedSessions';
import { DamagedIndexError } from './indexProblem';
import { idsOfSession } from './schema';

const mostHits = 60;
const mostTitles = 10;
const mostSessions = 200;
/** Of one session, so that it doesn't hide all others. */
const mostOfSession = 5;
/** A search that has found something looks into so many chunks; one that hasn't, into more. */
const enoughChunks = 200;
const mostChunks = 2_000;
/** Chunks with the words that it goes past without looking into them. */
const mostRows = 10_000;
/** Characters that one request looks through, so that long texts made to be looked through in vain don't hold up others. */
const mostCharacters = 32_000_000;
/** More entries than any session has in its range of ids. */
const entriesOfSession = idsOfSession * entriesInChunk;

/** Sessions with these words in their title, newest first. */
export function titleHits(database: Database, query: Query): readonly SearchHit[] {
  const rows = database.all(
    `SELECT s.* FROM titleWords t JOIN sessions s ON s.base = t.rowid
     WHERE titleWords MATCH ? ORDER BY t.rowid DESC LIMIT ${mostTitles}`,
    [matchOf(query)],
  );
  return rows
    .map(sessionOf)
    .flatMap((session) =>
      matchTexts([session.title], query).map(({ snippet }) => ({ session, snippet })),
    );
}

/** Entries with all words, newest first, then those near which the words are. */
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
    for (const row of statement.iterate([matchOf(query)])) {
      const id = Number(row['id']);
      const base = Math.floor(id / idsOfSession) * idsOfSession;
      const known = sessions.get(base) ?? knownOf(database, base);
      sessions.set(base, known);
      rows++;
      if (known.hits < mostOfSession) {
        chunks++;
        const texts = chunkTexts(database, id);
        characters += lengthOf(texts);
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
        chunks >= (found > 0 ? enoughChunks : mostChunks) || characters >= mostCharacters;
      if (found >= mostHits || enough || rows >= mostRows) {
        break;
      }
    }
  } finally {
    statement.finalize();
  }
  return [...whole, ...near].slice(0, mostHits);
}

/** What sessions did to one file, which has these spellings. */
export function fileHits(database: Database, files: readonly string[]): readonly TouchHit[] {
  const marks = files.map(() => '?').join();
  const rows: readonly Row[] = database.all(
    `SELECT s.*, max(f.act * ${entriesOfSession} + f.entry) AS last, sum(f.added) AS added,
       sum(f.removed) AS removed
     FROM files f JOIN sessions s USING (base)
     WHERE f.file IN (${marks}) GROUP BY s.base ORDER BY s.lastUsed DESC LIMIT ${mostSessions}`,
    files.map(digestOf),
  );
  return rows.map((row) => {
    const last = Number(row['last']);
    return {
      session: sessionOf(row),
      entry: last % entriesOfSession,
      act: touchActs[Math.floor(last / entriesOfSession)] ?? 'used',
      added: Number(row['added']),
      removed: Number(row['removed']),
    };
  });
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function knownOf(database: Database, base: number) {
  const row = database.get('SELECT * FROM sessions WHERE base = ?', [base]);
  if (row === null) {
    throw new DamagedIndexError('There are words of a session that is not there');
  }
  return { session: sessionOf(row), hits: 0 };
}

/** Words are letters and digits alone, so quotes keep them apart from the engine's own language. */
function matchOf({ words, prefix }: Query): string {
  const all = words.map((word) => `"${word}"`);
  return [...all, ...(prefix === undefined ? [] : [`"${prefix}" *`])].join(' ');
}
