import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { WorkerSearchIndex } from '../../../../../src/features/search/workerSearchIndex';
import { bytesOfAllKinds, damages, flip, harmlessDamages } from './damages';
import { Indexes, part, places, touch } from './indexes';
import { checkWhole } from './writers';

const isPosix = process.platform !== 'win32';

describe('search index with damage', function () {
  this.timeout(60_000);
  /** One window for all damage: a file that was replaced is opened anew. */
  let indexes: Indexes;
  let index: WorkerSearchIndex;
  let whole: Buffer;
  before(async () => {
    indexes = await Indexes.create();
    const first = indexes.open();
    for (const id of ['s1', 's2', 's3']) {
      const texts = Array.from(
        { length: 100 },
        (_, at) => `needle ${at} of ${id} ${Math.random()}`,
      );
      const entries = texts.map((text) => ({ text, touches: [touch('/project/a')] }));
      await first.put(part(id, [], { entries }));
    }
    first.dispose();
    await first.ended;
    whole = await readFile(indexes.file);
    index = indexes.open();
  });
  beforeEach(async () => {
    await begin();
    indexes.logged.length = 0;
  });
  after(() => indexes.dispose());

  /** Puts the whole index in place of what is there; the window has found no damage yet. */
  async function begin(): Promise<void> {
    await index.clear();
    await writeFile(indexes.file, whole);
  }

  /** Checks that sessions can be stored and found after any damage. */
  async function works(): Promise<void> {
    await index.search('needle');
    await index.touching(['/project/a']);
    await index.version('a', 's1');
    await index.put(part('s1', ['thread 1']));
    await index.put(part('new', ['thread 2']));
    const found = await index.search('thread');
    assert.deepEqual(places(found).sort(), ['new:0', 's1:0']);
    checkWhole(indexes.file);
  }

  for (const [what, damage] of isPosix ? Object.entries(damages) : []) {
    it(`SEC-134: begins anew, and says so once, when the file ${what}`, async () => {
      damage(indexes.file);
      await works();
      const rebuilds = indexes.logged.filter((line) => line.includes('is damaged and is rebuilt'));
      assert.ok(rebuilds.length <= 1, indexes.logged.join('\n'));
      assert.deepEqual(indexes.logged, rebuilds);
    });
  }

  for (const [what, damage] of isPosix ? Object.entries(harmlessDamages) : []) {
    it(`works when the file ${what}`, async () => {
      damage(indexes.file);
      await works();
    });
  }

  it('SEC-134: works whichever byte is wrong', async () => {
    for (const at of bytesOfAllKinds(whole)) {
      await begin();
      flip(at)(indexes.file);
      await index.search('needle');
      await index.touching(['/project/a']);
      await index.put(part('s1', ['thread 1']));
      assert.deepEqual(places(await index.search('thread')), ['s1:0'], `byte ${at}`);
    }
  });

  it('SEC-135: a journal names no file that goes with it', async () => {
    const victim = path.join(indexes.folder, 'victim');
    await writeFile(victim, '');
    await writeFile(`${indexes.file}-journal`, journalNaming(victim, await readFile(indexes.file)));
    await works();
    assert.ok(existsSync(victim));
  });
});

/** A journal of one page that claims to belong to a super-journal of this name, which makes SQLite delete that file. */
function journalNaming(name: string, database: Buffer): Buffer {
  const pageSize = 4096;
  const header = Buffer.alloc(512);
  Buffer.from('d9d505f920a163d7', 'hex').copy(header);
  header.writeUInt32BE(1, 8);
  header.writeUInt32BE(0, 12);
  header.writeUInt32BE(database.length / pageSize, 16);
  header.writeUInt32BE(512, 20);
  header.writeUInt32BE(pageSize, 24);
  const page = database.subarray(0, pageSize);
  const record = Buffer.alloc(4 + pageSize + 4);
  record.writeUInt32BE(1, 0);
  page.copy(record, 4);
  let sum = 0;
  for (let at = pageSize - 200; at > 0; at -= 200) {
    sum = (sum + (page[at] ?? 0)) >>> 0;
  }
  record.writeUInt32BE(sum, 4 + pageSize);
  const text = Buffer.from(name);
  const end = Buffer.alloc(4 + text.length + 8);
  end.writeUInt32BE(0x40000000 / pageSize + 1, 0);
  text.copy(end, 4);
  end.writeUInt32BE(text.length, 4 + text.length);
  end.writeUInt32BE(
    text.reduce((all, byte) => all + byte, 0),
    8 + text.length,
  );
  return Buffer.concat([header, record, end, Buffer.from('d9d505f920a163d7', 'hex')]);
}
