import assert from 'node:assert/strict';
import type { Session } from '../../../../src/model/session/session';
import { Emitter } from '../../../../src/util/emitter';
import { Attention, type HappeningSessions } from '../../../../src/views/attention/attention';
import { getStanding } from '../../../../src/views/attention/standing';

type Happening = Parameters<Parameters<HappeningSessions['onDidHappen']>[0]>[0];

describe('attention of the user', () => {
  const session = { title: 'One' } as unknown as Session;
  let happened: Emitter<Happening>;
  let attention: Attention;
  let changes: number;
  beforeEach(() => {
    happened = new Emitter();
    attention = new Attention({ onDidHappen: happened.event });
    changes = 0;
    attention.onDidChange(() => {
      changes += 1;
    });
  });
  afterEach(() => attention.dispose());

  it('keeps a session unread from a turn’s end out of sight until it is seen', () => {
    happened.fire({ session, kind: 'turnEnded' });
    assert.ok(attention.isUnread(session));
    attention.setVisible(session, true);
    assert.ok(!attention.isUnread(session));
    assert.equal(changes, 2);
  });

  it('keeps a session unread whose turn has failed out of sight', () => {
    happened.fire({ session, kind: 'failed' });
    assert.ok(attention.isUnread(session));
  });

  it('marks turns that end in view as read', () => {
    attention.setVisible(session, true);
    happened.fire({ session, kind: 'turnEnded' });
    assert.ok(!attention.isUnread(session));
    assert.equal(changes, 0);
    attention.setVisible(session, false);
    happened.fire({ session, kind: 'needsAnswer' });
    assert.ok(!attention.isUnread(session), 'only a turn’s end is something to read');
  });
});

describe('standing of a session', () => {
  const idle = {
    phase: { kind: 'ready' },
    turns: { current: { kind: 'idle' } },
    requests: { waiting: [] },
  } as const;
  const turns = { current: { kind: 'running', cancelling: false, canForce: false } } as const;

  it('shows the most important state', () => {
    assert.equal(getStanding(undefined, false), 'idle');
    assert.equal(getStanding(idle, false), 'open');
    assert.equal(getStanding(idle, true), 'unread');
    assert.equal(getStanding({ ...idle, turns }, true), 'running');
    const waits = { current: { ...turns.current, waits: true } } as const;
    assert.equal(getStanding({ ...idle, turns: waits }, false), 'asksElsewhere');
    assert.equal(getStanding({ ...idle, turns, requests: { waiting: [4] } }, false), 'needsYou');
    const loading = { kind: 'loading', received: 0 } as const;
    assert.equal(getStanding({ ...idle, phase: loading }, false), 'loading');
  });
});
