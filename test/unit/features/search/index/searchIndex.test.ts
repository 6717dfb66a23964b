import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { type SearchIndex, type Touch } from '../../../../../src/features/search/model/searchIndex';
import { Indexes, part, places, session, touch, usualLimit } from './indexes';

describe('search index', () => {
  let indexes: Indexes;
  let index: SearchIndex;
  before(async () => {
    indexes = await Indexes.create();
    index = indexes.open();
  });
  beforeEach(async () => {
    indexes.limit = usualLimit;
    await index.clear();
  });
  after(() => indexes.dispose());

  it('finds what was said, as far as the last word is typed', async () => {
    await index.put(part('s1', ['Hello there', 'The parser reads a naïve Line']));
    for (const typed of ['pars', 'naive line', 'PARSER rea', 'the "reads a" l']) {
      assert.deepEqual(places(await index.search(typed)), ['s1:1'], typed);
    }
    for (const typed of ['arser', 'pars reads', '"reads naive"', '', '  ', '"', '*', 'NEAR(']) {
      assert.deepEqual(places(await index.search(typed)), [], typed);
    }
    const [hit] = await index.search('reads');
    assert.equal(hit?.snippet, 'The parser reads a naïve Line');
    assert.deepEqual(hit.session, session('s1'));
  });

  it('takes no sign of the person as the language of the engine', async () => {
    await index.put(part('s1', ['a OR b', "it's 100% c++ -- words:x ^y {z}"]));
    for (const typed of ["it's", '100%', 'c++', 'words:x', '^y', '{z}', 'a OR b', 'it\'s " -- ']) {
      assert.equal((await index.search(typed)).length, 1, typed);
    }
    assert.deepEqual(await index.search('a AND b'), []);
  });

  it('answers searches before it stores waiting sessions, and then stores all of them', async () => {
    const long = Array.from({ length: 200 }, (_, at) => `needle ${`word${at} `.repeat(500)}`);
    await index.put(part('s', ['needle']));
    const done: string[] = [];
    const note = (name: string) => () => void done.push(name);
    const names = ['s0', 's1', 's2', 's3'];
    const puts = names.map((name) => index.put(part(name, long)).then(note(name)));
    await Promise.all([...puts, index.search('needle').then(note('search'))]);
    assert.ok(done.indexOf('search') < done.indexOf('s3'), done.join());
    const found = (await index.search('word199')).map((hit) => hit.session.sessionId);
    assert.deepEqual([...new Set(found)].sort(), names);
  });

  it('finds words of languages without spaces', async () => {
    await index.put(part('s1', ['这个解析器读取每一行', '读了解析']));
    assert.deepEqual(places(await index.search('解析器')), ['s1:0']);
    assert.deepEqual(places(await index.search('读取')), ['s1:0']);
  });

  it('shows titles first, then what is newer', async () => {
    const at = (sessionId: string, updatedAt: string, title: string) => ({
      session: session(sessionId, { updatedAt, title }),
    });
    await index.put(part('old', ['the needle'], at('old', '2026-01-01T00:00:00Z', 'About pins')));
    await index.put(part('new', ['a needle', 'x'], at('new', '2026-02-02T00:00:00Z', 'B')));
    await index.put(part('mid', ['needle'], at('mid', '2026-02-01T00:00:00Z', 'C')));
    assert.deepEqual(places(await index.search('needle')), ['new:0', 'mid:0', 'old:0']);
    assert.deepEqual(places(await index.search('about p')), ['old:title']);
  });

  it('shows entries with all words before those that share them', async () => {
    await index.put(part('near', ['alpha', 'beta']));
    await index.put(
      part('whole', ['alpha beta'], {
        session: session('whole', { updatedAt: '2020-01-01T00:00:00Z' }),
      }),
    );
    assert.deepEqual(places(await index.search('alpha beta')), ['whole:0', 'near:0']);
  });

  it('keeps sessions of the same second apart', async () => {
    for (const id of ['s1', 's2', 's3']) {
      await index.put(part(id, [`word ${id}`]));
    }
    assert.deepEqual(places(await index.search('word s2')), ['s2:0']);
    assert.equal((await index.search('word')).length, 3);
  });

  it('replaces a part from a place on, and knows which state it has', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `entry number${at}`);
    await index.put(part('s1', texts, { version: 'one' }));
    const later = { from: 32, version: 'two' };
    await index.put(part('s1', ['entry changed', ...Array<string>(20).fill('new')], later));
    assert.deepEqual(places(await index.search('number31')), ['s1:31']);
    assert.deepEqual(places(await index.search('number32')), []);
    assert.deepEqual(places(await index.search('changed')), ['s1:32']);
    assert.equal(await index.version('a', 's1'), 'two');
    await index.put(part('s1', ['half'], { version: '' }));
    assert.equal(await index.version('a', 's1'), undefined);
    assert.equal(await index.version('b', 's1'), undefined);
  });

  it('finds the sessions that touched a file, at the last place', async () => {
    const touching = (sessionId: string, updatedAt: string, files: readonly Touch[][]) =>
      part(sessionId, [], {
        session: session(sessionId, { updatedAt }),
        entries: files.map((touched, at) => ({ text: `call ${at}`, touches: touched })),
      });
    await index.put(
      touching('s1', '2026-01-01T00:00:00Z', [
        [touch('/project/a', 'edited', 2)],
        [touch('/project/a', 'edited', 3), touch('/project/b')],
        [touch('/project/a')],
      ]),
    );
    await index.put(touching('s2', '2026-02-01T00:00:00Z', [[touch('/project/b')]]));
    assert.deepEqual(places(await index.touching(['/project/b'])), ['s2:0', 's1:1']);
    assert.deepEqual(places(await index.touching(['/elsewhere', '/project/a'])), ['s1:1']);
    const [hit] = await index.touching(['/project/a']);
    assert.deepEqual([hit?.act, hit?.added, hit?.removed], ['edited', 5, 0]);
    assert.deepEqual(await index.touching(['/project']), []);
  });

  it('keeps what was done to a file before the part that is put again', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, () => ({ text: 'x', touches: [touch('/f', 'edited', 1)] }));
    await index.put(part('s1', [], { entries: entries(20) }));
    await index.put(part('s1', [], { from: 16, entries: entries(2) }));
    const [hit] = await index.touching(['/f']);
    assert.deepEqual([hit?.entry, hit?.added], [17, 18]);
  });

  it('forgets a session, and everything', async () => {
    await index.put(
      part('s1', ['needle'], { entries: [{ text: 'needle', touches: [touch('/f')] }] }),
    );
    await index.put(part('s2', ['needle']));
    await index.forget('a', 's1');
    await index.forget('a', 'unknown');
    assert.deepEqual(places(await index.search('needle')), ['s2:0']);
    assert.deepEqual(places(await index.search('session')), ['s2:title']);
    assert.deepEqual(await index.touching(['/f']), []);
    await index.clear();
    assert.deepEqual(await readdir(indexes.folder), []);
    assert.deepEqual(await index.search('needle'), []);
    await index.put(part('s3', ['needle']));
    assert.deepEqual(places(await index.search('needle')), ['s3:0']);
  });

  it('lets the sessions go that were used least recently when it grows too large', async () => {
    indexes.limit = 150_000;
    for (let at = 0; at < 30; at++) {
      const noise = Array.from({ length: 300 }, () => Math.random().toString(36)).join(' ');
      const seen = at === 0 ? Date.parse('2027-01-01') : 0;
      const updatedAt = new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
      const texts = Array.from({ length: 10 }, () => noise);
      await index.put(
        part(
          `s${at}`,
          [`marker${at}`, ...texts.map((text, n) => `${text.slice(n)} ${Math.random()}`)],
          {
            session: session(`s${at}`, { updatedAt }),
            seen,
          },
        ),
      );
    }
    const found = async (at: number) => (await index.search(`marker${at}`)).length > 0;
    assert.ok(await found(29), 'the newest is there');
    assert.ok(await found(0), 'what a person has just seen is there');
    assert.ok(!(await found(1)), 'the oldest has gone');
  });

  it('starts no worker and makes no file where there is nothing to find', async () => {
    await rm(indexes.folder, { recursive: true });
    const idle = indexes.open();
    assert.deepEqual(await idle.search('needle'), []);
    assert.equal(await idle.version('a', 's1'), undefined);
    await idle.forget('a', 's1');
    await idle.clear();
    assert.ok(!existsSync(indexes.folder));
  });
});
