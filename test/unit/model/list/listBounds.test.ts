import assert from 'node:assert/strict';
import { FolderMatcher } from '../../../../src/model/files/paths';
import { SessionRows } from '../../../../src/model/list/sessionRows';
import { GoneFolders } from '../../../../src/model/places/goneFolders';
import { session } from '../fakes';
import { listBench } from './listBench';

/** Sessions in ascending order of time, so that none belongs at the end. */
function newerAndNewer(count: number, from = 0): ReturnType<typeof session>[] {
  return Array.from({ length: count }, (_, at) =>
    session(`s${from + at}`, { updatedAt: new Date(1e12 + (from + at) * 1000).toISOString() }),
  );
}

const nothing = (): undefined => undefined;

describe('bounds of a list', () => {
  it('LIST-15: rows of a large page in the wrong order are sorted, with those that were there', () => {
    const rows = new SessionRows('demo');
    rows.beginListing();
    const all = newerAndNewer(5_000);
    rows.addPage(all.slice(0, 10), nothing);
    assert.ok(rows.addPage(all.toReversed().concat(all.slice(0, 10)), nothing));
    assert.deepEqual(
      rows.sorted.map(({ info }) => info.sessionId),
      all.toReversed().map(({ sessionId }) => sessionId),
    );
    assert.ok(!rows.addPage(all, nothing));
    rows.push('s0', { updatedAt: new Date(2e12).toISOString() });
    assert.equal(rows.sorted[0]?.info.sessionId, 's0');
    rows.beginListing();
    rows.addPage(all.slice(0, 2_000), nothing, true);
    rows.dropUnconfirmed();
    assert.equal(rows.sorted.length, 2_000);
  });

  it('T-3, SEC-98: no more rows are kept than a window can hold, however many are listed', () => {
    const rows = new SessionRows('demo');
    rows.beginListing();
    for (let page = 0; page < 20; page++) {
      rows.addPage(newerAndNewer(10_000, page * 10_000), nothing);
    }
    assert.equal(rows.sorted.length, 100_000);
    assert.ok(rows.isFull);
    assert.ok(rows.remove('s7'));
    assert.ok(!rows.isFull);
  });

  it('T-3, SEC-98: nor more than 64 Mi characters, in however few rows', () => {
    const rows = new SessionRows('demo');
    rows.beginListing();
    const large = (id: string): ReturnType<typeof session> =>
      session(id, {
        additionalDirectories: Array.from(
          { length: 100 },
          (_, at) => `/${at}${'d'.repeat(30_000)}`,
        ),
      });
    for (let at = 0; at < 20; at++) {
      rows.addPage([session(`small${at}`)], nothing);
    }
    for (let at = 0; at < 50; at++) {
      rows.addPage([large(`s${at}`)], nothing);
    }
    const held = (): number => JSON.stringify(rows.sorted.map(({ info }) => info)).length;
    assert.ok(held() <= 64 * 1024 * 1024, `${held()}`);
    assert.ok(rows.sorted.length >= 35, `${rows.sorted.length}`);
    assert.ok(rows.isFull && rows.hasLeftOut);
    // Nor do those that are there grow, by a list or by what the agent says of them.
    rows.beginListing();
    for (let at = 0; at < 20; at++) {
      rows.addPage([large(`small${at}`)], nothing);
    }
    assert.ok(held() <= 64 * 1024 * 1024, `${held()}`);
    assert.ok(!rows.hasLeftOut);
    rows.dropUnconfirmed();
    assert.ok(!rows.isFull);
    assert.ok(rows.add(large('s0')));
  });

  it('T-3, SEC-98: says that sessions were left out, also if that was on the last page', async () => {
    const { list } = listBench((connection) => {
      connection.list = () => ({ sessions: newerAndNewer(100_001) });
    });
    await list.load();
    assert.equal(list.rows.length, 100_000);
    assert.deepEqual(list.more, {
      kind: 'stopped',
      reason: 'The agent lists more sessions than can be shown.',
    });
  });

  it('T-3, SEC-98: a list with one new session on each of its pages is not read without end', async () => {
    const { list, connections } = listBench((connection) => {
      connection.list = ({ cursor }) => {
        const at = Number(cursor ?? 0);
        return { sessions: [session(`s${at}`)], nextCursor: `${at + 1}` };
      };
    });
    await list.load();
    for (let at = 0; at < 4_000 && list.more.kind === 'ready'; at++) {
      await list.loadMore(true);
    }
    assert.deepEqual(list.more, {
      kind: 'stopped',
      reason: 'Reading stopped: the list has too many pages.',
    });
    const asked = connections[0]?.queries.length ?? 0;
    assert.ok(asked <= 2_001, `${asked} pages`);
    // First the rows that were fetched ahead; after that, each click still adds one.
    const before = list.rows.length;
    while (list.rows.some(({ ahead }) => ahead)) {
      await list.loadMore();
    }
    await list.loadMore();
    assert.equal(list.rows.length, before + 1);
  });

  it('T-3: says that a page had more rows than are taken', async () => {
    const { list } = listBench((connection) => {
      connection.list = () => ({ sessions: [session('a')], leftOut: 5 });
    });
    await list.load();
    assert.equal(list.rows.length, 1);
    assert.deepEqual(list.more, {
      kind: 'stopped',
      reason: 'The agent listed more sessions at once than can be shown.',
    });
  });

  it('DIR-8: of the folders of one page only so many are looked for on the disk', async () => {
    let lookups = 0;
    const matcher = new FolderMatcher('/w', (path) => {
      lookups++;
      return Promise.resolve(path === '/link' ? '/w' : path);
    });
    const sessions = Array.from({ length: 2_000 }, (_, at) =>
      session(`s${at}`, { cwd: `/f${at}` }),
    );
    const ours = await matcher.filter([
      session('link', { cwd: '/link' }),
      ...sessions,
      session('own', { cwd: '/w/' }),
    ]);
    assert.deepEqual(
      ours.map(({ sessionId }) => sessionId),
      ['link', 'own'],
    );
    assert.ok(lookups <= 1_001, `${lookups} lookups`);
  });

  it('folders without end are not looked for again and again', async () => {
    let looks = 0;
    const gone = new GoneFolders(() => {
      looks++;
      return Promise.resolve(true);
    });
    const folders = Array.from({ length: 4_000 }, (_, at) => `/gone${at}`);
    const draw = (): number => folders.filter((folder) => gone.has(folder)).length;
    for (let time = 0; time < 5; time++) {
      draw();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(looks, 2_000);
    assert.equal(draw(), 2_000);
    gone.dispose();
  });
});
