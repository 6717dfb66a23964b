import assert from 'node:assert/strict';
import type { Session } from '../../../../src/model/session/session';
import { Emitter } from '../../../../src/util/emitter';
import { Attention } from '../../../../src/views/attention/attention';
import { ReadMarks } from '../../../../src/views/attention/readMarks';
import { FakeTexts } from '../../model/session/fakeTexts';

interface Happening {
  readonly session: Session;
  readonly kind: 'turnEnded';
}

describe('read marks', () => {
  const updatedAt = '2026-03-01T12:00:00Z';
  const time = Date.parse(updatedAt);
  let happened: Emitter<Happening>;
  let changed: Emitter<Session>;
  let listed: Emitter<never>;
  let open: Session[];
  let attention: Attention;
  let session: Session & { phase: { kind: string } };
  let stateChanged: Emitter<never>;
  let texts: FakeTexts;
  let marks: ReadMarks;
  let read: Map<string, number>;
  let seen: (readonly [string, number | undefined])[];
  let marked: string[];

  function sessionNamed(sessionId: string): typeof session {
    return {
      agent: { id: 'a', config: {} },
      info: { sessionId, updatedAt },
      phase: { kind: 'ready' },
      elsewhere: { wentOn: false },
    } as never;
  }

  beforeEach(() => {
    happened = new Emitter();
    changed = new Emitter();
    listed = new Emitter();
    session = sessionNamed('s1');
    open = [session];
    const sessions = {
      all: open,
      onDidHappen: happened.event,
      onDidChange: changed.event,
    };
    attention = new Attention(sessions);
    seen = [];
    const see = ({ sessionId }: { sessionId: string }, at: number | undefined): Promise<void> => {
      seen.push([sessionId, at]);
      read.set(sessionId, Math.max(read.get(sessionId) ?? 0, at ?? 0));
      return Promise.resolve();
    };
    stateChanged = new Emitter();
    const agents = { onDidList: listed.event, onDidChangeAgent: stateChanged.event };
    texts = new FakeTexts();
    read = new Map();
    const get = (_: string, id: string) => ({ read: read.get(id) }) as never;
    const isUnread = (_: string, id: string, at: number | undefined) =>
      (at ?? 0) > (read.get(id) ?? Infinity);
    marked = [];
    const setUnread = (sessions: readonly { sessionId: string }[]): Promise<void> => {
      marked.push(...sessions.map(({ sessionId }) => sessionId));
      return Promise.resolve();
    };
    const all = { see, setUnread, get, isUnread };
    marks = new ReadMarks(all, attention, sessions, agents, texts, () => time + 5);
  });

  it('note a session as it is when its tab becomes visible', () => {
    attention.setVisible(session, true);
    assert.deepEqual(seen, [['s1', time]]);
  });

  it('SEC-188: note nothing of an agent of this window only', () => {
    Object.assign(session.agent.config, { ofWindow: true });
    attention.setVisible(session, true);
    assert.deepEqual(seen, []);
  });

  it('leave a session unread that went on without its tab and is let go', () => {
    attention.setVisible(session, true);
    attention.setVisible(session, false);
    happened.fire({ session, kind: 'turnEnded' });
    const noted = seen.length;
    open.splice(0);
    changed.fire(session);
    assert.deepEqual(marked, ['s1']);
    assert.equal(seen.length, noted);
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

  /** The agent lists the session with another time, as after loading or closing it. */
  function list(updatedAt: number): void {
    listed.fire({ agent: session.agent, find: () => ({ updatedAt }) } as never);
  }

  it('take what an agent dates anew for read while the session is open, seen and not gone on', () => {
    list(time + 60);
    assert.equal(seen.length, 0, 'nobody has looked at it');
    attention.setVisible(session, true);
    attention.setVisible(session, false);
    list(time + 60);
    assert.deepEqual(seen.at(-1), ['s1', time + 60]);
    happened.fire({ session, kind: 'turnEnded' });
    list(time + 120);
    assert.deepEqual(seen.at(-1), ['s1', time + 60], 'a turn has ended unseen');
    attention.setRead(session);
    Object.assign(session.elsewhere, { wentOn: true });
    list(time + 180);
    assert.deepEqual(seen.at(-1), ['s1', time + 60], 'it went on elsewhere');
  });

  it('take what an agent dates at the close of a session for read', () => {
    attention.setVisible(session, true);
    attention.setVisible(session, false);
    open.length = 0;
    changed.fire(session);
    assert.deepEqual(seen.at(-1), ['s1', time + 5 + 15_000]);
  });

  it('take what an agent dates at its own end for read, also of sessions that were closed before', () => {
    attention.setVisible(session, true);
    attention.setVisible(session, false);
    stateChanged.fire({ id: 'a', state: { kind: 'failed' } } as never);
    assert.deepEqual(seen.at(-1), ['s1', time + 5 + 15_000]);
    open.length = 0;
    changed.fire(session);
    seen.length = 0;
    stateChanged.fire({ id: 'other', state: { kind: 'stopped' } } as never);
    assert.equal(seen.length, 0);
    stateChanged.fire({ id: 'a', state: { kind: 'stopped' } } as never);
    assert.deepEqual(seen, [['s1', time + 5 + 15_000]]);
    stateChanged.fire({ id: 'a', state: { kind: 'stopped' } } as never);
    assert.equal(seen.length, 1, 'once');
  });

  it('leave a session unread that was closed and went on elsewhere before its agent ended', () => {
    attention.setVisible(session, true);
    open.length = 0;
    changed.fire(session);
    seen.length = 0;
    list(time + 60_000);
    stateChanged.fire({ id: 'a', state: { kind: 'stopped' } } as never);
    assert.deepEqual(seen, []);
  });

  it('keep what was read at the end of the window for the next one, and nothing that was unread', async () => {
    const other = sessionNamed('s2');
    open.push(other);
    attention.setVisible(session, true);
    attention.setVisible(other, true);
    attention.setVisible(other, false);
    happened.fire({ session: other, kind: 'turnEnded' });
    await marks.end();
    seen.length = 0;
    await marks.begin();
    assert.deepEqual(seen, [['s1', time + 5 + 15_000]]);
    await marks.begin();
    assert.equal(seen.length, 1, 'once');
  });

  it('take nothing from what another program has written there', async () => {
    for (const text of [
      '{',
      '{"time":1e99,"sessions":[]}',
      '{"time":1,"sessions":[{"agentId":1},null]}',
    ]) {
      texts.texts.set('0'.repeat(64), text);
      await marks.begin();
    }
    assert.deepEqual(seen, []);
  });

  it('a load behind the scenes is no news of a session that was read, and stays news of one that wasn’t', () => {
    read.set('s1', time);
    session.phase = { kind: 'loading' } as never;
    changed.fire(session);
    list(time + 60);
    assert.deepEqual(seen, [['s1', time + 60]]);
    const unread = sessionNamed('s2');
    Object.assign(unread, { phase: { kind: 'loading' } });
    open.splice(0, 1, unread);
    read.set('s2', time - 1);
    changed.fire(unread);
    list(time + 60);
    assert.equal(seen.length, 1);
  });

  it('a session that is marked as read waits no more for its tab', () => {
    happened.fire({ session, kind: 'turnEnded' });
    assert.ok(attention.isUnread(session));
    attention.setRead(session);
    assert.ok(!attention.isUnread(session));
  });
});
