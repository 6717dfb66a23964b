import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { tidyReviews } from '../../../../../../src/features/review/model/checkpoints/tidyReviews';
import { posixOnly } from '../../../../../support/posixOnly';
import { remove, temporaryFolder } from '../../../../model/files/hostileFiles';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22);
const a = 'aaaaaaaaaaaaaaaa';
const b = 'bbbbbbbbbbbbbbbb';
const c = 'cccccccccccccccc';

describe('old reviews', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('tidy');
  });
  afterEach(() => remove(folder));

  /** A record or a store that was last used so many days ago. */
  function make(name: string, days: number, bytes = 10): string {
    const place = path.join(folder, name);
    mkdirSync(path.join(place, 'blobs'), { recursive: true });
    const files = ['journal.ndjson', 'blobs/one'].map((file) => path.join(place, file));
    for (const [index, file] of files.entries()) {
      writeFileSync(file, Buffer.alloc(index === 0 ? 0 : bytes));
    }
    const time = (now - days * day) / 1000;
    [...files, path.join(place, 'blobs'), place].forEach((file) => utimesSync(file, time, time));
    return place;
  }

  const names = (places: readonly string[]): string[] =>
    places.map((place) => path.relative(folder, place));
  const never = () => false;
  const large = 1e9;

  it('go by their age, with the folders that are empty then', async () => {
    make(`${a}/${b}`, 31);
    make(`${a}/git`, 29);
    make(`${b}/${c}`, 40);
    const limits = { days: 30, bytes: large };
    for (let at = 30; at > 0; at--) {
      assert.deepEqual(await tidyReviews(folder, limits, never, now - at * day), []);
    }
    const removed = await tidyReviews(folder, limits, never, now);
    assert.deepEqual(names(removed), [`${b}/${c}`, `${a}/${b}`]);
    assert.deepEqual(readdirSync(folder).sort(), [a, 'ages.json']);
    assert.deepEqual(readdirSync(path.join(folder, a)), ['git']);
  });

  it('SEC-142: stay whatever the clock says, until so many days were seen to begin', async () => {
    make(`${a}/${b}`, 0);
    const limits = { days: 30, bytes: large };
    for (const years of [0, 10, 20, 20, 0, 30]) {
      const later = now + years * 365 * day;
      assert.deepEqual(await tidyReviews(folder, limits, never, later), [], `${years} years`);
    }
  });

  it('go by their size, the oldest first, until the rest fits', async () => {
    make(`${a}/${a}`, 3, 500_000);
    make(`${a}/${b}`, 1, 500_000);
    make(`${b}/${a}`, 4, 500_000);
    make(`${b}/git`, 2, 500_000);
    const removed = await tidyReviews(folder, { days: 30, bytes: 1_100_000 }, never, now);
    assert.deepEqual(names(removed), [`${b}/${a}`, `${a}/${a}`]);
  });

  it('stay while they are used, here or in another window', async () => {
    const used = make(`${a}/${a}`, 50);
    const held = make(`${a}/git`, 50);
    const left = make(`${b}/git`, 50);
    writeFileSync(path.join(held, `index.${process.pid}.00000000`), '');
    writeFileSync(path.join(left, `index.${2 ** 22 + 1}.00000000`), '');
    writeFileSync(path.join(left, 'index.0.00000000'), '');
    const later = now + 400 * day;
    const removed = await tidyReviews(
      folder,
      { days: 30, bytes: 0 },
      (place) => place === used,
      later,
    );
    assert.deepEqual(names(removed), [`${b}/git`]);
  });

  posixOnly('are only what is ours: nothing else goes, and no link is followed', async () => {
    const other = temporaryFolder('other');
    try {
      writeFileSync(path.join(other, 'precious'), 'x');
      make('something else', 50);
      make(`${a}/something else`, 50);
      symlinkSync(other, path.join(folder, b));
      symlinkSync(other, path.join(make(`${c}/${a}`, 50), 'link'));
      const removed = await tidyReviews(folder, { days: 30, bytes: 0 }, never, now + 400 * day);
      assert.deepEqual(names(removed), [`${c}/${a}`]);
      assert.ok(existsSync(path.join(other, 'precious')));
    } finally {
      remove(other);
    }
  });

  it('that were being removed when the window ended are removed', async () => {
    const gone = make(`${a}/git.gone-00000000-0000-0000-0000-000000000000`, 0);
    await tidyReviews(folder, { days: 30, bytes: large }, never, now);
    assert.ok(!existsSync(gone));
  });

  it('aren’t missed where there is nothing', async () => {
    const removed = await tidyReviews(path.join(folder, 'none'), { days: 1, bytes: 1 }, never);
    assert.deepEqual(removed, []);
  });
});
