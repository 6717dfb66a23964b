import assert from 'node:assert/strict';
import { dateGroup, relativeTime } from '../../../src/views/dates';

const now = new Date(2026, 2, 15, 14, 30).getTime();

function at(...date: [number, number, number, number?, number?]): number {
  const [year, month, day, hour = 12, minute = 0] = date;
  return new Date(year, month - 1, day, hour, minute).getTime();
}

describe('dates of the tree', () => {
  it('groups by calendar day, then by month', () => {
    const groups = [
      [at(2026, 3, 15, 0, 1), 'today', 'Today'],
      [at(2026, 3, 14, 23, 59), 'yesterday', 'Yesterday'],
      [at(2026, 3, 13), 'week', 'Last 7 days'],
      [at(2026, 3, 8), 'week', 'Last 7 days'],
      [at(2026, 3, 7), '2026-03', 'March 2026'],
      [at(2025, 12, 31), '2025-12', 'December 2025'],
      [undefined, 'undated', 'No date'],
    ] as const;
    for (const [time, key, label] of groups) {
      assert.deepEqual(dateGroup(time, now), { key, label });
    }
  });

  it('T-7: takes a time in the future for today', () => {
    assert.equal(dateGroup(at(2029, 1, 1), now).key, 'today');
    assert.equal(relativeTime(at(2029, 1, 1), now), 'now');
  });

  it('says how long ago, shorter the longer', () => {
    const words = [
      [now - 30_000, 'now'],
      [now - 5 * 60_000, '5m ago'],
      [now - 3 * 3_600_000, '3h ago'],
      [at(2026, 3, 14, 1), 'yesterday'],
      [at(2026, 3, 11), '4d ago'],
      [at(2026, 3, 1), 'Mar 1'],
      [at(2025, 3, 1), 'Mar 1, 2025'],
    ] as const;
    for (const [time, text] of words) {
      assert.equal(relativeTime(time, now), text);
    }
  });

  it('counts hours, not midnights, shortly after midnight', () => {
    const night = at(2026, 3, 15, 1, 0);
    assert.equal(relativeTime(at(2026, 3, 14, 23, 0), night), '2h ago');
  });
});
