import assert from 'node:assert/strict';
import { nothingFound, withChanges } from '../../../../src/webview/find/foundPlaces';
import { fc } from '../../../support/properties';

const run = fc.record({
  gap: fc.nat(3),
  length: fc.integer({ min: 1, max: 5 }),
  count: fc.nat(2),
});

/** Ranges that don't overlap, as offsets in a message, in any order. */
const changes = fc
  .array(run, { maxLength: 8 })
  .map((runs) => {
    let at = 0;
    return runs.map(({ gap, length, count }) => {
      const start = at + gap;
      at = start + length;
      return [start, length, count];
    });
  })
  .chain((runs) => fc.shuffledSubarray(runs))
  .map((runs) => Uint32Array.from(runs.flat()));

describe('places that were found', () => {
  it('are those before, each entry with its last count', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 5 }), (messages) => {
        const expected = new Map<number, number>();
        let found = nothingFound;
        for (const places of messages) {
          found = withChanges(found, places);
          for (let at = 0; at < places.length; at += 3) {
            const [start = 0, length = 0, count = 0] = places.subarray(at, at + 3);
            for (let index = start; index < start + length; index++) {
              expected.set(index, count);
            }
          }
        }
        const matching = [...expected].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
        assert.deepEqual(
          found.indexes,
          matching.map(([index]) => index),
        );
        assert.deepEqual(
          found.counts,
          matching.map(([, count]) => count),
        );
        assert.equal(
          found.total,
          found.counts.reduce((sum, count) => sum + count, 0),
        );
      }),
    );
  });
});
