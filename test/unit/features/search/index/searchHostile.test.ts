import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkerSearchIndex } from '../../../../../src/features/search/workerSearchIndex';
import { lookAtAges } from '../../../../../src/util/seenAges';
import { Indexes, part, places, session, touch, usualLimit } from './indexes';
import { askSqlite, checkWhole } from './writers';

describe('search index and what it is given', function () {
  this.timeout(60_000);
  let indexes: Indexes;
  let index: WorkerSearchIndex;
  before(async () => {
    indexes = await Indexes.create();
    index = indexes.open();
  });
  beforeEach(async () => {
    indexes.limit = usualLimit;
    indexes.logged.length = 0;
    await index.clear();
  });
  after(() => indexes.dispose());

  it('SEC-136: tells ids apart in which any sign differs, and gives them back as they are', async () => {
    const long = 'x'.repeat(10_000);
    const ids = [
      'a\0b',
      'a\0c',
      'a',
      'a\ud800',
      'a\ud801',
      'a\ud800中',
      `${long}1`,
      `${long}2`,
      '',
    ];
    for (const [at, sessionId] of ids.entries()) {
      await index.put(part(sessionId, [`needle ${at}`]));
    }
    for (const [at, agentId] of ['a\0b', 'a\0c', 'a\ud800'].entries()) {
      const own = session('a', { agentId });
      await index.put(part('a', [`agents ${at}`], { session: own }));
    }
    for (const [at, sessionId] of ids.entries()) {
      const [hit] = await index.search(`needle ${at}`);
      assert.deepEqual(hit?.session, session(sessionId));
      assert.ok(await index.version('a', sessionId));
    }
    assert.equal((await index.search('needle')).length, ids.length);
    assert.equal((await index.search('agents')).length, 3);
    await index.forget('a', 'a\0b');
    assert.equal(await index.version('a', 'a\0b'), undefined);
    assert.ok(await index.version('a', 'a\0c'));
    assert.ok(await index.version('a\0b', 'a'));
  });

  it('takes texts of one endless word, and of words without end', async () => {
    const texts = [
      'x'.repeat(1_000_000),
      '解析'.repeat(150_000),
      'é'.repeat(1_000_000),
      'a b '.repeat(250_000),
      '\ud800'.repeat(10_000),
      'the needle',
    ];
    await index.put(part('s1', texts));
    assert.deepEqual(places(await index.search('needle')), ['s1:5']);
    assert.deepEqual(places(await index.search('解析解')), ['s1:1']);
    for (const hit of await index.search('x')) {
      assert.ok(hit.snippet.length <= 1_000);
    }
    assert.deepEqual(indexes.logged, []);
  });

  it('takes queries of any kind and length', async () => {
    await index.put(part('s1', ['a needle in the hay']));
    const typed = [
      'needle '.repeat(1_500_000),
      '"'.repeat(10_000_000),
      '*'.repeat(1_000),
      'NEAR(a needle, 5)',
      'words : needle',
      'chunkWords',
      `needle') UNION SELECT * FROM sessions --`,
      'a\0needle',
      '\ud800',
      'NOT needle',
      '('.repeat(500),
      '解'.repeat(1_000),
    ];
    for (const text of typed) {
      await index.search(text);
    }
    assert.equal((await index.search('needle')).length, 1);
    assert.deepEqual(indexes.logged, []);
  });

  it('looks through a bounded number of characters for what is nowhere', async () => {
    // Every text contains both words, but none contains the phrase.
    const near = 'beta alpha '.repeat(9_000);
    for (let at = 0; at < 8; at++) {
      await index.put(part(`s${at}`, Array<string>(48).fill(near), { seen: at }));
    }
    assert.deepEqual(await index.search('"alpha alpha"'), []);
    const files = { entries: [{ text: 'x'.repeat(500_000), touches: [touch('/f')] }] };
    await index.put(part('touched', [], files));
    const [hit] = await index.touching(['/f']);
    assert.equal(hit?.act, 'read');
  });

  it('puts any number of sessions of the same second side by side', async () => {
    const count = 300;
    await Promise.all(
      Array.from({ length: count }, (_, at) => index.put(part(`s${at}`, [`needle${at}`]))),
    );
    for (const at of [0, 150, count - 1]) {
      assert.deepEqual(
        places(await index.search(`needle${at}`)),
        at === 0 ? ['s0:0'] : [`s${at}:0`],
      );
    }
    assert.equal(
      (
        await Promise.all(Array.from({ length: count }, (_, at) => index.version('a', `s${at}`)))
      ).filter((version) => version !== undefined).length,
      count,
    );
  });

  it('keeps no session for longer because its agent dates it ahead', async () => {
    indexes.limit = 150_000;
    const noise = (): readonly string[] => {
      const text = Array.from({ length: 300 }, () => Math.random().toString(36)).join(' ');
      return Array.from({ length: 10 }, (_, n) => `${text.slice(n)} ${Math.random()}`);
    };
    const ahead = session('ahead', { updatedAt: '9999-01-01T00:00:00Z' });
    await index.put(part('ahead', ['thread', ...noise()], { session: ahead }));
    for (let at = 0; at < 30; at++) {
      await index.put(
        part(`s${at}`, [`marker${at}`, ...noise()], { seen: Date.now() + 1_000 + at }),
      );
    }
    assert.deepEqual(await index.search('thread'), []);
    assert.equal((await index.search('marker29')).length, 1);
  });

  it('counts a session whose beginning is missing as not there', async () => {
    const texts = Array.from({ length: 32 }, (_, at) => `entry ${at}`);
    await index.put(part('s1', texts, { version: '' }));
    await index.clear();
    await index.put(part('s1', texts, { from: 32, version: '' }));
    await index.put(part('s1', texts, { from: 64, version: 'whole' }));
    assert.equal(await index.version('a', 's1'), undefined);
    await index.put(part('s1', texts, { version: 'whole' }));
    assert.equal(await index.version('a', 's1'), 'whole');
    await index.put(part('s1', texts, { from: 160, version: 'more' }));
    assert.equal(await index.version('a', 's1'), undefined);
  });

  it('SEC-137: has an index of its own on each machine, and lets go of what none has used for long', async () => {
    const at = (name: string): string => path.join(indexes.folder, name);
    const days = (count: number): Date => new Date(Date.now() - count * 24 * 3_600_000);
    for (const [name, age] of [
      ['index-00000000000a.db', 91],
      ['index-00000000000a.db-journal', 91],
      ['index-00000000000b.db', 89],
      ['index.db', 0],
      ['index.db-journal', 0],
      ['notes.txt', 1000],
    ] as const) {
      writeFileSync(at(name), 'of another machine');
      utimesSync(at(name), days(age), days(age));
    }
    // Seen on each of the days before.
    let ages: string | undefined;
    for (let ago = 91; ago > 0; ago--) {
      const others = ['index-00000000000a.db', 'index-00000000000b.db'].map((name) => {
        const { mtimeMs, size } = statSync(at(name));
        return { name, at: mtimeMs, size };
      });
      ages = lookAtAges(ages, others, Date.now() - ago * 24 * 3_600_000).text;
    }
    writeFileSync(at('ages.json'), ages ?? '');
    const fresh = indexes.open();
    await fresh.put(part('s1', ['needle']));
    const own = path.basename(indexes.file);
    assert.match(own, /^index-[0-9a-f]{12}\.db$/);
    const expected = ['ages.json', 'index-00000000000b.db', own, `${own}-journal`, 'notes.txt'];
    const isLock = (name: string): boolean => name.startsWith(`${own}.lock`);
    const names = readdirSync(indexes.folder).filter((name) => !isLock(name));
    assert.deepEqual(names.sort(), expected.sort());
    await fresh.clear();
    assert.deepEqual(readdirSync(indexes.folder), ['notes.txt']);
  });

  it('SEC-142: keeps the indexes of other machines if the clock is years ahead', async () => {
    const other = path.join(indexes.folder, 'index-00000000000a.db');
    writeFileSync(other, 'of another machine');
    utimesSync(other, 1_000_000_000, 1_000_000_000);
    for (let start = 0; start < 2; start++) {
      const fresh = indexes.open();
      await fresh.put(part('s1', ['needle']));
      fresh.dispose();
      await fresh.ended;
    }
    assert.ok(existsSync(other));
  });

  it('keeps the memory of the engine within its bound, and goes on', async () => {
    const first = indexes.open();
    await first.put(part('s1', ['needle']));
    first.dispose();
    await first.ended;
    // A single row larger than the engine allows.
    askSqlite(indexes.file, `UPDATE chunks SET texts = zeroblob(300000000)`);
    const fresh = indexes.open();
    await fresh.search('needle').catch(() => undefined);
    await fresh.put(part('s2', ['needle']));
    assert.deepEqual(places(await fresh.search('needle')), ['s2:0']);
    fresh.dispose();
    await fresh.ended;
    checkWhole(indexes.file);
  });
});
