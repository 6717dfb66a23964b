import assert from 'node:assert/strict';
import { getPlaces } from '../../../../src/model/text/getPlaces';
import { fc } from '../../../support/properties';

describe('places of a text in another one', () => {
  it('are those that indexOf finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, part, fc.integer({ min: 1, max: 4 }), (whole, wanted, most) => {
        const expected: number[] = [];
        let at = whole.indexOf(wanted);
        while (at !== -1 && expected.length < most) {
          expected.push(at);
          at = whole.indexOf(wanted, at + 1);
        }
        assert.deepEqual(getPlaces(whole, wanted, most), expected);
      }),
    );
    assert.deepEqual(getPlaces('text', '', 5), []);
  });

  it('SEC-125: are found at once in what was written to make the search slow', () => {
    // `getIndex` takes minutes for this input.
    const half = 'a'.repeat(1_000_000);
    assert.deepEqual(getPlaces('a'.repeat(5_000_000), `${half}b${half}`, 1), []);
    assert.deepEqual(getPlaces(`${half}${half}b${half}`, `${half}b${half}`, 2), [1_000_000]);
  });
});
