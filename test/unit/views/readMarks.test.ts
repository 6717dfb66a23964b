import assert from 'node:assert/strict';
import type { Session } from '../../../src/model/session';
import { Emitter } from '../../../src/util/emitter';
import { Attention } from '../../../src/views/attention';
import { ReadMarks } from '../../../src/views/readMarks';

interface Happening {
  readonly session: Session;
  readonly kind: 'turnEnded';
}

describe('read marks', () => {
  const updatedAt = '2026-03-01T12:00:00Z';
  const time = Date.parse(updatedAt);
  let happened: Emitter<Happening>;
  let changed: Emitter<Session>;
  let attention: Attention;
  let session: Session & { phase: { kind: string } };
  let seen: (readonly [string, number | undefined])[];

  beforeEach(() => {
    happened = new Emitter();
    changed = new Emitter();
    session = {
      agent: { id: 'a' },
      info: { sessionId: 's1', updatedAt },
      phase: { kind: 'ready' },
    } as never;
    const sessions = {
      all: [session],
      onDidHappen: happened.event,
      onDidChange: changed.event,
    };
    attention = new Attention(sessions);
    seen = [];
    const see = ({ sessionId }: { sessionId: string }, at: number | undefined): Promise<void> => {
      seen.push([sessionId, at]);
      return Promise.resolve();
    };
    new ReadMarks({ see }, attention, sessions, () => time + 5);
  });

  it('note a session as it is when its tab becomes visible', () => {
    attention.setVisible(session, true);
    assert.deepEqual(seen, [['s1', time]]);
  });

  it('note nothing of a session whose tab cannot be seen, or that failed', () => {
    changed.fire(session);
    happened.fire({ session, kind: 'turnEnded' });
    session.phase = { kind: 'failed' } as never;
    attention.setVisible(session, true);
    assert.deepEqual(seen, []);
  });

  it('note what comes while it is visible, a turn’s end at its time', () => {
    attention.setVisible(session, true);
    happened.fire({ session, kind: 'turnEnded' });
    assert.deepEqual(seen.at(-1), ['s1', time + 5]);
    attention.setVisible(session, false);
    changed.fire(session);
    assert.equal(seen.length, 2);
  });

  it('a session that is marked as read waits no more for its tab', () => {
    happened.fire({ session, kind: 'turnEnded' });
    assert.ok(attention.isUnread(session));
    attention.setRead(session);
    assert.ok(!attention.isUnread(session));
  });
});
