import assert from 'node:assert/strict';
import type { Session } from '../../../../src/model/session';
import { Emitter } from '../../../../src/util/emitter';
import { NewSessions } from '../../../../src/views/sessions/newSessions';
import { FakeModel, now } from './fakes';

describe('sessions made in this window', () => {
  const model = new FakeModel('a', 'b');
  const list = model.list();
  let sessions: {
    all: Session[];
    changed: Emitter<Session>;
    happened: Emitter<{ session: Session; kind: string }>;
  };
  let fresh: NewSessions;
  beforeEach(() => {
    sessions = { all: [], changed: new Emitter(), happened: new Emitter() };
    fresh = new NewSessions(
      {
        get all() {
          return sessions.all;
        },
        onDidChange: sessions.changed.event,
        onDidHappen: sessions.happened.event,
      },
      () => now,
    );
    list.rows = [];
  });
  afterEach(() => fresh.dispose());
  after(() => model.tree.dispose());

  function make(sessionId: string, cwd = '/code/project'): Session {
    const info = { sessionId, cwd, additionalDirectories: [] };
    const session = { agent: model.agents.all[0], info, title: 'New' } as unknown as Session;
    sessions.all.push(session);
    fresh.add(session);
    return session;
  }

  function missing(): string[] {
    return fresh.missingIn(list).map(({ info }) => info.sessionId);
  }

  it('fills in for the list until the agent lists them, newest first', () => {
    make('s1');
    make('s2');
    make('elsewhere', '/code/other');
    assert.deepEqual(missing(), ['s2', 's1']);
    assert.equal(fresh.missingIn(list)[0]?.updatedAt, now);
    list.rows = [list.row('s1', now)];
    assert.deepEqual(missing(), ['s2']);
    assert.deepEqual(fresh.missingIn(model.list(1)), [], 'another agent');
  });

  it('CLOSE-6: asks for the list again when one is closed, so that its row stays', () => {
    const ripe: string[] = [];
    fresh.onDidRipen(({ info }) => ripe.push(info.sessionId));
    const session = make('s1');
    sessions.changed.fire(session);
    assert.deepEqual(ripe, []);
    sessions.all = [];
    sessions.changed.fire(session);
    assert.deepEqual(ripe, ['s1']);
    assert.deepEqual(missing(), []);
  });

  it('asks for the list after a turn of a new session, and of no other', () => {
    const ripe: string[] = [];
    fresh.onDidRipen(({ info }) => ripe.push(info.sessionId));
    const session = make('s1');
    sessions.happened.fire({ session, kind: 'turnEnded' });
    sessions.happened.fire({ session, kind: 'needsAnswer' });
    sessions.happened.fire({
      session: { title: 'Other' } as unknown as Session,
      kind: 'turnEnded',
    });
    assert.deepEqual(ripe, ['s1']);
  });
});
