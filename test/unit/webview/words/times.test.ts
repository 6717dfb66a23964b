import assert from 'node:assert/strict';
import { durationText, timeText } from '../../../../src/webview/words/times';

describe('times in words', () => {
  it('formats durations with a useful precision', () => {
    const second = 1000;
    const minute = 60 * second;
    const cases: readonly (readonly [number, string])[] = [
      [0, 'less than 1 s'],
      [999, 'less than 1 s'],
      [second, '1 s'],
      [59_999, '59 s'],
      [minute, '1 min 0 s'],
      [3 * minute + 5 * second, '3 min 5 s'],
      [60 * minute, '1 h 0 min'],
      [26 * 60 * minute + 20 * minute, '26 h 20 min'],
    ];
    assert.deepEqual(
      cases.map(([ms]) => durationText(ms)),
      cases.map(([, text]) => text),
    );
  });

  it('leaves out the date of today only', () => {
    const noon = new Date(2026, 10, 22, 12, 30).getTime();
    assert.match(timeText(noon, noon + 60_000), /^12:30\sPM$/);
    assert.match(timeText(noon, noon + 86_400_000), /^Nov 22, 2026, 12:30\sPM$/);
  });
});
