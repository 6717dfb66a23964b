import assert from 'node:assert/strict';
import { lookAtAges } from '../../../src/util/seenAges';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12);
const thing = { name: '__proto__', at: now, size: 1 };

/** The ages after looks at these times, in days from now. */
function seenAt(times: readonly number[], things = [thing]): readonly number[] {
  let text: string | undefined;
  return times.map((at) => {
    const seen = lookAtAges(text, things, now + at * day);
    ({ text } = seen);
    return seen.days.get(things[0]?.name ?? '') ?? Number.NaN;
  });
}

describe('the age of what is stored', () => {
  it('is that of the clock where each day was seen', () => {
    assert.deepEqual(seenAt([0, 1, 2, 3]), [0, 1, 2, 3]);
    assert.deepEqual(seenAt([0, 0.1, 1, 1.1, 1.2]), [0, 0, 1, 1, 1]);
  });

  it('SEC-142: grows by a day at a time, however far the clock is ahead', () => {
    assert.deepEqual(seenAt([4000]), [0]);
    assert.deepEqual(seenAt([0, 4000, 4000, 8000, 1, 2]), [0, 1, 1, 2, 1, 2]);
  });

  it('doesn’t grow while the clock is behind', () => {
    assert.deepEqual(seenAt([0, -4000, -8000, 0.5]), [0, -4000, -8000, 0]);
  });

  it('SEC-142: begins anew with each change, and with what can’t be read', () => {
    let text: string | undefined;
    for (let at = 0; at < 50; at++) {
      ({ text } = lookAtAges(text, [thing], now + at * day));
    }
    const later = now + 50 * day;
    assert.equal(lookAtAges(text, [thing], later).days.get(thing.name), 50);
    for (const changed of [
      { ...thing, at: now + 1 },
      { ...thing, size: 2 },
    ]) {
      assert.equal(lookAtAges(text, [changed], later).days.get(thing.name), 0);
    }
    const damaged = ['', '{', '[]', '{"day":1,"seen":[[1]]}', text?.replace(',49]', ',1e99]')];
    for (const other of damaged) {
      assert.equal(lookAtAges(other, [thing], later).days.get(thing.name), 0, other);
    }
  });
});
