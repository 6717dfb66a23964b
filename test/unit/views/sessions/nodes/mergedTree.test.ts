import assert from 'node:assert/strict';
import { sessionKey } from '../../../../../src/model/list/sessionInfo';
import { day, FakeModel, failure, hour, now, openSession, TreeAgent } from '../fakes';
import { nextChange, outline, shortId, worktree } from './outline';

describe('sessions of several agents', () => {
  let model: FakeModel;
  afterEach(() => model.tree.dispose());

  /** Agents that were used here, whose lists have these sessions, an hour apart from these ages on. */
  function build(sessions: Readonly<Record<string, readonly [string, number][]>>): void {
    model = new FakeModel(...Object.keys(sessions));
    Object.values(sessions).forEach((rows, index) => {
      const list = model.list(index);
      list.isRecalled = true;
      list.rows = rows.map(([id, age]) => list.row(id, now - age * hour));
    });
    model.tree.children();
    Object.values(sessions).forEach((_, index) => {
      model.list(index).become({ state: { kind: 'loaded' } });
    });
  }

  async function drawn(): Promise<void> {
    await nextChange(model.tree);
  }

  it('are one list by time, unless they are grouped by agent', async () => {
    build({
      a: [
        ['a1', 1],
        ['a2', 5],
      ],
      b: [['b1', 3]],
    });
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'a2']);
    await model.choices.setGrouping('agent');
    assert.deepEqual(model.tree.children().map(shortId), ['agent a', 'agent b']);
    assert.deepEqual(outline(model.tree), ['agent a', '  a1', '  a2', 'agent b', '  b1']);
    await model.choices.setGrouping('none');
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'a2']);
    assert.deepEqual([model.list(0).calls, model.list(1).calls], [['load'], ['load']]);
  });

  it('leave an agent a line of its own while there is something to say about it', async () => {
    build({ a: [['a1', 1]], b: [['b1', 3]] });
    const rows = ['a1', 'b1'];
    const [, second] = model.agents.all;
    const { newerVersions } = model.registry;
    assert.ok(second);
    newerVersions.all.set('b', '2.0.0');
    newerVersions.changed.fire();
    assert.deepEqual(outline(model.tree), rows, 'one that isn’t running');
    second.state = { kind: 'ready', connection: { authMethods: [] } as never };
    model.agents.changedAgent.fire(second);
    await drawn();
    const shown = model.tree.children();
    assert.deepEqual(shown.map(shortId), [...rows, 'line b']);
    const line = shown.at(-1);
    assert.ok(line);
    const { description, expandable, words } = model.tree.draw(line);
    assert.deepEqual([description, expandable], ['update: 2.0.0', false]);
    assert.ok(words.includes('agent') && words.includes('outdated'));
    assert.deepEqual(model.tree.children(line), []);
    newerVersions.all.clear();
    newerVersions.changed.fire();
    await drawn();
    assert.deepEqual(outline(model.tree), rows);
  });

  it('are grouped by date, by folder, or by state', async () => {
    const rows = Array.from({ length: 5 }, (_, at): [string, number] => [`a${at}`, at * 24]);
    build({
      a: rows,
      b: [
        ['b0', 1],
        ['b1', 25],
        ['b2', 26],
        ['b3', 27],
      ],
    });
    assert.deepEqual(outline(model.tree).slice(0, 8), [
      ...['group today', '  a0', '  b0', 'group yesterday', '  a1', '  b1', '  b2', '  b3'],
    ]);
    model.sessions.open.add(sessionKey('b', 'b2'));
    await model.choices.setGrouping('state');
    assert.deepEqual(outline(model.tree).slice(0, 4), [
      ...['group open', '  b2', 'group others', '  a0'],
    ]);
    await model.choices.setGrouping('folder');
    assert.equal(model.tree.children().length, 1);
  });

  it('show down to where every list is read, and read on where the next one is', async () => {
    build({
      a: [
        ['a1', 1],
        ['a2', 8],
      ],
      b: [
        ['b1', 2],
        ['b2', 4],
      ],
    });
    const [a, b] = [model.list(0), model.list(1)];
    a.become({ more: { kind: 'ready' } });
    b.become({ more: { kind: 'ready' } });
    await drawn();
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'b2', 'older']);
    const older = model.tree.children().at(-1)!;
    model.tree.children(older);
    model.tree.children(older);
    assert.deepEqual([a.calls, b.calls], [['load'], ['load', 'loadMore']], 'one page, once');
    b.become({ more: { kind: 'none' }, rows: [...b.rows, b.row('b3', now - 6 * hour)] });
    await drawn();
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'b2', 'b3', 'a2', 'older']);
    const next = model.tree.children().at(-1)!;
    assert.ok(next.kind === 'older' && next.list === a);
    assert.notEqual(next.id, older.id, 'a new node, which is collapsed and can be expanded again');
  });

  it('say in one line what is wrong with a list, which holds nothing back', async () => {
    build({ a: [['a1', 1]], b: [['b1', 2]] });
    const b = model.list(1);
    b.become({ more: { kind: 'failed', failure } });
    await drawn();
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'message moreFailed']);
    b.become({ more: { kind: 'none' }, stale: failure });
    await drawn();
    assert.deepEqual(outline(model.tree), ['message stale', 'a1', 'b1']);
    b.become({ state: { kind: 'loading' }, stale: undefined });
    await drawn();
    assert.deepEqual(outline(model.tree), ['a1', 'b1', 'message starting']);
    model.list(0).become({ rows: [] });
    b.become({ state: { kind: 'loaded' }, rows: [] });
    await drawn();
    assert.deepEqual(outline(model.tree), ['message empty']);
  });

  it('wait for the user to start an agent that was not used here', async () => {
    model = new FakeModel('a', 'b', 'c');
    model.list(0).isRecalled = true;
    model.agents.all[1]!.state = { kind: 'starting' };
    model.agents.all.push(new TreeAgent('added'));
    model.tree.want('added');
    assert.deepEqual(outline(model.tree), [
      ...['message starting', 'message starting', 'message notStarted', 'message starting'],
    ]);
    const calls = [0, 1, 2].map((agent) => model.list(agent).calls);
    assert.deepEqual(calls, [['load'], ['load'], []]);
    assert.deepEqual(model.list(3).calls, ['load']);
    const line = model.tree.children().at(-2)!;
    assert.ok(line.kind === 'message' && line.list === model.list(2));
    model.list(2).become({ state: { kind: 'loaded' }, rows: [model.list(2).row('c1', now)] });
    await drawn();
    assert.equal(outline(model.tree)[0], 'c1');
  });

  it('include those of other worktrees, whose lists are read one by one', async () => {
    model = new FakeModel('a', 'b');
    model.worktrees.all = [worktree('/code/x', 'x'), worktree('/code/y', 'y')];
    const [agent] = model.agents.all;
    const [x, y] = ['/code/x', '/code/y'].map((path) => agent!.lists.of({ name: '', path }));
    model.list(0).isRecalled = true;
    model.tree.children();
    assert.deepEqual(x!.calls, []);
    agent!.state = { kind: 'ready' } as never;
    model.list(0).become({ state: { kind: 'loaded' } });
    await drawn();
    assert.deepEqual([x!.calls, y!.calls], [['load'], []]);
    x!.become({ state: { kind: 'loaded' }, rows: [x!.row('x1', now)] });
    await drawn();
    assert.deepEqual([x!.calls, y!.calls], [['load'], ['load']]);
    assert.equal(outline(model.tree)[0], 'x1');
  });

  it('leave traces and removed agents in rows of their own', () => {
    build({ a: [['a1', 1]], b: [['b1', 2]] });
    const trace = new TreeAgent('t');
    Object.assign(trace.config, { ofWindow: true });
    model.agents.all.push(trace);
    assert.deepEqual(model.tree.children().map(shortId), ['a1', 'b1', 'agent t']);
  });

  it('redraw the row that changes, and no other', async () => {
    build({
      a: [
        ['a1', 1],
        ['a2', 3],
      ],
      b: [['b1', 2]],
    });
    const rows = model.tree.children();
    rows.forEach((node) => model.tree.draw(node));
    const list = model.list(0);
    const renamed = list.row('a2', now - 3 * hour, 'Renamed');
    list.rows = [list.rows[0]!, renamed];
    list.changed.fire({ type: 'row', row: renamed });
    assert.deepEqual(await nextChange(model.tree), [rows[2]]);
    assert.equal(model.tree.draw(rows[2]!).label, 'Renamed');
    assert.deepEqual(model.tree.children(), rows);
  });

  describe('that need the user', () => {
    function become(agent: string, id: string, change: object): void {
      const session = openSession(agent, id, change);
      model.sessions.states.set(sessionKey(agent, id), session);
      model.sessions.changed.fire(session);
    }

    const asks = { requests: { waiting: [{}] } };
    const runs = { turns: { current: { kind: 'running' } } };

    it('come first, the most urgent at the top, and aren’t repeated', async () => {
      build({
        a: [
          ['a1', 1],
          ['a2', 5],
        ],
        b: [
          ['b1', 3],
          ['b2', 4],
        ],
      });
      become('a', 'a1', runs);
      become('b', 'b2', asks);
      model.work.interrupted.add(sessionKey('a', 'a2'));
      await drawn();
      const merged = ['group needs', '  b2', '  a2', '  a1', 'b1'];
      assert.deepEqual(outline(model.tree), merged);
      await model.choices.setGrouping('agent');
      outline(model.tree);
      await drawn();
      assert.deepEqual(outline(model.tree), [
        ...['group needs', '  b2', '  a2', '  a1', 'agent a', 'agent b', '  b1'],
      ]);
      const [group] = model.tree.children();
      const [first] = model.tree.children(group);
      assert.equal(model.tree.parent(first!), group);
    });

    it('leave the group as they no longer do, unless the user looks at them', async () => {
      build({ a: [['a1', 1]], b: [['b1', 3]] });
      become('b', 'b1', asks);
      await drawn();
      assert.deepEqual(outline(model.tree), ['group needs', '  b1', 'a1']);
      const session = openSession('b', 'b1');
      model.attention.visible.add(session);
      model.sessions.states.set(sessionKey('b', 'b1'), session);
      model.sessions.changed.fire(session);
      model.tree.tick();
      await new Promise(setImmediate);
      assert.deepEqual(outline(model.tree), ['group needs', '  b1', 'a1']);
      model.attention.visible.clear();
      model.attention.shown.fire({});
      await drawn();
      assert.deepEqual(outline(model.tree), ['a1', 'b1']);
    });

    it('show before those above them are read', async () => {
      build({
        a: [['a1', 1]],
        b: [
          ['b1', 2],
          ['b2', 9 * (day / hour)],
        ],
      });
      model.list(0).become({ more: { kind: 'ready' } });
      become('b', 'b2', asks);
      await drawn();
      assert.deepEqual(outline(model.tree), ['group needs', '  b2', 'a1', 'older']);
    });
  });
});
