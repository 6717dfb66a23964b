import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/util/emitter';
import { followTab, type Tabs } from '../../../../src/views/sessions/followTab';

/** A view and tabs that a test can change. */
class Window {
  active: Tabs['active'];
  readonly changed = new Emitter<void>();
  readonly onDidChangeActive = this.changed.event;
  readonly rows = new Set<string>();
  readonly shown = new Emitter<void>();
  readonly onDidShowRows = this.shown.event;
  readonly selected: string[] = [];
  readonly settings = { autoReveal: true };

  constructor() {
    followTab(this, this, this.settings);
  }

  selectSession(agentId: string, sessionId: string): boolean {
    const row = `${agentId} ${sessionId}`;
    if (this.rows.has(row)) {
      this.selected.push(row);
    }
    return this.rows.has(row);
  }

  show(sessionId: string | undefined): void {
    this.active =
      sessionId === undefined
        ? undefined
        : { session: { agent: { id: 'a' }, info: { sessionId } } };
    this.changed.fire();
  }
}

describe('the view that follows the tab', () => {
  it('selects the session of each tab that comes to the front, once', () => {
    const window = new Window();
    window.rows.add('a s1').add('a s2');
    window.show('s1');
    window.changed.fire();
    window.shown.fire();
    window.show('s2');
    assert.deepEqual(window.selected, ['a s1', 'a s2']);
  });

  it('waits for the row of a session that is new, and leaves it alone later', () => {
    const window = new Window();
    window.show('new');
    window.shown.fire();
    assert.deepEqual(window.selected, []);
    window.rows.add('a new');
    window.shown.fire();
    window.shown.fire();
    assert.deepEqual(window.selected, ['a new']);
  });

  it('forgets a tab that isn’t in front any more', () => {
    const window = new Window();
    window.show('s1');
    window.show(undefined);
    window.rows.add('a s1');
    window.shown.fire();
    assert.deepEqual(window.selected, []);
  });

  it('selects nothing while the setting is off', () => {
    const window = new Window();
    window.rows.add('a s1').add('a s2');
    window.settings.autoReveal = false;
    window.show('s1');
    window.settings.autoReveal = true;
    window.show('s2');
    assert.deepEqual(window.selected, ['a s2']);
  });
});
