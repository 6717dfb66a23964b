/** Rises with each change of the tables or of what counts as the same word; an index of an older format is made anew. */
export const formatVersion = 4;

/**
 * A session has a range of ids, so that what is newer has higher ones: `base` is its `updatedAt` in
 * seconds, or the next second that is free, times `idsOfSession`; its chunks count up from there. What
 * fits is found newest first without being sorted.
 */
export const idsOfSession = 2 ** 20;

/** The words come apart already, in lower case and without accents: see `searchWords.ts`. */
const wordsOnly = `content='', contentless_delete=1, detail=none, tokenize='ascii'`;

/**
 * Sessions and files are found by digests of their names, and `session` and `version` are JSON: the engine ends a
 * text at a NUL, and doesn't keep half a character. `chunks` says how many the session has from its beginning on
 * without a gap, or `gap`.
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

/** In place of a number of chunks: some are missing. */
export const gap = -1;
