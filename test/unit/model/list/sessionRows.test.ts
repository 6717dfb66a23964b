import assert from 'node:assert/strict';
import { SessionRows } from '../../../../src/model/list/sessionRows';
import { fc } from '../../../support/properties';
import { session, sessions } from '../fakes';

function rowsOf(...pages: readonly (readonly ReturnType<typeof session>[])[]): SessionRows {
  const rows = new SessionRows('demo');
  rows.beginListing();
  for (const info of pages.flat()) {
    rows.add(info);
  }
  return rows;
}

function ids(rows: SessionRows): string[] {
  return rows.sorted.map(({ info }) => info.sessionId);
}

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`;

describe('SessionRows', () => {
  it('LIST-15: newest first, undated and garbage last, otherwise in the order of the agent', () => {
    const rows = rowsOf([
      session('none'),
      session('old', { updatedAt: day(1) }),
      session('garbage', { updatedAt: 'soon' }),
      session('new', { updatedAt: day(3) }),
      session('same', { updatedAt: day(1) }),
    ]);
    assert.deepEqual(ids(rows), ['new', 'old', 'same', 'none', 'garbage']);
  });

  it('T-4: a session on two pages is one row, with the newer of the two', () => {
    const rows = rowsOf(
      [session('a', { title: 'new', updatedAt: day(2) })],
      [session('b', { updatedAt: day(1) }), session('a', { title: 'old', updatedAt: day(1) })],
    );
    assert.deepEqual(ids(rows), ['a', 'b']);
    assert.equal(rows.get('a')?.title, 'new');
    rows.add(session('a', { title: 'newest', updatedAt: day(5) }));
    assert.equal(rows.get('a')?.title, 'newest');
    assert.equal(rows.sorted.length, 2);
  });

  it('a key is stable, and unique whatever the ids contain', () => {
    const first = new SessionRows('a:b');
    const second = new SessionRows('a');
    first.add(session('c'));
    second.add(session('b:c'));
    second.add(session('/ weird id 🎉 \n'));
    assert.notEqual(first.sorted[0]?.key, second.sorted[0]?.key);
    const before = first.sorted[0]?.key;
    first.push('c', { title: 'other', updatedAt: day(1) });
    assert.equal(first.sorted[0]?.key, before);
  });

  it('INFO-1, INFO-2, INFO-3: a push changes what it names; null clears', () => {
    const rows = rowsOf([session('a', { title: 'one', updatedAt: day(1), _meta: { x: 1 } })]);
    rows.push('a', { updatedAt: day(2) });
    assert.equal(rows.get('a')?.title, 'one');
    assert.deepEqual(rows.get('a')?.info._meta, { x: 1 });
    rows.push('a', { title: null, _meta: { y: 2 } });
    assert.equal(rows.get('a')?.title, 'Untitled session');
    assert.deepEqual(rows.get('a')?.info._meta, { y: 2 });
    rows.push('a', { updatedAt: null, _meta: null });
    assert.deepEqual(rows.get('a')?.info, session('a'));
    assert.equal(rows.get('a')?.updatedAt, undefined);
  });

  it('INFO-4: a push never changes id or roots', () => {
    const rows = rowsOf([session('a')]);
    const patch = { title: 'x', cwd: '/other', sessionId: 'b', additionalDirectories: ['/y'] };
    rows.push('a', patch);
    assert.deepEqual(rows.get('a')?.info, session('a', { title: 'x' }));
  });

  it('says whether a push moved the row', () => {
    const rows = rowsOf(sessions(3));
    assert.equal(rows.push('s2', { title: 'new' })?.moved, false);
    assert.equal(rows.push('s2', { updatedAt: '2027-01-01T00:00:00Z' })?.moved, true);
    assert.deepEqual(ids(rows), ['s2', 's0', 's1']);
    assert.equal(rows.push('unknown', { title: 'x' }), undefined);
  });

  it('INFO-7: a list that lags does not bring the old title back', () => {
    const rows = rowsOf([session('a', { title: 'old', updatedAt: day(1) })]);
    rows.push('a', { title: 'new' });
    rows.beginListing();
    rows.add(session('a', { title: 'old', updatedAt: day(1) }));
    assert.equal(rows.get('a')?.title, 'new');
  });

  it('INFO-7: a list that is newer than the push wins', () => {
    const rows = rowsOf([session('a', { title: 'old', updatedAt: day(1) })]);
    rows.push('a', { title: 'pushed', updatedAt: day(2) });
    rows.beginListing();
    rows.add(session('a', { title: 'renamed', updatedAt: day(3) }));
    assert.equal(rows.get('a')?.title, 'renamed');
  });

  it('INFO-7: once the list has caught up, the list counts', () => {
    const rows = rowsOf([session('a', { title: 'old', updatedAt: day(1) })]);
    rows.push('a', { title: 'new' });
    rows.beginListing();
    rows.add(session('a', { title: 'new', updatedAt: day(1) }));
    rows.beginListing();
    rows.add(session('a', { title: 'renamed', updatedAt: day(1) }));
    assert.equal(rows.get('a')?.title, 'renamed');
  });

  it('INFO-7: a title that was cleared does not come back from a list that lags', () => {
    const rows = rowsOf([session('a', { title: 'old', updatedAt: day(1) })]);
    rows.push('a', { title: null, updatedAt: null });
    rows.beginListing();
    rows.add(session('a', { title: 'old', updatedAt: day(1) }));
    assert.equal(rows.get('a')?.title, 'Untitled session');
  });

  it('T-19: updates that were pushed before a session was listed apply once it is', () => {
    const rows = new SessionRows('demo');
    rows.add(session('a', { title: 'listed', updatedAt: day(1) }), { title: 'pushed' });
    rows.add(session('b', { title: 'listed', updatedAt: day(3) }), {
      title: 'pushed',
      updatedAt: day(2),
    });
    assert.equal(rows.get('a')?.title, 'pushed');
    assert.equal(rows.get('b')?.title, 'listed');
  });

  it('LIST-13: extra roots are those of the last listing', () => {
    const rows = rowsOf([session('a', { additionalDirectories: ['/x'] })]);
    rows.beginListing();
    rows.add(session('a'));
    assert.deepEqual(rows.get('a')?.info.additionalDirectories, []);
  });

  it('a new listing keeps rows until they are disproved', () => {
    const rows = rowsOf(sessions(4));
    rows.beginListing();
    rows.add(sessions(4)[0]!);
    rows.add(sessions(4)[2]!);
    assert.equal(rows.sorted.length, 4);
    rows.dropUnconfirmed(rows.get('s2')?.updatedAt);
    assert.deepEqual(ids(rows), ['s0', 's2', 's3']);
    rows.dropUnconfirmed();
    assert.deepEqual(ids(rows), ['s0', 's2']);
  });

  it("undated sessions of a newer listing come before those of an older, in the agent's order", () => {
    const rows = rowsOf([session('a'), session('b'), session('c')]);
    rows.beginListing();
    rows.add(session('new'));
    rows.add(session('c'));
    assert.deepEqual(ids(rows), ['new', 'c', 'a', 'b']);
  });

  it('T-4, LIST-15: any listings and pushes leave each id once, in a total order', () => {
    const id = fc.integer({ min: 0, max: 12 }).map((number) => `s${number}`);
    const updatedAt = fc.option(
      fc.oneof(fc.integer({ min: 1, max: 28 }).map(day), fc.constant('garbage')),
      { nil: undefined },
    );
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const) }),
      fc.record({ do: fc.constant('drop' as const) }),
      fc.record({ do: fc.constant('add' as const), id, updatedAt }),
      fc.record({ do: fc.constant('push' as const), id, updatedAt }),
      fc.record({ do: fc.constant('ahead' as const), id, archived: fc.boolean() }),
      fc.record({ do: fc.constantFrom('remove', 'archive', 'unarchive'), id }),
      fc.constant({ do: 'admit' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rows = new SessionRows('demo');
        for (const it of steps) {
          switch (it.do) {
            case 'begin':
              rows.beginListing();
              break;
            case 'drop':
              rows.dropUnconfirmed();
              break;
            case 'add':
              rows.add(
                session(it.id, it.updatedAt === undefined ? {} : { updatedAt: it.updatedAt }),
              );
              break;
            case 'push':
              rows.push(it.id, { updatedAt: it.updatedAt ?? null });
              break;
            case 'ahead':
              rows.addPage([session(it.id, { archived: it.archived })], () => undefined, true);
              break;
            case 'admit':
              rows.admit(1);
              break;
            case 'remove':
              rows.remove(it.id);
              break;
            default:
              rows.setArchived(it.id, it.do === 'archive');
          }
          assertSound(rows);
        }
      }),
    );
  });
});

function assertSound(rows: SessionRows): void {
  assert.equal(new Set(ids(rows)).size, rows.sorted.length);
  const times = rows.sorted.map(({ updatedAt }) => updatedAt ?? -Infinity);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  assert.equal(
    rows.hasAhead,
    rows.sorted.some(({ ahead, info }) => ahead === true && info.archived !== true),
  );
  for (const row of rows.sorted) {
    assert.equal(rows.get(row.info.sessionId), row);
  }
}
