import assert from 'node:assert/strict';
import { usageCsv } from '../../../../../src/features/usage/model/usageCsv';
import { noCounts, type UsageLine } from '../../../../../src/features/usage/model/usageLine';
import { usageMarkdown } from '../../../../../src/features/usage/model/usageMarkdown';
import { sumUsage, type UsageGroup } from '../../../../../src/features/usage/model/usageSums';

const line = (more: Partial<UsageLine> = {}): UsageLine => ({
  at: new Date(2026, 10, 28, 12).getTime(),
  ...{ agent: 'claude', folder: '/work', session: 's', ...noCounts, turns: 1, cost: 0 },
  ...more,
});
async function* monthsOf(lines: readonly UsageLine[]) {
  yield await Promise.resolve(lines);
}
const sum = (...lines: readonly UsageLine[]): Promise<readonly UsageGroup[]> =>
  sumUsage(monthsOf(lines));
const same = (agent: string): string => agent;

describe('usage as a document', () => {
  it('US-7: says what to do while there is none', () => {
    const text = usageMarkdown([], same);
    assert.match(text, /^# Usage\n\nNothing is counted yet\. Send a prompt/);
    assert.ok(!text.includes('|'));
  });

  it('US-7: has a table by agent, by day and by folder, each with its total', async () => {
    const groups = await sum(
      line({ ms: 65_000, input: 1200, output: 34, cost: 0.25, currency: 'USD' }),
      line({ ms: 5_000, input: 300, output: 6, cost: 1, currency: 'USD', folder: '/other' }),
      line({ agent: 'codex', at: new Date(2026, 10, 27, 12).getTime(), ms: 3_600_000 }),
    );
    const text = usageMarkdown(groups, (id) => (id === 'codex' ? 'Codex' : id));
    const rows = text.split('\n').filter((row) => row.startsWith('|'));
    const cells = rows.map((row) => `${row}|`.split('|').map((cell) => cell.trim()));
    const [head, , ...body] = cells;
    assert.deepEqual(head?.slice(1, -1), [
      ...['Agent', 'Turns', 'Time', 'Input', 'Output', 'Cost'],
    ]);
    assert.deepEqual(body[0]?.slice(1, -1), ['`Codex`', '1', '1 h 0 min', '0', '0', '']);
    assert.deepEqual(body[1]?.slice(1, -1), [
      ...['`claude`', '2', '1 min', '1.5K', '40', '1.25 USD'],
    ]);
    assert.deepEqual(body[2]?.slice(1, 3), ['Total', '3']);
    assert.ok(text.indexOf('2026-11-28') < text.indexOf('2026-11-27'), 'the latest first');
    assert.ok(text.indexOf('`/work`') < text.indexOf('`/other`'), 'the most first');
    const widths = new Set(
      rows.slice(0, 5).flatMap((row) => (/USD$|Cost$/.test(row) ? row.length : [])),
    );
    assert.equal(widths.size, 1, 'can be read as it is');
  });

  it('US-7: hostile names are nothing but text, and rows are bounded', async () => {
    const folder = '/a`b|c\n# x](command:evil) <img src=x>\u202e';
    const many = Array.from({ length: 5_000 }, (_, at) => line({ folder: `/f${at}`, ms: at }));
    const groups = await sum(line({ folder, ms: 1e9 }), ...many);
    const text = usageMarkdown(groups, () => '| x | `');
    assert.ok(text.includes('`` /a`b¦c # x](command:evil) <img src=x> ``'), text.slice(0, 3000));
    assert.ok(!/^# x/m.test(text));
    assert.ok(text.length < 60_000, `${text.length}`);
    assert.match(text, /\| 4,?901 more$/m);
    const unit = line({ cost: 1, currency: '<b>|`$' });
    assert.match(usageMarkdown(await sum(unit), same), /1\.00 b\$/);
  });
});

describe('usage as CSV', () => {
  const csv = async (...lines: readonly UsageLine[]): Promise<readonly string[]> =>
    usageCsv(await sum(...lines), same)
      .replace(/^\ufeff/, '')
      .split('\r\n');

  it('US-9: has a row for each day, agent and folder, and one more for another unit of the cost', async () => {
    const [head, ...rows] = await csv(
      line({ ms: 1_500, input: 10, output: 5, thought: 1, cachedRead: 2, cachedWrite: 3 }),
      line({ cost: 0.1, currency: 'USD' }),
      line({ cost: 0.2, currency: 'USD' }),
      line({ cost: 3, currency: 'credits' }),
    );
    assert.match(head ?? '', /^Day,Agent,Folder,Turns,Working time \(s\),Input tokens,/);
    assert.deepEqual(rows, [
      '2026-11-28,claude,/work,4,2,10,5,1,2,3,0.3,USD',
      '2026-11-28,claude,/work,0,0,0,0,0,0,0,3,credits',
      '',
    ]);
  });

  it('US-9: no cell is a formula, whatever folders, agents and units are called', async () => {
    for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '\u200b=1']) {
      const [, row = ''] = await csv(line({ folder: name, agent: name, cost: 1, currency: name }));
      const cells = row.split(',');
      assert.equal(cells.length, 12, row);
      for (const cell of cells) {
        assert.ok(!/^"?\s*[=+\-@＝]/u.test(cell), row);
      }
    }
  });

  it('US-9: commas, quotes and line ends stay in their cell', async () => {
    const rows = await csv(line({ folder: '/a,"b"\r\nc;d' }));
    assert.equal(rows.length, 3);
    assert.ok(rows[1]?.includes('"/a,""b"" c;d"'), rows[1]);
  });
});
