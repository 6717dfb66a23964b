import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import { recordFolder } from '../../../../../src/features/review/model/recordFolders';
import { StoredReviews } from '../../../../../src/features/review/model/storedReviews';
import { DiskFiles } from '../../../../support/diskFiles';
import { FolderBlobs } from '../../../../support/folderBlobs';
import { posixOnly } from '../../../../support/posixOnly';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { until } from '../../../../support/until';
import { makePipe } from '../../../model/files/hostileFiles';

describe('The reviews of a workspace', () => {
  let folder: string;
  let windows: StoredReviews[];
  const files = new DiskFiles();

  beforeEach(() => {
    folder = temporaryFile('reviews');
    windows = [];
  });

  afterEach(() => {
    for (const window of windows) {
      window.dispose();
    }
    removeTemporary();
  });

  function window(
    places: readonly string[] = ['/work'],
    folderOf?: (agentId: string, sessionId: string) => string | undefined,
  ): StoredReviews {
    const reviews = new StoredReviews({
      ...{ folder, files, log: { warn: () => undefined } },
      blobs: (session) => new FolderBlobs(path.join(session, 'blobs')),
      places: () => Promise.resolve(places),
      ...(folderOf && { findFolder: folderOf }),
    });
    windows.push(reviews);
    return reviews;
  }

  async function change(review: RecordedReview, name: string, text: string): Promise<void> {
    const { contents } = review.record;
    const file = temporaryFile(name);
    fs.writeFileSync(file, text);
    const before = { kind: 'absent' } as const;
    const after = await contents.add(Buffer.from(text));
    await review.record.addSteps({ by: 'agent', source: 'write', turn: 1 }, [
      { file, before, after },
    ]);
  }

  it('those of the workspace’s folders are loaded, and no others', async () => {
    const first = window();
    await change(await first.open('/work', 'a', 's1'), 'f', 'x');
    await change(await first.open('/elsewhere', 'a', 's2'), 'f', 'x');
    const next = window();
    await next.load();
    assert.deepEqual(
      next.all.map(({ sessionId }) => sessionId),
      ['s1'],
    );
    assert.equal(next.of('a', 's1')?.pending.length, 1);
    assert.equal(next.of('a', 's2'), undefined);
  });

  it('those of a folder that is found later are loaded then, and go on following other windows', async () => {
    const first = window();
    await change(await first.open('/tree', 'a', 's'), 'f', 'x');
    const places = ['/work'];
    const next = window(places);
    await next.load();
    assert.deepEqual(next.all, []);
    places.push('/tree', '/tree/sub', '/gone');
    await next.load();
    assert.equal(next.of('a', 's')?.pending.length, 1);
    assert.equal(fs.readdirSync(folder).length, 1, 'nothing is left in folders without records');
    await change(await first.open('/tree/sub', 'a', 'below'), 'f', 'x');
    await until(() => next.of('a', 'below')?.pending.length === 1);
  });

  it('of two sessions with the same id, that of the session’s folder is meant', async () => {
    const first = window();
    await change(await first.open('/tree', 'a', '1'), 'f', 'x');
    await change(await first.open('/work', 'a', '1'), 'g', 'y');
    let own = '/work';
    const next = window(['/work', '/tree'], () => own);
    await next.load();
    const file = (): string => path.basename(next.of('a', '1')?.pending[0]?.file ?? '');
    assert.equal(file(), 'g');
    own = '/tree';
    assert.equal(file(), 'f');
  });

  it('names the sessions of a file, the last one first', async () => {
    const reviews = window();
    const [one, two] = [
      await reviews.open('/work', 'a', '1'),
      await reviews.open('/work', 'a', '2'),
    ];
    await change(one, 'f', 'x');
    await until(() => Date.now() > one.changedAt);
    await change(two, 'f', 'y');
    const ids = reviews.ofFile(temporaryFile('f')).map(({ sessionId }) => sessionId);
    assert.deepEqual(ids, ['2', '1']);
    assert.deepEqual(reviews.ofFile('/other'), []);
  });

  it('sessions and decisions of another window appear', async () => {
    const [one, other] = [window(), window()];
    await one.load();
    await change(await other.open('/work', 'a', 's'), 'f', 'x');
    await until(() => one.of('a', 's')?.pending.length === 1);
    await other.of('a', 's')?.keep({ type: 'all' });
    await until(() => one.of('a', 's')?.pending.length === 0);
  });

  it('fires once for each step', async () => {
    const reviews = window();
    const review = await reviews.open('/work', 'a', 's');
    let fired = 0;
    reviews.onDidChange(() => fired++);
    await change(review, 'f', 'x');
    assert.equal(fired, 1);
  });

  it('a forgotten session is gone from the disk', async () => {
    const reviews = window();
    await change(await reviews.open('/work', 'a', 's'), 'f', 'x');
    await reviews.forget('a', 's');
    assert.deepEqual(reviews.all, []);
    assert.equal(fs.existsSync(recordFolder(folder, '/work', ['a', 's'])), false);
    await reviews.load();
    assert.deepEqual(reviews.all, []);
  });

  it('a forgotten session is gone from the disk even if its record was still being written', async () => {
    const reviews = window();
    for (const sessionId of ['1', '2', '3']) {
      await change(await reviews.open('/work', 'a', sessionId), 'f', 'x');
      const record = recordFolder(folder, '/work', ['a', sessionId]);
      const forgotten = reviews.forget('a', sessionId);
      const write = (name: number): Promise<boolean> =>
        fs.promises.writeFile(path.join(record, `${name}`), 'late').then(
          () => true,
          () => false,
        );
      // Until there is no folder any more.
      for (let name = 0; name < 200 && (await write(name)); name++);
      await forgotten;
      assert.equal(fs.existsSync(record), false);
    }
  });

  it('a record in the folder of another session isn’t read', async () => {
    const reviews = window();
    await change(await reviews.open('/work', 'a', 's'), 'f', 'x');
    const real = recordFolder(folder, '/work', ['a', 's']);
    fs.renameSync(real, path.join(path.dirname(real), '0123456789abcdef'));
    const next = window();
    await next.load();
    assert.deepEqual(next.all, []);
  });

  posixOnly(
    'SEC-82: records that are links, pipes or another session’s are left out, and the others are there',
    async () => {
      const reviews = window();
      await change(await reviews.open('/work', 'a', 'good'), 'f', 'x');
      await change(await reviews.open('/elsewhere', 'a', 'secret'), 'f', 'x');
      const at = (session: string, place = '/work'): string =>
        path.join(recordFolder(folder, place, ['a', session]), 'journal.ndjson');
      for (const session of ['link', 'pipe', 'copied']) {
        fs.mkdirSync(path.dirname(at(session)), { recursive: true });
      }
      fs.symlinkSync(at('good'), at('link'));
      makePipe(at('pipe'));
      fs.copyFileSync(at('secret', '/elsewhere'), at('copied'));
      fs.symlinkSync(path.dirname(at('secret', '/elsewhere')), path.dirname(at('secret')));
      const next = window();
      await next.load();
      assert.deepEqual(
        next.all.map(({ sessionId }) => sessionId),
        ['good'],
      );
      const before = fs.readFileSync(at('good'), 'utf8');
      await assert.rejects(next.open('/work', 'a', 'link'));
      assert.equal(fs.readFileSync(at('good'), 'utf8'), before);
    },
  );

  it('a folder that is gone, and files in its place, are no trouble', async () => {
    const reviews = window();
    await reviews.load();
    assert.deepEqual(reviews.all, []);
    const real = recordFolder(folder, '/work', ['a', 's']);
    fs.mkdirSync(path.join(real, 'journal.ndjson'), { recursive: true });
    const next = window();
    await next.load();
    assert.deepEqual(next.all, []);
  });
});
