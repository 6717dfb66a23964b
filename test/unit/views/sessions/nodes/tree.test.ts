import assert from 'node:assert/strict';
import { day, type FakeList, FakeModel, failure, now, TreeAgent } from '../fakes';
import { nextChange, outline, shortId, worktree } from './outline';

describe('sessions tree', () => {
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

  it('shows the only agent’s sessions at the top', () => {
    model = new FakeModel('a');
    loaded(['s1', 's2']);
    assert.deepEqual(outline(model.tree), ['s1', 's2']);
    assert.equal(model.tree.onlyAgent?.id, 'a');
  });

  it('shows agents, then folders, where there are several', () => {
    model = new FakeModel('a', 'b').byAgent();
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    assert.deepEqual(model.tree.children().map(shortId), ['agent a', 'agent b']);
    const [agent] = model.tree.children();
    const folders = model.tree.children(agent);
    assert.deepEqual(folders.map(shortId), ['folder project', 'folder other']);
    assert.equal(model.tree.parent(folders[0]!), agent);
  });

  /** What an agent has in another work tree. */
  function listOf(place: string): FakeList {
    const [agent] = model.agents.all;
    assert.ok(agent);
    return agent.lists.of({ name: '', path: place });
  }

  it('shows other work trees beneath their folder as soon as they have sessions, which are read one by one', async () => {
    model = new FakeModel('a');
    model.worktrees.all = [worktree('/code/project-x', 'x'), worktree('/code/project-y', 'y')];
    const [x, y] = ['/code/project-x', '/code/project-y'].map(listOf);
    assert.ok(x && y);
    model.tree.children();
    assert.deepEqual([x.calls, y.calls], [[], []], 'the folder’s own sessions come first');
    model.agents.all[0]!.state = { kind: 'ready', connection: undefined as never };
    loaded(['s1']);
    await nextChange(model.tree);
    assert.deepEqual(outline(model.tree), ['s1']);
    assert.deepEqual([x.calls, y.calls], [['load'], []]);
    x.become({ state: { kind: 'loaded' }, rows: [x.row('far', now)] });
    await nextChange(model.tree);
    assert.deepEqual(outline(model.tree), ['s1', 'worktree x', '  far']);
    assert.deepEqual([x.calls, y.calls], [['load'], ['load']]);
    y.become({ state: { kind: 'loaded' } });
    assert.deepEqual(outline(model.tree), ['s1', 'worktree x', '  far']);
    x.become({ rows: [] });
    await nextChange(model.tree);
    assert.deepEqual(outline(model.tree), ['s1']);
  });

  it('shows work trees in the folder’s own node where there are several folders', async () => {
    model = new FakeModel('a');
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    const [project, other] = model.tree.children();
    assert.deepEqual(model.tree.children(project).map(shortId), ['message starting']);
    const list = listOf('/code/project-x');
    list.rows = [list.row('far', now)];
    model.worktrees.all = [worktree('/code/project-x', 'x')];
    const changed = nextChange(model.tree);
    model.worktrees.changed.fire();
    await changed;
    assert.deepEqual(model.tree.children(project).map(shortId), ['message starting', 'worktree x']);
    assert.deepEqual(model.tree.children(other).map(shortId), ['message starting']);
  });

  it('shows the sessions of a folder that has moved beneath the folder where it is now', async () => {
    model = new FakeModel('a');
    model.tree.children();
    const changed = nextChange(model.tree);
    await model.places.moved.move('a', '/old/place', '/code/project');
    await changed;
    assert.deepEqual(model.tree.children().map(shortId), ['message starting', 'moved /old/place']);
    const node = model.tree.children().at(-1);
    const list = model.agents.all[0]!.lists.of({ name: '', path: '/old/place' });
    model.tree.children(node);
    assert.deepEqual(list.calls, ['load']);
    await model.places.moved.forget('a', '/old/place');
    assert.deepEqual(model.tree.children().map(shortId), ['message starting']);
  });

  it('keeps the node of a work tree over changes of others, and looks again with a refresh', async () => {
    model = new FakeModel('a');
    const kept = worktree('/code/project-x', 'x');
    model.worktrees.all = [worktree('/code/project-w', 'w'), kept];
    for (const list of ['/code/project-w', kept.path].map(listOf)) {
      list.rows = [list.row('far', now)];
    }
    const before = model.tree.children().at(-1);
    assert.equal(before?.kind, 'worktree');
    model.worktrees.all = [kept];
    model.worktrees.changed.fire();
    assert.equal(model.tree.children().at(-1), before);
    await model.tree.refresh();
    assert.equal(model.worktrees.refreshes, 1);
  });

  it('starts an agent when its sessions are first looked at, and only once', () => {
    model = new FakeModel('a', 'b').byAgent();
    const [first, second] = model.tree.children();
    assert.deepEqual([model.list(0).calls, model.list(1).calls], [[], []]);
    model.tree.children(first);
    model.tree.children(first);
    assert.deepEqual([model.list(0).calls, model.list(1).calls], [['load'], []]);
    model.tree.children(second);
    assert.deepEqual(model.list(1).calls, ['load']);
  });

  it('does not start a stopped agent again by itself', async () => {
    model = new FakeModel('a');
    model.tree.children();
    model.list().become({ state: { kind: 'unread' } });
    const changed = nextChange(model.tree);
    model.agents.changedAgent.fire(model.agents.all[0]!);
    await changed;
    assert.deepEqual(outline(model.tree), ['message stopped']);
    assert.deepEqual(model.list().calls, ['load']);
  });

  it('groups by date only when there are more than a few', () => {
    model = new FakeModel('a');
    const ids = Array.from({ length: 9 }, (_, index) => `s${index}`);
    loaded(ids.slice(0, 8), day);
    assert.deepEqual(outline(model.tree), ids.slice(0, 8));
    loaded(ids, day);
    assert.deepEqual(outline(model.tree), [
      'group today',
      '  s0',
      'group yesterday',
      '  s1',
      'group week',
      ...['  s2', '  s3', '  s4', '  s5', '  s6', '  s7'],
      'group 2026-03',
      '  s8',
    ]);
    const [today] = model.tree.children();
    const [session] = model.tree.children(today);
    assert.equal(model.tree.parent(session!), today);
    model.settings.groupByDate = false;
    assert.deepEqual(outline(model.tree), ids);
    assert.equal(model.tree.parent(session!), undefined);
  });

  it('shows nothing without trust or a folder: the welcome text says why', () => {
    model = new FakeModel('a');
    model.workspace.trusted = false;
    assert.deepEqual(model.tree.children(), []);
    model.workspace.trusted = true;
    model.workspace.folders = [];
    assert.deepEqual(model.tree.children(), []);
    assert.equal(model.agents.all[0]!.state.kind, 'stopped');
  });

  it('names entries of the settings that can’t be used, after the agents', () => {
    model = new FakeModel('a', 'b').byAgent();
    model.agents.problems = [{ id: 'bad', reason: 'The "command" is missing.' }];
    assert.deepEqual(model.tree.children().map(shortId), ['agent a', 'agent b', 'problem bad']);
  });

  it('says how a list stands', () => {
    model = new FakeModel('a');
    const list = model.list();
    assert.deepEqual(outline(model.tree), ['message starting']);
    list.become({ state: { kind: 'loaded' } });
    assert.deepEqual(outline(model.tree), ['message empty']);
    list.become({ state: { kind: 'unsupported' } });
    assert.deepEqual(outline(model.tree), ['message unsupported']);
    list.become({ rows: [list.row('s0', now)] });
    assert.deepEqual(outline(model.tree), ['s0', 'message knownHere']);
    list.become({ state: { kind: 'failed', failure }, rows: [] });
    assert.deepEqual(outline(model.tree), ['message failed']);
    list.become({ state: { kind: 'loaded' }, rows: [list.row('s1', now)], stale: failure });
    assert.deepEqual(outline(model.tree), ['message stale', 's1']);
    list.become({ stale: undefined, more: { kind: 'failed', failure } });
    assert.deepEqual(outline(model.tree), ['s1', 'message moreFailed']);
    list.become({ more: { kind: 'stopped', reason: 'The agent repeats a page.' } });
    assert.deepEqual(outline(model.tree), ['s1', 'message moreStopped']);
    list.become({ more: { kind: 'none' } });
    model.agents.all[0]!.state = { kind: 'failed', failure };
    assert.deepEqual(outline(model.tree), ['message failed', 's1']);
  });

  it('reads exactly one page for each expansion of "Older sessions"', async () => {
    model = new FakeModel('a');
    loaded(['s1']);
    const list = model.list();
    list.become({ more: { kind: 'ready' } });
    const older = model.tree.children().at(-1)!;
    assert.equal(older.kind, 'older');
    model.tree.children(older);
    model.tree.children(older);
    assert.deepEqual(list.calls, ['load', 'loadMore']);
    assert.equal(
      model.tree.children().at(-1),
      older,
      'the node stays while the page is on its way',
    );

    const changed = nextChange(model.tree);
    list.become({ more: { kind: 'ready' }, rows: [...list.rows, list.row('s2', now - day)] });
    await changed;
    assert.deepEqual(outline(model.tree), ['s1', 's2', 'older']);
    const next = model.tree.children().at(-1)!;
    assert.notEqual(next.id, older.id, 'a new node, which is collapsed and can be expanded again');
    model.tree.children(older);
    assert.deepEqual(list.calls, ['load', 'loadMore'], 'the used node reads nothing any more');
    model.tree.children(next);
    assert.deepEqual(list.calls, ['load', 'loadMore', 'loadMore']);
  });

  it('has a new "Older sessions" after a page that another caller requested', () => {
    model = new FakeModel('a');
    loaded(['s1']);
    const list = model.list();
    list.become({ more: { kind: 'ready' } });
    const before = model.tree.children().at(-1)!;
    list.become({ more: { kind: 'loading' } });
    assert.equal(model.tree.children().at(-1), before);
    model.tree.children(before);
    assert.deepEqual(list.calls, ['load'], 'the page is on its way already');
    list.become({ more: { kind: 'ready' } });
    const after = model.tree.children().at(-1)!;
    assert.equal(after.kind, 'older');
    assert.notEqual(after.id, before.id);
  });

  it('follows agents and folders as they come and go', async () => {
    model = new FakeModel('a');
    loaded(['s1']);
    model.tree.children();
    const gone = model.list();
    model.byAgent().agents.all = [new TreeAgent('b'), new TreeAgent('c')];
    const changed = nextChange(model.tree);
    model.agents.changed.fire();
    assert.equal(await changed, undefined, 'the whole tree');
    assert.deepEqual(model.tree.children().map(shortId), ['agent b', 'agent c']);
    gone.become({ rows: [] });
    assert.deepEqual(gone.calls, ['load']);
  });

  it('tells its own nodes from everything else that a command may get', () => {
    model = new FakeModel('a');
    loaded(['s1']);
    const [node] = model.tree.children();
    assert.ok(model.tree.isNode(node));
    for (const value of [undefined, null, 's1', { ...node }, []]) {
      assert.ok(!model.tree.isNode(value));
    }
  });

  it('finds the rows of an open session', () => {
    model = new FakeModel('a', 'b').byAgent();
    const [, second] = model.tree.children();
    model.tree.children(second);
    const list = model.list(1);
    list.become({ state: { kind: 'loaded' }, rows: [list.row('s1', now)] });
    const [node] = model.tree.children(second);
    const found = ['b', 'a'].map((agent) => model.tree.sessionNodes(agent, 's1'));
    assert.deepEqual(found, [[node], []]);
  });

  it('refreshes only lists that were looked at', async () => {
    model = new FakeModel('a', 'b').byAgent();
    model.tree.children(model.tree.children()[0]);
    await model.tree.refresh();
    assert.deepEqual([model.list(0).calls, model.list(1).calls], [['load', 'refresh'], []]);
  });
});
