import assert from 'node:assert/strict';
import { sessionKey } from '../../../../src/model/list/sessionInfo';
import {
  boundRecords,
  type MarkLimits,
  type MarkRecord,
  type MarkRecords,
  markLimits,
  marksKey,
  mergeRecords,
  readRecords,
  writeRecords,
} from '../../../../src/model/marks/markRecords';
import { SessionMarks } from '../../../../src/model/marks/marks';
import type { KeyedStorage } from '../../../../src/model/ports';
import { fc } from '../../../support/properties';
import { silentLog } from '../fakes';

/** The stored value and each window's copy of it, which VS Code syncs some time later. */
class FakeDisk {
  value: unknown;
  writes = 0;

  window(): KeyedStorage & { sync(): void } {
    let copy = this.value;
    return {
      get: (key) => (key === marksKey ? copy : undefined),
      update: (_key, value) => {
        copy = this.value = JSON.parse(JSON.stringify(value));
        this.writes++;
        return Promise.resolve();
      },
      sync: () => {
        copy = this.value;
      },
    };
  }
}

const session = { agentId: 'agent', sessionId: 's1' };
const other = { agentId: 'agent', sessionId: 's2' };

function open(storage: KeyedStorage, now: () => number = () => 1_000, limits?: MarkLimits) {
  return new SessionMarks(storage, silentLog, now, limits);
}

describe('SessionMarks', () => {
  it('has no marks for an unmarked session, and writes nothing on reading', () => {
    const disk = new FakeDisk();
    const marks = open(disk.window());
    assert.deepEqual(marks.get('agent', 's1'), {
      pinned: false,
      archived: false,
      alias: undefined,
      read: undefined,
    });
    assert.equal(disk.writes, 0);
  });

  it('keeps pins, names, the archive and read marks until the next start', async () => {
    const disk = new FakeDisk();
    const marks = open(disk.window());
    await marks.setPinned([session, other], true);
    await marks.setAlias(session, 'My name');
    await marks.setArchived([session], true);
    await marks.see(session, 500);
    const later = open(disk.window());
    assert.deepEqual(later.get('agent', 's1'), {
      pinned: true,
      archived: true,
      alias: 'My name',
      read: 500,
    });
    assert.equal(later.get('agent', 's2').pinned, true);
    assert.equal(later.get('another', 's1').pinned, false);
  });

  it('says that something changed, once for many sessions', async () => {
    const marks = open(new FakeDisk().window());
    let changes = 0;
    marks.onDidChange(() => changes++);
    await marks.setPinned([session, other], true);
    assert.equal(changes, 1);
    await marks.setPinned([], true);
    assert.equal(changes, 1);
  });

  it('takes marks back', async () => {
    const disk = new FakeDisk();
    const marks = open(disk.window());
    await marks.setPinned([session], true);
    await marks.setAlias(session, 'Name');
    await marks.setPinned([session], false);
    await marks.setAlias(session, undefined);
    assert.deepEqual(open(disk.window()).get('agent', 's1'), {
      pinned: false,
      archived: false,
      alias: undefined,
      read: undefined,
    });
  });

  it('keeps a name on one clean line', async () => {
    const marks = open(new FakeDisk().window());
    await marks.setAlias(session, ' a\u202eb\n c ');
    assert.equal(marks.get('agent', 's1').alias, 'ab c');
    await marks.setAlias(session, '\u200b \n');
    assert.equal(marks.get('agent', 's1').alias, undefined);
    await marks.setAlias(session, 'x'.repeat(5_000));
    assert.ok((marks.get('agent', 's1').alias?.length ?? 0) <= 201);
  });

  it('forgets the marks of a session that is gone', async () => {
    const marks = open(new FakeDisk().window());
    await marks.setPinned([session], true);
    await marks.forget(session);
    assert.equal(marks.get('agent', 's1').pinned, false);
  });

  describe('unread', () => {
    it('is a session that changed since it was read, never one that was never read', async () => {
      const marks = open(new FakeDisk().window());
      assert.equal(marks.isUnread('agent', 's1', 900), false);
      await marks.see(session, 900);
      assert.equal(marks.isUnread('agent', 's1', 900), false);
      assert.equal(marks.isUnread('agent', 's1', 901), true);
      assert.equal(marks.isUnread('agent', 's1', undefined), false);
    });

    it('seeing an earlier state takes nothing back', async () => {
      const disk = new FakeDisk();
      const marks = open(disk.window());
      await marks.see(session, 900);
      const { writes } = disk;
      await marks.see(session, 800);
      await marks.see(session, 900);
      assert.equal(marks.isUnread('agent', 's1', 900), false);
      assert.equal(disk.writes, writes);
    });

    it('can be set and taken back by hand, without a date too', async () => {
      const marks = open(new FakeDisk().window());
      await marks.setUnread([session, other]);
      assert.equal(marks.isUnread('agent', 's1', 900), true);
      assert.equal(marks.isUnread('agent', 's2', undefined), true);
      await marks.setRead([
        { ...session, updatedAt: 900 },
        { ...other, updatedAt: undefined },
      ]);
      assert.equal(marks.isUnread('agent', 's1', 900), false);
      assert.equal(marks.isUnread('agent', 's2', undefined), false);
    });
  });

  describe('in two windows', () => {
    it('keeps what both have noted, although each writes everything', async () => {
      const disk = new FakeDisk();
      const [left, right] = [disk.window(), disk.window()];
      const [a, b] = [open(left), open(right, () => 2_000)];
      await a.setPinned([session], true);
      await b.setAlias(session, 'From the right');
      left.sync();
      await a.refresh();
      right.sync();
      await b.refresh();
      for (const marks of [a, b, open(disk.window())]) {
        assert.equal(marks.get('agent', 's1').pinned, true);
        assert.equal(marks.get('agent', 's1').alias, 'From the right');
      }
    });

    it('takes in with a write what another has written before', async () => {
      const disk = new FakeDisk();
      const [left, right] = [disk.window(), disk.window()];
      const [a, b] = [open(left), open(right)];
      assert.equal(b.get('agent', 's1').pinned, false);
      await a.setPinned([session], true);
      right.sync();
      await b.setPinned([other], true);
      assert.equal(open(disk.window()).get('agent', 's1').pinned, true);
      assert.equal(b.get('agent', 's1').pinned, true);
    });

    it('the later of two words counts', async () => {
      const disk = new FakeDisk();
      const [left, right] = [disk.window(), disk.window()];
      const [a, b] = [open(left, () => 1_000), open(right, () => 2_000)];
      await a.setAlias(session, 'zebra');
      right.sync();
      await b.setAlias(session, 'ant');
      left.sync();
      await a.refresh();
      assert.equal(a.get('agent', 's1').alias, 'ant');
    });

    it('says on coming back that another window has changed something, and else nothing', async () => {
      const disk = new FakeDisk();
      const [left, right] = [disk.window(), disk.window()];
      const [a, b] = [open(left), open(right)];
      assert.equal(a.get('agent', 's1').pinned, false);
      let changes = 0;
      a.onDidChange(() => changes++);
      await b.setPinned([session], true);
      left.sync();
      await a.refresh();
      assert.equal(changes, 1);
      const { writes } = disk;
      await a.refresh();
      assert.equal(changes, 1);
      assert.equal(disk.writes, writes);
    });

    it('the last value counts although the clock went back', async () => {
      const disk = new FakeDisk();
      await open(disk.window(), () => 4_000_000_000_000).setPinned([session], true);
      const marks = open(disk.window(), () => 5);
      await marks.setPinned([session], false);
      assert.equal(open(disk.window()).get('agent', 's1').pinned, false);
      await marks.setPinned([session], true);
      assert.equal(open(disk.window()).get('agent', 's1').pinned, true);
    });
  });

  describe('with data that is not as it should be', () => {
    it('takes what can be read, field by field', () => {
      const disk = new FakeDisk();
      disk.value = {
        version: 1,
        sessions: [
          null,
          'nonsense',
          { agent: 'agent' },
          { agent: 'agent', session: 's1', pinned: [true, 5], alias: [7, 5], read: 'x' },
          { agent: 'agent', session: 's2', pinned: ['yes', 5], alias: ['Name', 5] },
          { agent: 'agent', session: 's3', pinned: [true, Number.MAX_VALUE] },
          { agent: 'agent', session: 's4', pinned: [true] },
          { agent: 'agent', session: 's5', alias: ['x'.repeat(100_000), 5] },
          { agent: '__proto__', session: 'constructor', pinned: [true, 5] },
        ],
      };
      const marks = open(disk.window());
      assert.equal(marks.get('agent', 's1').pinned, true);
      assert.equal(marks.get('agent', 's1').alias, undefined);
      assert.equal(marks.get('agent', 's1').read, undefined);
      assert.equal(marks.get('agent', 's2').pinned, false);
      assert.equal(marks.get('agent', 's2').alias, 'Name');
      assert.equal(marks.get('agent', 's3').pinned, false);
      assert.equal(marks.get('agent', 's4').pinned, false);
      assert.equal(marks.get('agent', 's5').alias, undefined);
      assert.equal(marks.get('__proto__', 'constructor').pinned, true);
    });

    it('starts over if the stored value isn’t marks at all', async () => {
      for (const value of [null, 7, 'text', [], { sessions: {} }, { version: 'x' }]) {
        const disk = new FakeDisk();
        disk.value = value;
        const marks = open(disk.window());
        await marks.setPinned([session], true);
        assert.equal(open(disk.window()).get('agent', 's1').pinned, true);
      }
    });

    it('reads what it can of a newer version, and never writes over it', async () => {
      const disk = new FakeDisk();
      const newer = {
        version: 2,
        colours: { s1: 'red' },
        sessions: [{ agent: 'agent', session: 's1', pinned: [true, 5] }],
      };
      disk.value = newer;
      const marks = open(disk.window());
      assert.equal(marks.get('agent', 's1').pinned, true);
      await marks.setAlias(session, 'In this window');
      await marks.refresh();
      assert.equal(marks.get('agent', 's1').alias, 'In this window');
      assert.deepEqual(disk.value, newer);
      assert.equal(disk.writes, 0);
    });
  });

  it('drops the oldest read marks beyond the limit, and no pin for them', async () => {
    const disk = new FakeDisk();
    let now = 1;
    const limits = { kept: 3, read: 2, cleared: 1 };
    const marks = open(disk.window(), () => now++, limits);
    await marks.setPinned([session], true);
    for (const sessionId of ['a', 'b', 'c']) {
      await marks.see({ agentId: 'agent', sessionId }, 7);
    }
    assert.equal(marks.get('agent', 's1').pinned, true);
    assert.equal(marks.get('agent', 'a').read, undefined);
    assert.equal(marks.get('agent', 'b').read, 7);
    assert.equal(marks.get('agent', 'c').read, 7);
  });
});

const stamped = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.record({ value, stamp: fc.integer({ min: 1, max: 6 }) }), { nil: undefined });
const record = fc
  .record({
    agentId: fc.constantFrom('a', 'b'),
    sessionId: fc.constantFrom('x', 'y', 'z'),
    pinned: stamped(fc.boolean()),
    archived: stamped(fc.boolean()),
    alias: stamped(fc.constantFrom('', 'one', 'two')),
    read: stamped(fc.integer({ min: -1, max: 9 })),
  })
  .filter((it) => [it.pinned, it.archived, it.alias, it.read].some((value) => value !== undefined))
  .map((it) => JSON.parse(JSON.stringify(it)) as MarkRecord);
const records: fc.Arbitrary<MarkRecords> = fc
  .array(record, { maxLength: 6 })
  .map((all) => new Map(all.map((it) => [sessionKey(it.agentId, it.sessionId), it])));

describe('SessionMarks: properties', () => {
  const same = (a: MarkRecords, b: MarkRecords): void =>
    assert.deepEqual(writeRecords(a), writeRecords(b));

  it('merging is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(records, records, records, (a, b, c) => {
        same(mergeRecords(a, b), mergeRecords(b, a));
        same(mergeRecords(mergeRecords(a, b), c), mergeRecords(a, mergeRecords(b, c)));
        same(mergeRecords(a, a), a);
        same(mergeRecords(mergeRecords(a, b), b), mergeRecords(a, b));
      }),
    );
  });

  it('what was written is read back unchanged', () => {
    fc.assert(
      fc.property(records, (all) => {
        same(readRecords(JSON.parse(JSON.stringify(writeRecords(all)))), all);
      }),
    );
  });

  it('anything at all can be read, and leaves nothing that cannot be written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (value, sessions) => {
        writeRecords(readRecords(value));
        const read = readRecords({ version: 1, sessions });
        same(readRecords(writeRecords(read)), read);
      }),
    );
  });

  it('bounding drops nothing below the limits, and the same whatever the order', () => {
    fc.assert(
      fc.property(records, (all) => {
        same(boundRecords(all, markLimits), all);
        const limits = { kept: 2, read: 1, cleared: 1 };
        const reversed = new Map([...all].reverse());
        same(boundRecords(all, limits), boundRecords(reversed, limits));
      }),
    );
  });
});
