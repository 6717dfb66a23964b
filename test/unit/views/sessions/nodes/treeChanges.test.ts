import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sessionKey } from '../../../../../src/model/list/sessionInfo';
import { SessionsTree } from '../../../../../src/views/sessions/nodes/tree';
import { day, FakeModel, hour, now } from '../fakes';
import { nextChange, shortId } from './outline';

describe('changes of the sessions tree', () => {
  let model: FakeModel;
  afterEach(() => model.tree.dispose());

  function loaded(ids: readonly string[], spacing = 60_000): void {
    const list = model.list();
    model.tree.children();
    list.become({
      state: { kind: 'loaded' },
      rows: ids.map((id, index) => list.row(id, now - index * spacing)),
    });
  }

  it('keeps node objects over pages, refreshes and moves between groups', () => {
    model = new FakeModel('a');
    loaded(['s1', 's2']);
    const before = model.tree.children();
    const list = model.list();
    list.become({ rows: [list.row('s0', now), list.row('s2', now - 1), list.row('s1', now - 2)] });
    const after = model.tree.children();
    assert.deepEqual(after.map(shortId), ['s0', 's2', 's1']);
    assert.equal(after[1], before[1]);
    assert.equal(after[2], before[0]);
  });

  it('draws one row anew for a new title, and several changes at once', async () => {
    model = new FakeModel('a');
    loaded(['s1', 's2', 's3']);
    const list = model.list();
    const nodes = model.tree.children();
    const changed = nextChange(model.tree);
    for (const [index, title] of ['x', 'y', 'z'].entries()) {
      list.become({
        rows: list.rows.map((row) =>
          row.info.sessionId === 's2' || (index === 2 && row.info.sessionId === 's3')
            ? { ...row, title }
            : row,
        ),
      });
    }
    assert.deepEqual(await changed, [nodes[1], nodes[2]]);
  });

  it('draws the parent anew when rows come, go or move', async () => {
    model = new FakeModel('a', 'b').byAgent();
    const [agent] = model.tree.children();
    model.tree.children(agent);
    const list = model.list();
    const changed = nextChange(model.tree);
    list.become({ state: { kind: 'loaded' }, rows: [list.row('s1', now)] });
    assert.deepEqual(await changed, [agent]);
  });

  it('draws only the group whose rows changed', async () => {
    model = new FakeModel('a');
    const ids = Array.from({ length: 9 }, (_, index) => `s${index}`);
    loaded(ids, day);
    const [today] = model.tree.children();
    const list = model.list();
    const changed = nextChange(model.tree);
    list.become({ rows: [list.row('new', now), ...list.rows] });
    assert.deepEqual(await changed, [today]);
  });

  for (const told of [
    { openElsewhere: true },
    { state: 'running' as const },
    { gitBranch: 'topic' },
  ]) {
    it(`draws a row anew once its agent says ${JSON.stringify(told)}, and no longer does`, async () => {
      model = new FakeModel('a');
      loaded(['s1']);
      const [node] = model.tree.children();
      const list = model.list();
      const before = list.rows;
      for (const rows of [
        before.map((row) => ({ ...row, info: { ...row.info, ...told } })),
        before,
      ]) {
        const changed = nextChange(model.tree);
        list.become({ rows });
        // A session that runs or asks elsewhere moves to those that need the user.
        assert.deepEqual(await changed, 'state' in told ? undefined : [node]);
      }
    });
  }

  it('tells VS Code what has changed, also if someone else has looked in between', async () => {
    model = new FakeModel('a');
    loaded(['s1']);
    const [node] = model.tree.children();
    const list = model.list();
    for (const [rows, expected] of [
      [list.rows.map((row) => ({ ...row, title: 'New' })), [node]],
      [[list.row('s2', now)], undefined],
    ] as const) {
      const changed = nextChange(model.tree);
      list.become({ rows });
      model.tree.look();
      assert.deepEqual(await changed, expected);
    }
  });

  it('says nothing when a refresh brings nothing new', async () => {
    model = new FakeModel('a');
    loaded(['s1']);
    model.tree.children();
    const fired: unknown[] = [];
    model.tree.onDidChange((nodes) => fired.push(nodes));
    const list = model.list();
    list.become({ rows: list.rows.map((row) => ({ ...row })) });
    const other = nextChange(model.tree);
    list.become({ rows: [list.row('s2', now)] });
    await other;
    assert.equal(fired.length, 1);
  });

  it('leaves VS Code time to draw while changes go on and on, and tells of all of them then', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    try {
      model = new FakeModel('a');
      loaded(['s1']);
      model.tree.children();
      mock.timers.tick(1000);
      const told: { readonly at: number; readonly all: boolean }[] = [];
      model.tree.onDidChange((nodes) => told.push({ at: Date.now(), all: nodes === undefined }));
      const list = model.list();
      for (let change = 0; change < 60; change++) {
        list.become({ rows: [list.row(`new ${change % 2}`, now), list.row('s1', now)] });
        mock.timers.tick(50);
      }
      mock.timers.tick(1000);
      const slow = told.filter(({ at }, index) => at - (told[index - 1]?.at ?? 0) > 200);
      assert.ok(slow.length >= 5, `${slow.length}`);
      assert.deepEqual([...new Set(slow.slice(1).map(({ all }) => all))], [true]);
      assert.equal(model.tree.sessionNodes('a', 'new 1').length, 1);
    } finally {
      mock.timers.reset();
    }
  });

  it('draws rows anew for what their agent can do, and none that would look the same', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      model = new FakeModel('a');
      const [agent] = model.agents.all;
      loaded(['s1', 's2']);
      const [, second] = model.tree.children();
      mock.timers.tick(1000);
      assert.ok(agent && second);
      model.tree.draw(second);
      const fired: unknown[] = [];
      model.tree.onDidChange((nodes) => fired.push(nodes));
      model.agents.changedAgent.fire(agent);
      mock.timers.tick(1000);
      assert.deepEqual(fired, []);
      agent.can.add('fork');
      model.agents.changedAgent.fire(agent);
      mock.timers.tick(1000);
      assert.deepEqual(fired, [undefined], 'the top of the tree');
    } finally {
      mock.timers.reset();
    }
  });

  it('draws an agent’s row anew for what the registry has of it, without asking for its sessions', async () => {
    model = new FakeModel('a', 'b').byAgent();
    const [first, second] = model.tree.children();
    assert.ok(first && second);
    model.tree.draw(first);
    model.tree.draw(second);
    const changed = nextChange(model.tree);
    model.registry.newerVersions.all.set('b', '2.0.0');
    model.registry.newerVersions.changed.fire();
    assert.deepEqual(await changed, [second]);
    assert.deepEqual([...model.list(0).calls, ...model.list(1).calls], []);
  });

  it('draws a session’s row anew once its tab is in another column', async () => {
    model = new FakeModel('a');
    loaded(['s1', 's2']);
    const [first, second] = model.tree.children();
    assert.ok(first && second);
    model.tree.draw(first);
    model.tree.draw(second);
    const changed = nextChange(model.tree);
    model.tabs.columns.set(sessionKey('a', 's1'), 2);
    for (const sessionId of ['s2', 's1']) {
      model.tabs.changed.fire({ agentId: 'a', sessionId });
    }
    assert.deepEqual(await changed, [first]);
  });

  it('moves rows to other groups when a day goes by, and draws rows whose time looks old', async () => {
    model = new FakeModel('a');
    let time = now;
    const tree = new SessionsTree(model, () => time);
    const list = model.list();
    tree.children();
    list.become({
      state: { kind: 'loaded' },
      rows: Array.from({ length: 9 }, (_, index) => list.row(`s${index}`, now - index)),
    });
    const [today] = tree.children();
    const [first] = tree.children(today);
    assert.ok(first);
    tree.draw(first);
    time += hour;
    const redrawn = nextChange(tree);
    tree.tick();
    assert.deepEqual(await redrawn, [first]);
    tree.draw(first);
    time += day;
    const moved = nextChange(tree);
    tree.tick();
    assert.equal(await moved, undefined, 'the top of the tree');
    assert.deepEqual(tree.children().map(shortId), ['group yesterday']);
    tree.dispose();
  });
});
