import assert from 'node:assert/strict';
import { findTimestamp } from '../../../../src/model/text/timestamps';

describe('timestamps', () => {
  it('LIST-15: dates with a time and a zone are read', () => {
    assert.equal(findTimestamp('2026-01-31T10:00:00.000Z'), Date.UTC(2026, 0, 31, 10));
    assert.equal(findTimestamp('2026-01-31T10:00:00+02:00'), Date.UTC(2026, 0, 31, 8));
    assert.equal(findTimestamp('2026-01-31'), Date.UTC(2026, 0, 31));
  });

  it('T-7: what is no date is none, also what a lenient parser would take for one', () => {
    const garbage = [
      '',
      'yesterday',
      'Session 5',
      '1700000000',
      '1700000000000',
      '2026-13-45T00:00:00Z',
      'NaN',
    ];
    for (const value of [undefined, ...garbage, `2026-01-31${' '.repeat(100)}`]) {
      assert.equal(findTimestamp(value), undefined, String(value));
    }
  });
});
