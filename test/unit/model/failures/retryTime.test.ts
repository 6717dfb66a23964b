import assert from 'node:assert/strict';
import { findRetryTime } from '../../../../src/model/failures/retryTime';

describe('the time in a message of Codex', () => {
  const now = new Date(2026, 10, 28, 13, 30).getTime();
  const at = (message: string): number | undefined => {
    const time = findRetryTime(message, now);
    return time === undefined ? undefined : (time - now) / 60_000;
  };

  it('US-6: is found in all its forms', () => {
    const limit = 'You’ve hit your usage limit. Upgrade to Pro or ';
    assert.equal(at(`${limit}try again in 2 hours 15 minutes.`), 135);
    assert.equal(at(`${limit}try again in 3 days 1 hour 1 minute.`), 3 * 1440 + 61);
    assert.equal(at(`${limit}try again at 3:40 PM.`), 130);
    assert.equal(at(`${limit}try again at 12:10 AM.`), 640);
    assert.equal(at(`${limit}try again at Dec 1st, 2026 1:30 PM.`), 3 * 1440);
  });

  it('US-6: is none in other words, or if it is over', () => {
    for (const message of [
      ...['', 'try again', 'Try again later.', 'try again in a moment', 'try again in 0 minutes'],
      ...['try again at Foo 1st, 2026 1:30 PM', 'try again at Nov 1st, 2026 1:30 PM'],
      'try again in 99999 hours',
    ]) {
      assert.equal(at(message), undefined, message);
    }
  });
});
