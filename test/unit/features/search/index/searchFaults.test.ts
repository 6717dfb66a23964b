import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  SearchIndexError,
  type SearchIndexProblem,
} from '../../../../../src/features/search/model/searchIndex';
import { type Fault, faultVariable, faultyProgram } from './faults';
import { Indexes, part, places } from './indexes';
import { checkWhole } from './writers';

/** A lot to write: texts that don't compress well. */
const long = (): readonly string[] =>
  Array.from({ length: 300 }, (_, at) => `hay ${at} ${Math.random()} ${Math.random()}`);

describe('search index and faults', function () {
  this.timeout(60_000);
  let indexes: Indexes;
  let folder: string;
  let file: string;
  let whole: Buffer;
  before(async () => {
    indexes = await Indexes.create();
    const first = indexes.open();
    await first.put(part('s1', ['needle']));
    first.dispose();
    await first.ended;
    whole = await readFile(indexes.file);
    await indexes.dispose();
  });
  beforeEach(async () => {
    indexes = await Indexes.create();
    await writeFile(indexes.file, whole);
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-fault-'));
    file = path.join(folder, 'on');
    await writeFile(file, '');
  });
  afterEach(async () => {
    process.env[faultVariable] = '';
    await indexes.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens an index in a window with this fault. */
  function openWith(fault: Omit<Fault, 'file'>) {
    process.env[faultVariable] = JSON.stringify({ ...fault, file });
    indexes.program = faultyProgram;
    return indexes.open();
  }

  const failsWith = (problem: SearchIndexProblem) => (error: unknown) =>
    error instanceof SearchIndexError && error.problem === problem;

  for (const fault of [
    { operation: 'writeSync', after: 0, does: 'ENOSPC' },
    { operation: 'writeSync', after: 5, does: 'ENOSPC' },
    { operation: 'writeSync', after: 25, does: 'half' },
    { operation: 'writeSync', after: 10, does: 'EIO' },
    { operation: 'writeSync', after: 10, does: 'EDQUOT' },
    { operation: 'mkdirSync', after: 0, does: 'EROFS' },
  ]) {
    const { operation, after, does } = fault;
    it(`says so when the disk answers ${does} to ${operation} ${after}, and goes on afterward`, async () => {
      const index = openWith(fault);
      await assert.rejects(index.put(part('s2', long())), failsWith('readOnly'));
      await rm(file);
      assert.deepEqual(places(await index.search('needle')), ['s1:0']);
      await index.put(part('s3', ['needle']));
      assert.deepEqual(places(await index.search('needle')).sort(), ['s1:0', 's3:0']);
      assert.deepEqual(indexes.logged, []);
      checkWhole(indexes.file);
    });
  }

  it('can be read where nothing can be written', async () => {
    const index = openWith({ operation: 'mkdirSync', after: 0, does: 'EROFS' });
    assert.deepEqual(places(await index.search('needle')), ['s1:0']);
    await assert.rejects(index.forget('a', 's1'), failsWith('readOnly'));
    await assert.rejects(index.clear(), failsWith('readOnly'));
  });

  it('says so when the disk can’t be read', async () => {
    const index = openWith({ operation: 'readSync', after: 0, does: 'EIO' });
    await assert.rejects(index.search('needle'), failsWith('readOnly'));
    await rm(file);
    assert.deepEqual(places(await index.search('needle')), ['s1:0']);
  });

  it('tries again when files are short', async () => {
    const index = openWith({ operation: 'openSync', after: 0, does: 'EMFILE', once: true });
    assert.deepEqual(places(await index.search('needle')), ['s1:0']);
    assert.deepEqual(indexes.logged, []);
  });

  it('is slow on a slow disk, and whole', async () => {
    const index = openWith({ operation: 'writeSync', after: 0, does: 2 });
    const other = indexes.open();
    await Promise.all([index.put(part('s2', long())), other.put(part('s3', long()))]);
    assert.ok(await index.version('a', 's2'));
    assert.ok(await index.version('a', 's3'));
    checkWhole(indexes.file);
  });

  for (const [how, fault] of [
    ['ends while it writes', { operation: 'writeSync', after: 3, does: 'exit', once: true }],
    [
      'ends while it gives the lock back',
      { operation: 'renameSync', after: 2, does: 'exit', once: true },
    ],
    [
      'throws an uncaught error',
      { operation: 'writeSync', after: 1e9, does: '', asUncaught: true },
    ],
  ] as const) {
    it(`asks another worker when one ${how}`, async () => {
      const index = openWith(fault);
      const puts = ['s2', 's3', 's4'].map((id) => index.put(part(id, long())));
      await Promise.all(puts);
      for (const id of ['s1', 's2', 's3', 's4']) {
        assert.ok(await index.version('a', id), id);
      }
      assert.ok(!existsSync(file), 'it has ended');
      assert.ok(!existsSync(indexes.lock));
      checkWhole(indexes.file);
    });
  }

  it('asks no more than three workers, begins anew with the last, and fails then', async () => {
    const index = openWith({ operation: 'readdirSync', after: 0, does: 'exit' });
    await assert.rejects(index.search('needle'), failsWith('failed'));
    const ended = indexes.logged.filter((line) => line.includes('stopped unexpectedly'));
    assert.equal(ended.length, 2);
    await rm(file);
    await index.put(part('s2', ['needle']));
    assert.deepEqual(places(await index.search('needle')), ['s2:0']);
  });

  it('settles what was asked of a worker that says nothing any more', async () => {
    indexes.stallMs = 300;
    const index = openWith({ operation: 'readSync', after: 0, does: 'hang' });
    await assert.rejects(index.search('needle'), failsWith('failed'));
    assert.match(indexes.logged.join(), /does not respond/);
    await index.ended;
    assert.ok(!existsSync(indexes.lock));
  });
});
