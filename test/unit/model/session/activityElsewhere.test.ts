import assert from 'node:assert/strict';
import { ActivityElsewhere } from '../../../../src/model/session/activityElsewhere';

const minute = 60_000;
const noon = Date.parse('2026-01-01T12:00:00Z');

describe('A session that goes on elsewhere', () => {
  let wall: number;
  let steady: number;
  let session: ActivityElsewhere;
  beforeEach(() => {
    wall = noon;
    steady = 0;
    session = new ActivityElsewhere({ wall: () => wall, steady: () => steady });
    session.read(new Date(noon - minute).toISOString());
  });

  function pass(ms: number): void {
    wall += ms;
    steady += ms;
  }

  function hear(time: number, isIdle = true): boolean {
    session.hear(new Date(time).toISOString(), isIdle);
    return session.wentOn;
  }

  it('changed later than anything here, until it is read again', () => {
    pass(10 * minute);
    assert.equal(hear(wall - minute), true);
    session.read(undefined);
    assert.equal(session.wentOn, false);
  });

  it('isn’t one that is reported twice, or without a date', () => {
    pass(10 * minute);
    assert.equal(hear(noon - minute), false);
    session.hear('yesterday', true);
    session.hear(undefined, true);
    assert.equal(session.wentOn, false);
  });

  it('is not one whose turn was here', () => {
    pass(10 * minute);
    session.active();
    pass(5000);
    assert.equal(hear(wall), false, 'written a little later');
    pass(minute);
    assert.equal(hear(wall, false), false, 'in the midst of a turn');
  });

  for (const [jump, what] of [
    [60 * minute, 'forward'],
    [-60 * minute, 'back'],
  ] as const) {
    it(`is not one for a clock that is put ${what}`, () => {
      session.active();
      const written = wall + 1000;
      wall += jump;
      pass(2000);
      assert.equal(hear(written), false, 'written before');
      session.active();
      assert.equal(hear(wall + 1000), false, 'written after');
    });
  }

  it('is not one whose agent’s clock is ahead, unless it changes with nothing here', () => {
    session.active();
    assert.equal(hear(wall + 60 * minute), false);
    pass(minute);
    assert.equal(hear(wall + 60 * minute), true);
  });
});
