/** Rises with each change of the tables or of what counts as the same word; an index of an older format is made anew. */
export const formatVersion = 2;

/**
 * A session has a range of ids, so that what is newer has higher ones: `base` is its `updatedAt` in
 * seconds, or the next second that is free, times `idsOfSession`; its chunks count up from there. What
 * fits is found newest first without being sorted.
 */
export const idsOfSession = 2 ** 20;

/** The words come apart already, in lower case and without accents: see `searchWords.ts`. */
const wordsOnly = `content='', contentless_delete=1, detail=none, tokenize='ascii'`;

export const schema = `
CREATE TABLE sessions(
  base INTEGER PRIMARY KEY,
  agentId TEXT NOT NULL,
  sessionId TEXT NOT NULL,
  title TEXT NOT NULL,
  cwd TEXT NOT NULL,
  directories TEXT NOT NULL,
  updatedAt TEXT,
  version TEXT NOT NULL,
  lastUsed INTEGER NOT NULL,
  UNIQUE(agentId, sessionId)
);
CREATE TABLE chunks(id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
CREATE TABLE files(
  path TEXT NOT NULL,
  base INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  PRIMARY KEY(path, base)
) WITHOUT ROWID;
CREATE INDEX filesOfSession ON files(base);
CREATE VIRTUAL TABLE titleWords USING fts5(words, ${wordsOnly});
CREATE VIRTUAL TABLE chunkWords USING fts5(words, ${wordsOnly});
PRAGMA user_version = ${formatVersion};
`;
