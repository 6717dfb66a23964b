import assert from 'node:assert/strict';
import type { GlanceItem } from '../../../../src/shared/glance/glance';
import {
  freshItems,
  freshSame,
  heldItems,
  heldSame,
  isBehind,
  isSameBehind,
} from '../../../../src/webview/glance/held';

const item = (key: string, more: Partial<GlanceItem> = {}): GlanceItem => ({
  ...{ key, title: key, group: 'running', where: '', toReview: 0, canStop: true },
  ...more,
});

describe('items under the pointer', () => {
  it('keep their places, follow what keeps their height, and lose their buttons otherwise', () => {
    const shown = freshItems([item('a'), item('b', { doing: 'ls' }), item('c'), item('d')]);
    const items = [
      item('e'),
      item('c', { group: 'needsAnswer', asked: 'May I?' }),
      item('b', { doing: 'npm test' }),
      item('a', { group: 'done' }),
    ];
    const held = heldItems(shown, items);
    assert.deepEqual(
      held.map(({ item: { key, group, doing }, isPast }) => [key, group, doing, isPast]),
      [
        ['a', 'running', undefined, true],
        ['b', 'running', 'npm test', false],
        ['c', 'running', undefined, true],
        ['d', 'running', undefined, true],
      ],
    );
    assert.ok(isBehind(held, items));
    assert.ok(
      !isBehind(
        shown,
        shown.map((one) => one.item),
      ),
    );
    // Once past, a row doesn't come back to life under the pointer.
    assert.ok(heldItems(held, [item('a')])[0]?.isPast);
  });

  it('lose the buttons of a request that is another one now', () => {
    const asks = (requestId: number): GlanceItem =>
      item('a', { group: 'needsAnswer', request: { requestId, answers: [] } });
    assert.ok(heldItems(freshItems([asks(1)]), [asks(2)])[0]?.isPast);
    assert.ok(!heldItems(freshItems([asks(1)]), [asks(1)])[0]?.isPast);
  });

  it('SEC-340: adds nothing to requests that are answered together, and answers none if one is gone', () => {
    const same = (...ids: readonly number[]) => ({
      asked: 'npm test',
      requests: ids.map((requestId) => ({
        ...{ key: `k${requestId}`, requestId, title: '', where: '', folders: [] },
      })),
    });
    const shown = freshSame([same(1, 2)]);
    const [grown] = heldSame(shown, [same(1, 2, 3)]);
    assert.deepEqual([grown?.same.requests.length, grown?.isPast], [2, false]);
    assert.ok(isSameBehind(shown, [same(1, 2, 3)]));
    assert.ok(!isSameBehind(shown, [same(1, 2)]));
    const held = heldSame(shown, [same(2, 3)]);
    assert.ok(held[0]?.isPast);
    assert.ok(heldSame(held, [same(1, 2)])[0]?.isPast);
  });
});
