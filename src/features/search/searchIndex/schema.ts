/**
 * Must increase with each change of the tables or of what counts as the same word; an index in an
 * older format is rebuilt.
 */
export const formatVersion = 4;

/**
 * Each session has a range of ids, and newer sessions have higher ones: `base` is its `updatedAt`
 * in seconds, or a free second soon after it, times `idsOfSession`; the ids of its chunks count up
 * from there. This way, matches are found newest first without sorting.
 */
export const idsOfSession = 2 ** 20;

/** The words are already separated, and folded except for ASCII case: see `indexedWords.ts`. */
const wordsOnly = `content='', contentless_delete=1, detail=none, tokenize='ascii'`;

/**
 * Sessions and files are looked up by digests of their names, and `session` and `version` are JSON,
 * because the engine ends a text at a NUL and doesn't keep lone surrogates. `chunks` is the number
 * of the session's chunks from its beginning without a gap, or `gap`.
 */
export const schema = `
CREATE TABLE sessions(
  base INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  session TEXT NOT NULL,
  version TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  lastUsed INTEGER NOT NULL
);
CREATE TABLE chunks(id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
CREATE TABLE files(
  file BLOB NOT NULL,
  base INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  act INTEGER NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  PRIMARY KEY(file, base, entry)
) WITHOUT ROWID;
CREATE INDEX filesOfSession ON files(base);
CREATE VIRTUAL TABLE titleWords USING fts5(words, ${wordsOnly});
CREATE VIRTUAL TABLE chunkWords USING fts5(words, ${wordsOnly});
PRAGMA user_version = ${formatVersion};
`;

/** Replaces the number of chunks if some are missing. */
export const gap = -1;
