import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { GlanceFeed } from '../../../../src/features/glance/glanceFeed';
import type { Glanced } from '../../../../src/features/glance/glanceItems';
import type { GlanceItem, ToGlance } from '../../../../src/shared/glance/glance';

const glanced = (item: Partial<GlanceItem>): Glanced => ({
  ref: { agentId: 'a', sessionId: 's' },
  item: {
    ...{ key: 'k', title: 'One', group: 'running', where: '', toReview: 0, canStop: true },
    ...item,
  },
});

describe('feed of the sessions at a glance', () => {
  let all: readonly Glanced[];
  let looks: number;
  let posted: ToGlance[];
  let feed: GlanceFeed;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [all, looks, posted] = [[glanced({})], 0, []];
    feed = new GlanceFeed(
      () => {
        looks++;
        return all;
      },
      () => ({ tasks: [] }),
      (message) => posted.push(message),
    );
  });
  afterEach(() => {
    feed.dispose();
    mock.timers.reset();
  });

  it('neither looks nor tells while there is no page', () => {
    feed.changed();
    mock.timers.tick(10_000);
    assert.deepEqual([looks, posted.length], [0, 0]);
    feed.ready();
    assert.deepEqual([looks, posted.length], [1, 1]);
    feed.changed();
    feed.stop();
    mock.timers.tick(10_000);
    assert.deepEqual([looks, posted.length], [1, 1]);
    feed.ready();
    assert.equal(posted.length, 2, 'a new page knows nothing');
  });

  it('looks once for many changes, and tells only what is different', () => {
    all = [glanced({ group: 'done', canStop: false })];
    feed.ready();
    for (let count = 0; count < 10_000; count++) {
      feed.changed();
    }
    mock.timers.tick(100);
    assert.deepEqual([looks, posted.length], [2, 1]);
    all = [glanced({ group: 'review', canStop: false })];
    feed.changed();
    mock.timers.tick(100);
    assert.equal(posted.at(-1)?.items[0]?.group, 'review');
    mock.timers.tick(60_000);
    assert.equal(looks, 3, 'nothing runs');
  });

  it('looks twice a second at what runs, without being told', () => {
    feed.ready();
    for (let step = 1; step <= 4; step++) {
      all = [glanced({ doing: `Step ${step}` })];
      mock.timers.tick(500);
      assert.equal(posted.at(-1)?.items[0]?.doing, `Step ${step}`);
    }
    assert.equal(looks, 5);
  });
});
