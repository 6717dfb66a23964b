import assert from 'node:assert/strict';
import { readLimit } from '../../../../../src/protocol/shapes/updates/readLimit';
import { readRetry } from '../../../../../src/protocol/v1/readRetry';

const read = (limit: unknown): unknown => readLimit({ '_claude/rateLimit': limit });

describe('limits of the account', () => {
  const resetsAt = 1_795_880_400;

  it('US-6, T-88: are read as Claude tells them, with a time in seconds or milliseconds', () => {
    const reached = { status: 'rejected', rateLimitType: 'five_hour', resetsAt };
    const expected = { status: 'reached', window: 'fiveHours', resetsAt: resetsAt * 1000 };
    assert.deepEqual(read(reached), expected);
    assert.deepEqual(read({ ...reached, resetsAt: resetsAt * 1000 }), expected);
    assert.deepEqual(read({ ...reached, isUsingOverage: true }), { ...expected, status: 'passed' });
    assert.deepEqual(read({ status: 'allowed_warning', rateLimitType: 'seven_day_opus' }), {
      status: 'near',
      window: 'weekOpus',
    });
    assert.equal(read({ ...reached, status: 'allowed' }), null);
  });

  it('US-6: what is something else says nothing', () => {
    for (const limit of [undefined, null, 'x', [], {}, { status: 'banana' }, { status: 5 }]) {
      assert.equal(read(limit), undefined, JSON.stringify(limit));
    }
    for (const bad of [-1, 0, '5', null, {}, Number.NaN, 1e300, Number.MAX_SAFE_INTEGER]) {
      const limit = { status: 'rejected', rateLimitType: 'banana', resetsAt: bad };
      assert.deepEqual(read(limit), { status: 'reached' });
    }
    assert.equal(readLimit(null), undefined);
  });

  it('US-6: Codex says that it tries again, and why', () => {
    const error = { message: 'Reconnecting... 1/5', codexErrorInfo: null, turnId: 't' };
    const told = (more: object): unknown => readRetry({ codex: { error: { ...error, ...more } } });
    assert.deepEqual(told({ additionalDetails: 'stream ended', willRetry: true }), {
      sessionUpdate: 'notice',
      severity: 'warning',
      title: 'Reconnecting... 1/5',
      description: 'stream ended',
    });
    const long = told({ message: 'x'.repeat(1e6), willRetry: true });
    assert.ok(JSON.stringify(long).length < 20_000);
    for (const more of [{}, { willRetry: 'yes' }, { willRetry: true, message: 5 }]) {
      assert.equal(told(more), undefined);
    }
  });
});
