import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';

/** Damages an index that is not in use. */
export type Damage = (file: string) => void;

/** Changes that SQLite itself can make. */
function change(sql: string): Damage {
  return (file) => {
    const database = new sqlite.Database(file);
    try {
      database.exec(`PRAGMA writable_schema = ON; ${sql}`);
    } finally {
      database.close();
    }
  };
}

function replaced(put: (file: string) => void): Damage {
  return (file) => {
    rmSync(file, { force: true });
    put(file);
  };
}

const makeFifo = (file: string): void => void execFileSync('/usr/bin/mkfifo', [file]);

/** Flips bits of the byte at `at`, which is counted from the end if negative. */
export function flip(at: number, mask = 0xff): Damage {
  return (file) => {
    const bytes = readFileSync(file);
    const place = at < 0 ? bytes.length + at : at % bytes.length;
    bytes[place] = (bytes[place] ?? 0) ^ mask;
    writeFileSync(file, bytes);
  };
}

/** Damages after which the index starts from scratch. */
export const damages: Readonly<Record<string, Damage>> = {
  'is no index': (file) => writeFileSync(file, 'nothing of the kind'.repeat(1000)),
  'is half there': (file) => truncateSync(file, 5000),
  'ends within its header': (file) => truncateSync(file, 50),
  'has holes': (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 4096)),
  'says that it is written ahead': (file) => {
    flip(18, 3)(file);
    flip(19, 3)(file);
  },
  'has another format': change('PRAGMA user_version = 3'),
  'has no version, but tables': change('PRAGMA user_version = 0'),
  'lacks a table': change('DROP TABLE files'),
  'has a table more': change('CREATE TABLE more(x)'),
  'has a trigger': change(
    `CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM chunks; END`,
  ),
  'has a view in place of a table': change(
    "DROP TABLE files; CREATE VIEW files AS SELECT x'00' AS file, base, 0 AS entry, 0 AS act, 0 AS added, 0 AS removed FROM sessions",
  ),
  'has a column that is worked out': change(
    'DROP TABLE chunks; CREATE TABLE chunks(id INTEGER PRIMARY KEY, texts AS (zeroblob(1e9)))',
  ),
  'has words that are none': change(`UPDATE chunkWords_data SET block = x'00ff00ff00ff00ff'`),
  'has no words': change('DELETE FROM chunkWords_data'),
  'has words of no session': change('DELETE FROM sessions'),
  'has places without texts': change('DELETE FROM chunks'),
  'has texts that are none': change(`UPDATE chunks SET texts = x'00ff'`),
  'has texts beyond measure': change(
    `UPDATE chunks SET texts = x'${deflateRawSync(Buffer.alloc(40_000_000)).toString('hex')}'`,
  ),
  'has a session that is none': change(`UPDATE sessions SET session = '{}'`),
  'has a session of other kinds': change(
    `UPDATE sessions SET session = '[1]'; UPDATE sessions SET key = 7 WHERE base = (SELECT max(base) FROM sessions)`,
  ),
  'is a folder': replaced((file) => {
    mkdirSync(file);
    writeFileSync(path.join(file, 'x'), '');
  }),
  'is a pipe': replaced(makeFifo),
  'is a link to nothing': replaced((file) => symlinkSync('nowhere', file)),
  'is a link to itself': replaced((file) => symlinkSync(file, file)),
  'is a device': replaced((file) => symlinkSync('/dev/zero', file)),
  'has another one’s journal': (file) =>
    writeFileSync(`${file}-journal`, 'd9d505f920a163d7'.repeat(99)),
  'has a log beside it': (file) => writeFileSync(`${file}-wal`, Buffer.alloc(9000, 0x37)),
};

/** Damages after which the index works, unchanged or empty. */
export const harmlessDamages: Readonly<Record<string, Damage>> = {
  'is empty': (file) => truncateSync(file, 0),
  'is gone': (file) => rmSync(file),
  'has a pipe for a journal': (file) => {
    rmSync(`${file}-journal`, { force: true });
    makeFifo(`${file}-journal`);
  },
  'has a folder for a journal': (file) => {
    rmSync(`${file}-journal`, { force: true });
    mkdirSync(`${file}-journal`);
  },
};

/**
 * Offsets of one byte in each kind of page, by the page's first byte, and of one in the file's
 * header.
 */
export function bytesOfAllKinds(bytes: Uint8Array): readonly number[] {
  const kinds = new Map<number, number>();
  for (let page = 0; page < bytes.length; page += 4096) {
    kinds.set(bytes[page] ?? 0, page);
  }
  const ofHeader = [0, 16, 18, 21, 28, 32, 44, 52, 60];
  const ofPages = [...kinds.values()].flatMap((page) =>
    [0, 1, 4, 6, 9, 13, 2048, 4090].map((at) => page + at),
  );
  return [...ofHeader, ...ofPages, -1, -100];
}
