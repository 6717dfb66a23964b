import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import {
  SearchIndexError,
  type SearchIndexProblem,
} from '../../../../../src/features/search/model/searchIndex';
import { inProject } from '../../../../support/project';
import { Indexes, part, places } from './indexes';
import { askSqlite } from './writers';

describe('search index in trouble', function () {
  this.timeout(30_000);
  let indexes: Indexes;
  beforeEach(async () => {
    indexes = await Indexes.create();
  });
  afterEach(() => indexes.dispose());

  const failsWith = (problem: SearchIndexProblem) => (error: unknown) =>
    error instanceof SearchIndexError && error.problem === problem;

  it('is shared by two windows', async () => {
    const [one, other] = [indexes.open(), indexes.open()];
    const puts = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? one : other).put(part(`s${at}`, [`needle ${at}`])),
    );
    await Promise.all(puts);
    assert.deepEqual(places(await one.search('needle 7')), ['s7:0']);
    assert.deepEqual(places(await other.search('needle 8')), ['s8:0']);
    await one.clear();
    assert.deepEqual(await other.search('needle'), []);
    await other.put(part('new', ['needle']));
    assert.deepEqual(places(await one.search('needle')), ['new:0']);
    assert.deepEqual(indexes.logged, []);
  });

  it('outlives a window that is killed while it writes', async () => {
    const writer = fork(inProject('out/unit/features/search/index/writer.main.mjs'), [
      indexes.folder,
    ]);
    await once(writer, 'message');
    const gone = once(writer, 'exit');
    writer.kill('SIGKILL');
    await gone;
    const index = indexes.open();
    await index.put(part('after', ['a needle']));
    assert.deepEqual(places(await index.search('needle')), ['after:0']);
    assert.ok((await index.search('word1')).length > 0, 'what was there before is there');
    assert.equal(askSqlite(indexes.file, 'PRAGMA integrity_check'), 'ok');
    assert.deepEqual(indexes.logged, []);
  });

  it('takes back what a window has left half done', async () => {
    const before = indexes.open();
    await before.put(part('s1', ['needle']));
    const whole = await readFile(indexes.file);
    await before.put(
      part(
        's2',
        Array.from({ length: 600 }, (_, at) => `hay ${at} ${Math.random()}`),
      ),
    );
    before.dispose();
    // A journal of the old pages over the new file, as left by a power failure before the
    // transaction's end.
    await writeFile(`${indexes.file}-journal`, journalOf(whole));
    await writeFile(`${indexes.file}.lock`, '999999999');
    const after = indexes.open();
    assert.deepEqual(places(await after.search('needle')), ['s1:0']);
    assert.deepEqual(await after.search('hay'), []);
    assert.ok(!existsSync(`${indexes.file}.lock`));
  });

  for (const [what, damage] of [
    ['is no index', (file: string) => writeFile(file, 'nothing of the kind'.repeat(1000))],
    ['is half there', (file: string) => truncate(file, 5000)],
    [
      'has holes',
      async (file: string) => {
        const bytes = await readFile(file);
        await writeFile(file, bytes.fill(0x5a, 4096));
      },
    ],
  ] as const) {
    it(`begins anew, and says so, when the file ${what}`, async () => {
      const first = indexes.open();
      await first.put(part('s1', ['needle']));
      first.dispose();
      await damage(indexes.file);
      const index = indexes.open();
      assert.deepEqual(await index.search('needle'), []);
      await index.put(part('s2', ['needle']));
      assert.deepEqual(places(await index.search('needle')), ['s2:0']);
      assert.equal(indexes.logged.length, 1);
      assert.match(indexes.logged.join(), /damaged and is rebuilt/);
    });
  }

  it('leaves an index alone that a newer version has made', async () => {
    await indexes.open().put(part('s1', ['needle']));
    askSqlite(indexes.file, 'PRAGMA user_version = 1000');
    const bytes = await readFile(indexes.file);
    const index = indexes.open();
    await assert.rejects(index.search('needle'), failsWith('newer'));
    await assert.rejects(index.put(part('s2', ['x'])), failsWith('newer'));
    assert.deepEqual(await readFile(indexes.file), bytes);
  });

  it('says when nothing can be written', async () => {
    await rm(indexes.folder, { recursive: true });
    await writeFile(indexes.folder, 'a file where the folder should be');
    await assert.rejects(indexes.open().put(part('s1', ['x'])), failsWith('readOnly'));
  });
});

/** The journal that SQLite writes before it overwrites these pages. */
function journalOf(database: Buffer): Buffer {
  const pageSize = database.readUInt16BE(16);
  const pages = database.length / pageSize;
  const sector = 512;
  const header = Buffer.alloc(sector);
  Buffer.from('d9d505f920a163d7', 'hex').copy(header);
  header.writeUInt32BE(pages, 8);
  header.writeUInt32BE(7, 12);
  header.writeUInt32BE(pages, 16);
  header.writeUInt32BE(sector, 20);
  header.writeUInt32BE(pageSize, 24);
  const records = Array.from({ length: pages }, (_, at) => {
    const page = database.subarray(at * pageSize, (at + 1) * pageSize);
    const record = Buffer.alloc(4 + pageSize + 4);
    record.writeUInt32BE(at + 1, 0);
    page.copy(record, 4);
    record.writeUInt32BE(checksum(page), 4 + pageSize);
    return record;
  });
  return Buffer.concat([header, ...records]);
}

/** SQLite's checksum: every 200th byte from the end, added to the header's nonce. */
function checksum(page: Buffer): number {
  let sum = 7;
  for (let at = page.length - 200; at > 0; at -= 200) {
    sum = (sum + (page[at] ?? 0)) >>> 0;
  }
  return sum;
}
