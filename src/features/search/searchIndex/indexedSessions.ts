import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from 'node-sqlite3-wasm';
import { findTimestamp } from '../../../model/text/timestamps';
import { isObject } from '../../../util/json';
import { entriesInChunk, type IndexedSession } from '../model/searchIndex';
import { indexedWords } from './indexedWords';
import { DamagedIndexError } from './indexProblem';
import { gap, idsOfSession } from './schema';
import { type PackedPart, textEnd } from './workerMessages';

/** A row as returned by the engine. */
export type EngineRow = Readonly<Record<string, unknown>>;

/** Seconds up to this one result in ids that are safe integers. */
const lastSecond = 2 ** 32;
const maxPlaces = 2 ** 24;
/** Maximum size of a chunk of indexed texts; a larger one was crafted. */
const maxChunkBytes = 16 * 2 ** 20;

/** Unique among all sessions of all agents, whatever characters the ids contain. */
function getKey(agentId: string, sessionId: string): Buffer {
  return computeDigest(JSON.stringify([agentId, sessionId]));
}

export function computeDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

export function findSession(
  database: Database,
  agentId: string,
  sessionId: string,
): EngineRow | null {
  return database.get('SELECT * FROM sessions WHERE key = ?', [getKey(agentId, sessionId)]);
}

export function getBase(row: EngineRow): number {
  return Number(row['base']);
}

/** The version that was put with the last part; empty while parts are missing. */
export function getVersion(row: EngineRow): string {
  const version = JSON.parse(String(row['version'])) as unknown;
  if (typeof version !== 'string') {
    throw new DamagedIndexError('A session has no version');
  }
  return version;
}

export function getSession(row: EngineRow): IndexedSession {
  const session = JSON.parse(String(row['session'])) as unknown;
  if (!isIndexedSession(session)) {
    throw new DamagedIndexError('A session lacks what it needs to be opened');
  }
  return session;
}

function isIndexedSession(value: unknown): value is IndexedSession {
  if (!isObject(value)) {
    return false;
  }
  const { agentId, sessionId, title, cwd, additionalDirectories, updatedAt } = value;
  return (
    [agentId, sessionId, title, cwd, updatedAt ?? ''].every((text) => typeof text === 'string') &&
    Array.isArray(additionalDirectories) &&
    additionalDirectories.every((directory) => typeof directory === 'string')
  );
}

/** The texts of a chunk's entries, in order. */
export function chunkTexts(database: Database, id: number): readonly string[] {
  const packed = database.get('SELECT texts FROM chunks WHERE id = ?', [id])?.['texts'];
  if (!(packed instanceof Uint8Array)) {
    throw new DamagedIndexError('The texts of a place are missing');
  }
  const bytes = inflateRawSync(packed, { maxOutputLength: maxChunkBytes });
  const texts = bytes.toString('utf8').split(textEnd, entriesInChunk + 1);
  if (texts.length > entriesInChunk) {
    throw new DamagedIndexError('There are too many texts in one place');
  }
  return texts;
}

export function putPart(database: Database, part: PackedPart): void {
  const { agentId, sessionId } = part.session;
  const known = findSession(database, agentId, sessionId);
  if (known !== null && part.from === 0) {
    removeSession(database, getBase(known));
  }
  const base =
    known === null || part.from === 0 ? freeBase(database, part) : keepUntil(database, known, part);
  // A date in the future must not keep a session longer than one that was just used.
  const changed = Math.min(findTimestamp(part.session.updatedAt) ?? 0, Date.now());
  const lastUsed = Math.max(changed, part.seen, getLastUsed(known));
  putChunks(database, base, part);
  const chunks = chunksAfter(known, part);
  putSession(database, base, { part, lastUsed, chunks });
  putFiles(database, base, part);
}

/** The number of chunks without a gap: the index may have been rebuilt between two parts. */
function chunksAfter(known: EngineRow | null, { from, chunks }: PackedPart): number {
  const first = from / entriesInChunk;
  const before = from === 0 ? 0 : known === null ? gap : Number(known['chunks']);
  if (before === gap || (chunks.length > 0 && first > before)) {
    return gap;
  }
  return chunks.length > 0 ? first + chunks.length : before;
}

/**
 * Verifies that a part can be found: damaged word tables may hide it, which the engine doesn't
 * report.
 */
export function checkPut(database: Database, { session, from, chunks }: PackedPart): void {
  const row = findSession(database, session.agentId, session.sessionId);
  const words = indexedWords(chunks[0] ?? Buffer.of()).toString('utf8');
  const [word = ''] = words.trim().split(' ', 1);
  if (row === null || word === '') {
    return;
  }
  const found = database.get(
    'SELECT rowid FROM chunkWords WHERE chunkWords MATCH ? AND rowid = ?',
    [`"${word}"`, getBase(row) + from / entriesInChunk],
  );
  if (found === null) {
    throw new DamagedIndexError('What was put into it can’t be found');
  }
}

export function removeSession(database: Database, base: number): void {
  removeFrom(database, base, base);
  database.run('DELETE FROM titleWords WHERE rowid = ?', [base]);
  database.run('DELETE FROM files WHERE base = ?', [base]);
  database.run('DELETE FROM sessions WHERE base = ?', [base]);
}

/** Keeps what was indexed before this part and removes the rest. */
function keepUntil(database: Database, known: EngineRow, { from }: PackedPart): number {
  const base = getBase(known);
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

function getLastUsed(row: EngineRow | null): number {
  return row === null ? 0 : Number(row['lastUsed']);
}

/** The base for the second of the session's last change, or for a free second soon after it. */
function freeBase(database: Database, { session, seen }: PackedPart): number {
  const time = findTimestamp(session.updatedAt) ?? seen;
  const second = Math.min(Math.max(0, Math.floor(time / 1000)), lastSecond);
  // Any number of sessions may share a second: doubling the range on each attempt finds a free one
  // soon enough.
  for (let places = 1; ; places = Math.min(2 * places, maxPlaces)) {
    const base = (second + Math.floor(Math.random() * places)) * idsOfSession;
    if (database.get('SELECT base FROM sessions WHERE base = ?', [base]) === null) {
      return base;
    }
  }
}

interface SessionValues {
  readonly part: PackedPart;
  readonly lastUsed: number;
  readonly chunks: number;
}

function putSession(database: Database, base: number, values: SessionValues): void {
  const { part, lastUsed, chunks } = values;
  const { agentId, sessionId, title } = part.session;
  database.run(
    `INSERT OR REPLACE INTO sessions(base, key, session, version, chunks, lastUsed)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [
      base,
      getKey(agentId, sessionId),
      JSON.stringify(part.session),
      JSON.stringify(chunks === gap ? '' : part.version),
      chunks,
      lastUsed,
    ],
  );
  database.run('INSERT OR REPLACE INTO titleWords(rowid, words) VALUES (?, ?)', [
    base,
    indexedWords(Buffer.from(title)),
  ]);
}

function putChunks(database: Database, base: number, { from, chunks }: PackedPart): void {
  const insertTexts = database.prepare('INSERT INTO chunks(id, texts) VALUES (?, ?)');
  const insertWords = database.prepare('INSERT INTO chunkWords(rowid, words) VALUES (?, ?)');
  try {
    for (const [at, chunk] of chunks.entries()) {
      const id = base + from / entriesInChunk + at;
      insertTexts.run([id, deflateRawSync(chunk, { level: 3 })]);
      insertWords.run([id, indexedWords(chunk)]);
    }
  } finally {
    insertTexts.finalize();
    insertWords.finalize();
  }
}

/** Numbers per touch in `PackedPart.files`. */
const touchNumbers = 4;

function putFiles(database: Database, base: number, { files }: PackedPart): void {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO files(file, base, entry, act, added, removed) VALUES (?, ?, ?, ?, ?, ?)',
  );
  try {
    for (const [file, touches] of files) {
      const digest = computeDigest(file);
      for (let at = 0; at < touches.length; at += touchNumbers) {
        insert.run([digest, base, ...touches.slice(at, at + touchNumbers)]);
      }
    }
  } finally {
    insert.finalize();
  }
}
