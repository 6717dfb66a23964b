import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/util/emitter';
import type { TranscriptTab } from '../../../../../src/views/tabs/tabs';
import { SameNames } from '../../../../../src/views/transcript/tabs/sameNames';

describe('the names of tabs', () => {
  const session = (agentId: string, updatedAt: string) => ({
    agent: { id: agentId, title: agentId.toUpperCase() },
    info: { sessionId: updatedAt, updatedAt },
  });

  const changed = new Emitter<TranscriptTab>();
  const tabs = { all: [] as readonly TranscriptTab[], onDidChange: changed.event };

  it('have a time while another session of the agent has the same, and only then', () => {
    const names = new SameNames(tabs);
    const one = session('a', '2026-03-01T10:05:00Z');
    const two = session('a', '2026-03-02T10:07:00Z');
    names.set(one, 'Fix it');
    assert.equal(names.shown(one), 'Fix it');
    let changes = 0;
    names.onDidChange(() => changes++);
    names.set(two, 'Fix it');
    assert.match(names.shown(one), /^Fix it · Mar 1, .*05/);
    assert.match(names.shown(two), /^Fix it · Mar 2, .*07/);
    assert.equal(changes, 1, 'the first tab is shown anew, too');
    names.set(two, 'Fix it');
    assert.equal(changes, 1);
    names.set(two, 'Another');
    assert.deepEqual([names.shown(one), names.shown(two)], ['Fix it', 'Another']);
    names.set(two, 'Fix it');
    names.delete(two);
    assert.equal(names.shown(one), 'Fix it');
    names.dispose();
  });

  it('have the title of their agent while one of another agent has the same, and no time that isn’t known', () => {
    const names = new SameNames(tabs);
    const one = session('a', '2026-03-01T10:05:00Z');
    const other = session('b', '2026-03-02T10:07:00Z');
    const undated = session('a', 'when it was');
    for (const each of [one, other]) {
      names.set(each, 'Fix it');
    }
    assert.deepEqual([names.shown(one), names.shown(other)], ['Fix it · A', 'Fix it · B']);
    names.set(undated, 'Fix it');
    assert.equal(names.shown(undated), 'Fix it · A');
    assert.match(names.shown(one), /^Fix it · A · Mar 1, .*05/);
    names.delete(other);
    assert.equal(names.shown(undated), 'Fix it');
    names.dispose();
  });

  it('are told apart from tabs that haven’t been looked at, which only VS Code names', () => {
    const names = new SameNames(tabs);
    const one = session('a', '2026-03-01T10:05:00Z');
    names.set(one, 'Fix it');
    let shown = names.shown(one);
    names.onDidChange(() => {
      shown = names.shown(one);
    });
    const restored = (agentId: string, sessionId: string) =>
      ({ agentId, sessionId, label: 'Fix it' }) as TranscriptTab;
    const own = restored('a', one.info.sessionId);
    tabs.all = [own];
    changed.fire(own);
    assert.equal(shown, 'Fix it', 'its own tab');
    tabs.all = [own, restored('b', 'other')];
    changed.fire(own);
    assert.equal(shown, 'Fix it · A');
    tabs.all = [];
    names.dispose();
  });
});
