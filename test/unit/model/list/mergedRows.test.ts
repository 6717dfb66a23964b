import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionRow } from '../../../../src/model/agent';
import { mergeRows, type OrderedList } from '../../../../src/model/list/mergedRows';

const none = { kind: 'none' } as const;
const ready = { kind: 'ready' } as const;

function row(key: string, updatedAt: number | undefined, ahead = false): SessionRow {
  const info = { sessionId: key, cwd: '/', additionalDirectories: [], title: key };
  return { key, agentId: key[0] ?? '', info, title: key, updatedAt, ahead };
}

function list(rows: readonly SessionRow[], older: OrderedList['older'] = none): OrderedList {
  return { rows, older, state: { kind: 'loaded' } };
}

function keys(rows: readonly SessionRow[]): string {
  return rows.map(({ key }) => key).join(' ');
}

describe('rows of several lists', () => {
  it('T-151: are in the order of their times, each session once', () => {
    const a = list([row('a1', 9), row('a2', 5), row('a3', undefined)]);
    const b = list([row('b1', 7), row('a2', 5), row('b2', 5), row('b3', undefined)]);
    const merged = mergeRows([a, b]);
    assert.equal(keys(merged.rows), 'a1 b1 a2 b2 a3 b3');
    assert.deepEqual([merged.sure, merged.next], [6, undefined]);
    assert.equal(merged.lists.get('b2'), b);
  });

  it('T-151: are certain down to the newest last row of a list that has further pages', () => {
    const a = list([row('a1', 9), row('a2', 2)], ready);
    const b = list([row('b1', 8), row('b2', 4)], ready);
    const c = list([row('c1', 3), row('c2', 1)]);
    const merged = mergeRows([a, b, c]);
    assert.equal(keys(merged.rows.slice(0, merged.sure)), 'a1 b1 b2');
    assert.equal(merged.next, b);
    const later = mergeRows([a, list([...b.rows, row('b3', 1)], ready), c]);
    assert.equal(keys(later.rows.slice(0, later.sure)), 'a1 b1 b2 c1 a2');
    assert.equal(later.next, a);
  });

  it('T-151: aren’t held back by a list that starts, has failed or has no rows', () => {
    const rows = [row('b1', 8), row('b2', 4)];
    const a = list([row('a1', 9)]);
    for (const other of [
      { ...list(rows, ready), state: { kind: 'loading' } } as const,
      list(rows, { kind: 'stopped', reason: 'The agent repeats a page.' }),
    ]) {
      const { sure, next } = mergeRows([a, other]);
      assert.deepEqual([sure, next], [3, undefined]);
    }
    const empty = list([], ready);
    assert.deepEqual([mergeRows([a, empty]).sure, mergeRows([a, empty]).next], [1, empty]);
  });

  it('T-151: don’t count what was only fetched ahead', () => {
    const a = list([row('a1', 9), row('a2', 5, true), row('a3', 3, true)], ready);
    const { sure, next } = mergeRows([a, list([row('b1', 6)])]);
    assert.deepEqual([sure, next], [1, a]);
  });

  it('T-151: stay where they are, whatever the next page of any list brings', () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 });
    const lists = fc.array(fc.record({ times, read: fc.nat(12) }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, (told) => {
        const all = told.map(({ times: each }, index) =>
          each.toSorted((x, y) => y - x).map((time, at) => row(`${index}-${at}`, time)),
        );
        const read = told.map(({ read: count }, index) => {
          const rows = all[index] ?? [];
          return list(rows.slice(0, count), count < rows.length ? ready : none);
        });
        const { rows, sure } = mergeRows(read);
        const complete = mergeRows(all.map((each) => list(each)));
        const isKnown = read.every((each) => each.older.kind === 'none' || each.rows.length > 0);
        if (isKnown) {
          assert.equal(
            keys(rows.slice(0, sure)),
            keys(
              complete.rows.filter(({ key }) =>
                rows.slice(0, sure).some((each) => each.key === key),
              ),
            ),
          );
          const last = rows[sure - 1]?.updatedAt ?? Infinity;
          const newer = complete.rows.filter(({ updatedAt }) => (updatedAt ?? 0) > last);
          assert.ok(newer.every(({ key }) => rows.slice(0, sure).some((each) => each.key === key)));
        }
      }),
    );
  });
});
