import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { maxMonths, UsageFiles } from '../../../../../src/features/usage/model/usageFiles';
import { noCounts, type UsageLine } from '../../../../../src/features/usage/model/usageLine';
import { posixOnly } from '../../../../support/posixOnly';

const noon = Date.UTC(2026, 10, 28, 12);
const line = (more: Partial<UsageLine> = {}): UsageLine => ({
  ...{ at: noon, agent: 'claude', folder: '/work', session: 's', ...noCounts, turns: 1, cost: 0 },
  ...more,
});

describe('the files of usage', () => {
  let folder: string;
  let warned: string[];
  const files = (maxBytes?: number): UsageFiles =>
    new UsageFiles(folder, { warn: (text) => warned.push(text) }, maxBytes);
  const read = async (from = files()): Promise<UsageLine[]> => {
    const all: UsageLine[] = [];
    for await (const lines of from.months()) {
      all.push(...lines);
    }
    return all;
  };
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-usage-')), 'usage');
    warned = [];
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it('US-7: have what is added, by windows that add at the same time, too', async () => {
    assert.deepEqual(await read(), []);
    const windows = Array.from({ length: 4 }, () => files());
    await Promise.all(
      windows.flatMap((window, at) =>
        Array.from({ length: 50 }, (_, turn) => window.add(line({ agent: `${at}`, ms: turn }))),
      ),
    );
    const all = await read();
    assert.equal(new Set(all.map(({ agent, ms }) => `${agent} ${ms}`)).size, 200);
    assert.deepEqual(warned, []);
  });

  it('US-7: lose only a line that was written in part, and read none that isn’t theirs', async () => {
    await files().add(line({ input: 1 }));
    await appendFile(path.join(folder, '2026-11.jsonl'), '\n{"at":1764');
    await files().add(line({ input: 2 }));
    await appendFile(
      path.join(folder, '2026-11.jsonl'),
      [
        ...['null', '[]', '{}', '5', `{"at":-1,"agent":"a","folder":"b","session":"c"}`],
        JSON.stringify({ ...line(), at: 1e300 }),
        JSON.stringify({ ...line(), input: -5, output: 'x', cost: -1, currency: 'USD' }),
      ].join('\n'),
    );
    const all = await read();
    assert.deepEqual(
      all.map(({ input, output, cost }) => [input, output, cost]),
      [
        [1, 0, 0],
        [2, 0, 0],
        [0, 0, 0],
      ],
    );
  });

  it('US-7: are bounded in bytes, names and months', async () => {
    const long = 'x'.repeat(1e6);
    await files().add(line({ agent: long, folder: long, currency: long, total: 1 }));
    assert.ok((await stat(path.join(folder, '2026-11.jsonl'))).size < 5_000);
    const small = files(10_000);
    for (let turn = 0; turn < 200; turn++) {
      await small.add(line());
    }
    assert.ok((await stat(path.join(folder, '2026-11.jsonl'))).size <= 10_000);
    assert.equal(warned.length, 1, 'is told once');
    for (let month = 0; month < 2 * maxMonths; month++) {
      await files().add(line({ at: Date.UTC(2027, month) }));
    }
    const names = (await readdir(folder)).sort();
    assert.equal(names.length, maxMonths);
    assert.equal(names.at(-1), '2029-02.jsonl');
  });

  it('US-7: over twice their size, the newest part is read', async () => {
    await mkdir(folder);
    const lines = Array.from({ length: 100 }, (_, input) => JSON.stringify(line({ input })));
    await writeFile(path.join(folder, '2026-11.jsonl'), `${lines.join('\n')}\n`);
    const all = await read(files(1000));
    assert.ok(all.length > 5 && all.length < 20, `${all.length}`);
    assert.equal(all.at(-1)?.input, 99);
    assert.equal(all[0]?.input, 100 - all.length);
    assert.equal((await read()).length, 100);
  });

  it('US-8: know what a session had cost', async () => {
    const total = (amount: number, more: Partial<UsageLine> = {}): UsageLine =>
      line({ total: amount, currency: 'USD', ...more });
    for (const each of [
      total(1, { at: Date.UTC(2026, 9) }),
      total(2),
      total(3, { session: 'other' }),
      line(),
    ]) {
      await files().add(each);
    }
    assert.deepEqual(await files().findTotal('s'), { amount: 2, currency: 'USD' });
    assert.equal(await files().findTotal('none'), undefined);
    await files().add(total(4, { session: 'x', folder: '"s"' }));
    assert.deepEqual(await files().findTotal('s'), { amount: 2, currency: 'USD' });
  });

  it('US-7: are deleted on request, and others aren’t', async () => {
    await files().add(line());
    await writeFile(path.join(folder, 'other.txt'), '');
    await files().clear();
    assert.deepEqual(await readdir(folder), ['other.txt']);
    assert.deepEqual(await read(), []);
    await files().add(line());
    assert.equal((await read()).length, 1);
  });

  posixOnly('US-7: are no links to elsewhere', async () => {
    const elsewhere = path.join(path.dirname(folder), 'elsewhere');
    await writeFile(elsewhere, '');
    await mkdir(folder);
    await symlink(elsewhere, path.join(folder, '2026-11.jsonl'));
    await files().add(line());
    assert.equal((await stat(elsewhere)).size, 0);
    assert.equal(warned.length, 1);
    assert.deepEqual(await read(), []);
  });
});
