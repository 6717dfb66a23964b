import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from 'node-sqlite3-wasm';
import { entriesInChunk, type IndexedSession } from '../../model/searchIndex';
import { timestampOf } from '../../model/timestamps';
import { indexedWords } from './indexedWords';
import { type PackedPart, textEnd } from './messages';
import { idsOfSession } from './schema';

/** A row as the engine gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Any second within the range of exact ids. */
const lastSecond = 2 ** 32;

export function findSession(database: Database, agentId: string, sessionId: string): Row | null {
  return database.get('SELECT * FROM sessions WHERE agentId = ? AND sessionId = ?', [
    agentId,
    sessionId,
  ]);
}

export function baseOf(row: Row): number {
  return Number(row['base']);
}

export function sessionOf(row: Row): IndexedSession {
  const { agentId, sessionId, title, cwd, directories, updatedAt } = row;
  return {
    agentId: String(agentId),
    sessionId: String(sessionId),
    title: String(title),
    cwd: String(cwd),
    additionalDirectories: JSON.parse(String(directories)) as string[],
    ...(typeof updatedAt === 'string' && { updatedAt }),
  };
}

/** The texts of the entries of a chunk, in their order. */
export function chunkTexts(database: Database, id: number): readonly string[] {
  const texts = database.get('SELECT texts FROM chunks WHERE id = ?', [id])?.['texts'];
  return texts instanceof Uint8Array ? inflateRawSync(texts).toString('utf8').split(textEnd) : [];
}

export function putPart(database: Database, part: PackedPart): void {
  const { agentId, sessionId } = part.session;
  const known = findSession(database, agentId, sessionId);
  if (known !== null && part.from === 0) {
    removeSession(database, baseOf(known));
  }
  const base =
    known === null || part.from === 0 ? freeBase(database, part) : keepUntil(database, known, part);
  const lastUsed = Math.max(timestampOf(part.session.updatedAt) ?? 0, part.seen, lastUsedOf(known));
  putSession(database, base, lastUsed, part);
  putChunks(database, base, part);
  putFiles(database, base, part);
}

export function removeSession(database: Database, base: number): void {
  removeFrom(database, base, base);
  database.run('DELETE FROM titleWords WHERE rowid = ?', [base]);
  database.run('DELETE FROM files WHERE base = ?', [base]);
  database.run('DELETE FROM sessions WHERE base = ?', [base]);
}

/** What was indexed before this part stays, and what was from there on goes. */
function keepUntil(database: Database, known: Row, { from }: PackedPart): number {
  const base = baseOf(known);
  removeFrom(database, base, base + from / entriesInChunk);
  database.run('DELETE FROM files WHERE base = ? AND entry >= ?', [base, from]);
  return base;
}

function removeFrom(database: Database, base: number, first: number): void {
  const range = [first, base + idsOfSession];
  const chunks = 'SELECT id FROM chunks WHERE id >= ? AND id < ?';
  database.run(`DELETE FROM chunkWords WHERE rowid IN (${chunks})`, range);
  database.run('DELETE FROM chunks WHERE id >= ? AND id < ?', range);
}

function lastUsedOf(row: Row | null): number {
  return row === null ? 0 : Number(row['lastUsed']);
}

/** The second of the session's last change, or the next one that no other session has. */
function freeBase(database: Database, { session, seen }: PackedPart): number {
  const time = timestampOf(session.updatedAt) ?? seen;
  let second = Math.min(Math.max(0, Math.floor(time / 1000)), lastSecond);
  const taken = database.prepare('SELECT base FROM sessions WHERE base >= ? ORDER BY base');
  try {
    for (const row of taken.iterate([second * idsOfSession])) {
      if (baseOf(row) !== second * idsOfSession) {
        break;
      }
      second++;
    }
  } finally {
    taken.finalize();
  }
  return second * idsOfSession;
}

function putSession(database: Database, base: number, lastUsed: number, part: PackedPart): void {
  const { agentId, sessionId, title, cwd, additionalDirectories, updatedAt } = part.session;
  database.run(
    `INSERT OR REPLACE INTO sessions
     (base, agentId, sessionId, title, cwd, directories, updatedAt, version, lastUsed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      base,
      agentId,
      sessionId,
      title,
      cwd,
      JSON.stringify(additionalDirectories),
      updatedAt ?? null,
      part.version,
      lastUsed,
    ],
  );
  database.run('INSERT OR REPLACE INTO titleWords(rowid, words) VALUES (?, ?)', [
    base,
    indexedWords(Buffer.from(title)),
  ]);
}

function putChunks(database: Database, base: number, { from, texts }: PackedPart): void {
  const all = texts.split(textEnd).slice(0, -1);
  const insertTexts = database.prepare('INSERT INTO chunks(id, texts) VALUES (?, ?)');
  const insertWords = database.prepare('INSERT INTO chunkWords(rowid, words) VALUES (?, ?)');
  try {
    for (let start = 0; start < all.length; start += entriesInChunk) {
      const chunk = Buffer.from(all.slice(start, start + entriesInChunk).join(textEnd));
      const id = base + (from + start) / entriesInChunk;
      insertTexts.run([id, deflateRawSync(chunk, { level: 3 })]);
      insertWords.run([id, indexedWords(chunk)]);
    }
  } finally {
    insertTexts.finalize();
    insertWords.finalize();
  }
}

function putFiles(database: Database, base: number, { files }: PackedPart): void {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO files(path, base, entry) VALUES (?, ?, ?)',
  );
  try {
    for (const [file, entry] of files) {
      insert.run([file, base, entry]);
    }
  } finally {
    insert.finalize();
  }
}
