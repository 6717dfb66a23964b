import assert from 'node:assert/strict';
import { type GroupLimits, groupsKey } from '../../../../src/model/marks/groupRecords';
import { OwnGroups } from '../../../../src/model/marks/ownGroups';
import type { KeyedStorage } from '../../../../src/model/ports';
import type { SessionRef } from '../../../../src/shared/sessionRef';
import { fc } from '../../../support/properties';
import { memento } from '../fakePlatform';
import { silentLog } from '../fakes';

function session(sessionId: string): SessionRef {
  return { agentId: 'agent', sessionId };
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(session) as [
  SessionRef,
  SessionRef,
  SessionRef,
  SessionRef,
];
const all = [a, b, c, d];

function open(storage: KeyedStorage = memento(), limits?: GroupLimits): OwnGroups {
  return new OwnGroups(storage, silentLog, () => 1_000, limits);
}

function names(groups: OwnGroups): readonly string[] {
  return groups.all.map(({ name }) => name);
}

/** The ids of the sessions in a group, in order. */
function inside(groups: OwnGroups, group: string, of: readonly SessionRef[] = all): string {
  return of
    .map(({ agentId, sessionId }) => ({ sessionId, at: groups.of(agentId, sessionId) }))
    .filter(({ at }) => at?.group === group)
    .sort((one, other) => (one.at?.place ?? 0) - (other.at?.place ?? 0))
    .map(({ sessionId }) => sessionId)
    .join('');
}

describe('OwnGroups', () => {
  it('T-180: keeps groups with their names, colors, order and sessions until the next start', async () => {
    const storage = memento();
    const groups = open(storage);
    const shop = await groups.add(' The \u202eshop\n ', 'red');
    const cart = await groups.add('Cart');
    await groups.put([b, a], shop);
    await groups.put([c], shop, a);
    await groups.rename(cart, 'The cart');
    await groups.setColor(cart, 'blue');
    await groups.move(cart, shop);
    const later = open(storage);
    assert.deepEqual(later.all, [
      { id: cart, name: 'The cart', color: 'blue' },
      { id: shop, name: 'The shop', color: 'red' },
    ]);
    assert.equal(inside(later, shop), 'bca');
    await later.move(cart, undefined);
    assert.deepEqual(names(later), ['The shop', 'The cart']);
  });

  it('T-180: has a session in one group only, and in none after it was taken out or its group deleted', async () => {
    const groups = open();
    const one = await groups.add('One');
    const two = await groups.add('Two');
    await groups.put(all, one);
    await groups.put([b], two);
    assert.deepEqual([inside(groups, one), inside(groups, two)], ['acd', 'b']);
    await groups.take([a, b]);
    assert.deepEqual([inside(groups, one), inside(groups, two)], ['cd', '']);
    await groups.delete(one);
    assert.deepEqual(names(groups), ['Two']);
    assert.equal(groups.of('agent', 'c'), undefined);
    await groups.rename(one, 'One again');
    assert.equal(inside(groups, one), 'cd');
  });

  it('T-180: says that something changed once, however many sessions are put into a group', async () => {
    const groups = open();
    const group = await groups.add('Group');
    let changes = 0;
    groups.onDidChange(() => changes++);
    await groups.put(
      Array.from({ length: 50 }, (_, index) => session(`s${index}`)),
      group,
    );
    assert.equal(changes, 1);
  });

  it('T-180: puts sessions where they were dropped, however often and wherever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            moved: fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 }),
            before: fc.option(fc.constantFrom(...all), { nil: undefined }),
          }),
          { maxLength: 200 },
        ),
        async (moves) => {
          const groups = open();
          const group = await groups.add('Group');
          await groups.put(all, group);
          let expected: readonly SessionRef[] = all;
          for (const { moved, before } of moves) {
            const at = before === undefined ? -1 : expected.indexOf(before);
            const next =
              at === -1 ? undefined : expected.slice(at).find((each) => !moved.includes(each));
            const others = expected.filter((each) => !moved.includes(each));
            expected = others.toSpliced(next ? others.indexOf(next) : others.length, 0, ...moved);
            await groups.put(moved, group, before);
          }
          assert.equal(inside(groups, group), expected.map(({ sessionId }) => sessionId).join(''));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('T-181: keeps what two windows change at the same time', async () => {
    const storage = memento();
    const first = open(storage);
    const group = await first.add('Group');
    await first.put([a, b], group);
    // As the other window has read it, before VS Code has told it of any change.
    let copy = storage.get(groupsKey);
    const second = open({
      get: () => copy,
      update: (key, value) => {
        copy = value;
        return storage.update(key, value);
      },
    });
    await second.put([c], group, b);
    await first.rename(group, 'Renamed');
    await second.setColor(group, 'green');
    await first.add('Another');
    await first.take([a]);
    await second.put([d], group);
    copy = storage.get(groupsKey);
    await first.refresh();
    copy = storage.get(groupsKey);
    await second.refresh();
    for (const window of [first, second, open(storage)]) {
      assert.deepEqual(
        window.all.map(({ name, color }) => [name, color]),
        [
          ['Renamed', 'green'],
          ['Another', undefined],
        ],
      );
      assert.equal(inside(window, group), 'cbd');
    }
  });

  it('SEC-350: takes from other machines only what could have been written here', () => {
    const id = 'f3b2c1a0-0000-4000-8000-000000000000';
    const stored = {
      version: 1,
      groups: [
        { id, name: ['Fine\u202e\n name', 5], color: ['mauve', 5], place: [Infinity, 5] },
        { id: '../../x', name: ['Path', 5] },
        { id: 'x'.repeat(80), name: ['Long', 5] },
        { id: 'long-name', name: ['x'.repeat(122), 5] },
        { id: 'future', name: ['Future', 1e300] },
        { id: 'nameless', color: ['red', 5] },
        null,
        'group',
      ],
      members: [
        { agent: 'agent', session: 'a', at: [[id, 1], 5] },
        { agent: 'agent', session: 'b', at: [[id, NaN], 5] },
        { agent: 'agent', session: 'c', at: [['unknown', 1], 5] },
        { agent: 'x'.repeat(4_000), session: 'd', at: [[id, 1], 5] },
        { agent: 'agent', at: [[id, 1], 5] },
        7,
      ],
    };
    const groups = open({ get: () => stored, update: () => Promise.resolve() });
    assert.deepEqual(groups.all, [{ id, name: 'Fine name', color: undefined }]);
    assert.equal(inside(groups, id), 'a');
    for (const other of [undefined, null, [], 'x', { groups: 1, members: {} }]) {
      assert.deepEqual(open({ get: () => other, update: () => Promise.resolve() }).all, []);
    }
  });

  it('SEC-350: keeps the newest of twice as many groups, sessions, deletions and ids', async () => {
    const limits = { groups: 3, deleted: 2, members: 4, cleared: 2, ids: 1_000 };
    const storage = memento();
    const groups = open(storage, limits);
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push(await groups.add(`Group ${index}`));
    }
    assert.deepEqual(names(groups), ['Group 3', 'Group 4', 'Group 5']);
    assert.ok(groups.isFull);
    const [group = ''] = ids.slice(-1);
    const many = Array.from({ length: 8 }, (_, index) => session(`${index}`));
    for (const each of many) {
      await groups.put([each], group);
    }
    assert.equal(inside(groups, group, many), '4567');
    await groups.take(many);
    const long = ['x', 'y', 'z', 'w'].map((letter) => session(letter.repeat(495)));
    for (const each of long) {
      await groups.put([each], group);
    }
    assert.equal(inside(groups, group, long).length, 2 * 495);
    for (const id of ids) {
      await groups.delete(id);
    }
    const text = JSON.stringify(storage.get(groupsKey));
    assert.ok(text.length < 2_000, `${text.length}`);
  });

  it('never overwrites what a newer version has stored', async () => {
    const stored = { version: 2, groups: 'other' };
    let writes = 0;
    const storage = { get: () => stored, update: () => Promise.resolve(void writes++) };
    const groups = open(storage);
    await groups.add('Group');
    assert.deepEqual(names(groups), ['Group']);
    assert.equal(writes, 0);
  });
});
