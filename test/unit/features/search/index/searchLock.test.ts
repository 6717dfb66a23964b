import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, readlink, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {
  type SearchIndex,
  SearchIndexError,
} from '../../../../../src/features/search/model/searchIndex';
import { runIndexFaults } from '../../../../soak/indexFaults';
import { until } from '../../../../support/until';
import type { Fault } from './faults';
import { Indexes, part } from './indexes';
import { checkWhole, holdersOf, Writer } from './writers';

const linuxOnly = process.platform === 'linux' ? it : it.skip;
const sessionsOfEach = 40;

describe('lock of the search index', function () {
  this.timeout(60_000);
  let indexes: Indexes;
  const writers: Writer[] = [];
  beforeEach(async () => {
    indexes = await Indexes.create();
  });
  afterEach(async () => {
    await Promise.all(writers.splice(0).map((writer) => writer.kill()));
    await indexes.dispose();
  });

  function start(prefix: string, count = sessionsOfEach, fault?: Fault): Writer {
    const writer = new Writer(indexes.folder, prefix, count, fault);
    writers.push(writer);
    return writer;
  }

  const isBusy = (error: unknown): boolean =>
    error instanceof SearchIndexError && error.problem === 'busy';

  async function missing(index: SearchIndex, prefix: string): Promise<readonly string[]> {
    const ids = Array.from({ length: sessionsOfEach }, (_, at) => `${prefix}${at}`);
    const versions = await Promise.all(ids.map((id) => index.version('a', id)));
    return ids.filter((_, at) => versions[at] === undefined);
  }

  linuxOnly(
    'SEC-133: a window that sleeps while it writes loses nothing, and neither do the others',
    async () => {
      const sleeper = start('sleeper');
      await until(() => sleeper.put.length > 0);
      assert.ok(await sleeper.stopWhileItHolds(indexes.lock));
      // Regardless of the lock's age.
      await utimes(indexes.lock, 0, 0);
      indexes.patience = 50;
      const other = indexes.open();
      const puts = Array.from({ length: sessionsOfEach }, (_, at) =>
        other.put(part(`other${at}`, [`needle ${at}`])),
      );
      await assert.rejects(other.search('needle'), isBusy);
      await until(() => indexes.logged.length > 0);
      assert.match(
        indexes.logged.join(),
        /is waiting for another window: .* is held by process \d+/,
      );
      sleeper.go();
      await Promise.all([...puts, sleeper.end()]);
      assert.deepEqual(sleeper.failed, []);
      assert.deepEqual(await missing(other, 'sleeper'), []);
      assert.deepEqual(await missing(other, 'other'), []);
      assert.equal(indexes.logged.length, 1, indexes.logged.join('\n'));
      checkWhole(indexes.file);
    },
  );

  linuxOnly(
    'SEC-133: a window that is killed while it holds the lock frees it at once',
    async () => {
      for (const prefix of ['one', 'two', 'three']) {
        const writer = start(prefix);
        assert.ok(await writer.stopWhileItHolds(indexes.lock));
        await writer.kill();
        assert.equal(holdersOf(indexes.lock).length, 1);
        const index = indexes.open();
        await index.put(part(`after ${prefix}`, ['needle']));
        for (const id of [...writer.put, `after ${prefix}`]) {
          assert.ok(await index.version('a', id), id);
        }
      }
      assert.deepEqual(indexes.logged, []);
      checkWhole(indexes.file);
    },
  );

  linuxOnly(
    'SEC-133: a window that wakes without its lock writes nothing until it has the lock again',
    async () => {
      // Stopped from outside it may be past the check, where no lock can help.
      const atCheck = { operation: 'existsSync', after: 100, does: 'stop' };
      const file = path.join(indexes.folder, 'sleep');
      writeFileSync(file, '');
      const sleeper = start('sleeper', sessionsOfEach, { ...atCheck, file });
      await sleeper.stopped();
      assert.equal(holdersOf(indexes.lock).length, 1);
      await rm(indexes.lock, { recursive: true });
      await rm(file);
      const other = start('other');
      await other.end();
      sleeper.go();
      await sleeper.end();
      const index = indexes.open();
      assert.deepEqual(await missing(index, 'other'), []);
      assert.deepEqual(await missing(index, 'sleeper'), []);
      assert.deepEqual([...sleeper.failed, ...other.failed, ...indexes.logged], []);
      checkWhole(indexes.file);
    },
  );

  it('SEC-133: many windows that write at a time lose nothing', async () => {
    const all = ['a', 'b', 'c', 'd'].map((prefix) => start(prefix, 15));
    await Promise.all(all.map((writer) => writer.end()));
    const index = indexes.open();
    for (const writer of all) {
      assert.equal(writer.put.length, 15, writer.failed.join());
      for (const id of writer.put) {
        assert.ok(await index.version('a', id), id);
      }
    }
    checkWhole(indexes.file);
    assert.ok(!existsSync(indexes.lock));
  });

  /** The facts that identify this process. */
  async function self() {
    const stat = await readFile('/proc/self/stat', 'utf8');
    return {
      pid: `${process.pid}`,
      start: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '',
      boot: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
      space: /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '',
    };
  }

  async function claim(change: Partial<Awaited<ReturnType<typeof self>>>): Promise<void> {
    const { pid, start: started, boot, space } = { ...(await self()), ...change };
    mkdirSync(indexes.lock);
    writeFileSync(path.join(indexes.lock, `${pid}_${started}_${boot}_${space}_abcdef`), '');
  }

  for (const [who, change] of [
    ['a process that lives', {}],
    ['a container whose processes can’t be seen', { space: '1', pid: '999999999' }],
    ['a process of which the system doesn’t say when it was started', { start: 'x' }],
  ] as const) {
    linuxOnly(`is not taken from ${who}`, async () => {
      await claim(change);
      await utimes(indexes.lock, 0, 0);
      indexes.patience = 100;
      const index = indexes.open();
      await assert.rejects(index.clear(), isBusy);
      assert.equal(holdersOf(indexes.lock).length, 1);
      await rm(indexes.lock, { recursive: true });
      await index.put(part('s1', ['needle']));
      assert.equal((await index.search('needle')).length, 1);
    });
  }

  const otherBoot = '00000000-0000-4000-8000-000000000000';
  for (const [who, change] of [
    ['a process that is no more', { pid: '999999999' }],
    ['a process whose number another one has by now', { start: '1' }],
    ['a process from before the machine was started', { boot: otherBoot, space: '1' }],
  ] as const) {
    linuxOnly(`is taken from ${who}`, async () => {
      await claim(change);
      await indexes.open().put(part('s1', ['needle']));
      assert.ok(!existsSync(indexes.lock));
    });
  }

  it('is taken where there is something else in its place', async () => {
    const index = indexes.open();
    const elsewhere = path.join(indexes.folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'kept'), '');
    const puts: readonly (() => void)[] = [
      () => writeFileSync(indexes.lock, `${process.pid}`),
      () => mkdirSync(indexes.lock),
      () => {
        mkdirSync(indexes.lock);
        writeFileSync(path.join(indexes.lock, 'Thumbs.db'), '');
      },
      () => symlinkSync(elsewhere, indexes.lock),
      () => symlinkSync('nowhere', indexes.lock),
    ];
    for (const [at, put] of puts.entries()) {
      put();
      await index.put(part(`s${at}`, ['needle']));
      assert.ok(!readdirSync(indexes.folder).includes(path.basename(indexes.lock)), `${at}`);
    }
    assert.deepEqual(readdirSync(elsewhere), ['kept']);
  });

  linuxOnly('what was left by a process that died while it took the lock goes', async () => {
    await claim({ pid: '999999999' });
    const [name = ''] = holdersOf(indexes.lock);
    mkdirSync(`${indexes.lock}.${name}`);
    writeFileSync(path.join(`${indexes.lock}.${name}`, name), '');
    const index = indexes.open();
    await index.put(part('s1', ['needle']));
    index.dispose();
    await index.ended;
    assert.deepEqual(
      readdirSync(indexes.folder).filter((file) => file.includes('lock')),
      [],
    );
  });

  linuxOnly(
    'nothing is lost while processes sleep and are killed, and damage is healed',
    async () => {
      const { kept, killed, slept, damaged } = await runIndexFaults({ rounds: 1, seed: 13 });
      assert.ok(kept > 0 && killed + slept > 0 && damaged === 1);
    },
  );
});
