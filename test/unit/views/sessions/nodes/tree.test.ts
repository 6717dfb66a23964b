import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sessionKey } from '../../../../../src/model/list/sessionInfo';
import type { Worktree } from '../../../../../src/model/places/worktrees';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { SessionsTree } from '../../../../../src/views/sessions/nodes/tree';
import { day, FakeModel, failure, hour, now, TreeAgent } from '../fakes';

/** The tree as indented ids; an `older` node is not expanded, because that loads a page. */
function outline(tree: SessionsTree, node?: SessionsNode, indent = ''): string[] {
  return tree
    .children(node)
    .flatMap((child) => [
      indent + shortId(child),
      ...(child.kind === 'older' ? [] : outline(tree, child, `${indent}  `)),
    ]);
}

function shortId(node: SessionsNode): string {
  switch (node.kind) {
    case 'agent':
      return `agent ${node.agent.id}`;
    case 'folder':
      return `folder ${node.folder.name}`;
    case 'worktree':
      return `worktree ${node.worktree.branch}`;
    case 'moved':
      return `moved ${node.from}`;
    case 'group':
      return `group ${node.group.key}`;
    case 'session':
      return node.row.info.sessionId;
    case 'subagent':
      return `subagent ${node.subagent.title}`;
    case 'older':
      return 'older';
    case 'filter':
      return 'filter';
    case 'problem':
      return `problem ${node.problem.id}`;
    case 'message':
      return `message ${node.message.kind}`;
  }
}

function worktree(path: string, branch: string): Worktree {
  return { path, branch, isMain: false };
}

async function nextChange(tree: SessionsTree): Promise<readonly SessionsNode[] | undefined> {
  return new Promise((resolve) => {
    const listener = tree.onDidChange((nodes) => {
      listener.dispose();
      resolve(nodes);
    });
  });
}

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
    model = new FakeModel('a', 'b');
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    assert.deepEqual(model.tree.children().map(shortId), ['agent a', 'agent b']);
    const [agent] = model.tree.children();
    const folders = model.tree.children(agent);
    assert.deepEqual(folders.map(shortId), ['folder project', 'folder other']);
    assert.equal(model.tree.parent(folders[0]!), agent);
  });

  it('shows other work trees beneath their folder, and reads their sessions when one is opened', () => {
    model = new FakeModel('a');
    model.worktrees.all = [worktree('/code/project-x', 'x')];
    loaded(['s1']);
    const [, node] = model.tree.children();
    assert.ok(node?.kind === 'worktree');
    assert.deepEqual(model.tree.children().map(shortId), ['s1', 'worktree x']);
    const list = model.agents.all[0]!.lists.of({ name: '', path: '/code/project-x' });
    assert.deepEqual(list.calls, []);
    model.tree.children(node);
    assert.deepEqual(list.calls, ['load']);
    list.become({ state: { kind: 'loaded' }, rows: [list.row('far', now)] });
    const [far] = model.tree.children(node);
    assert.ok(far?.kind === 'session' && far.parent === node);
    assert.deepEqual(outline(model.tree), ['s1', 'worktree x', '  far']);
  });

  it('shows work trees in the folder’s own node where there are several folders', async () => {
    model = new FakeModel('a');
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    const [project, other] = model.tree.children();
    assert.deepEqual(model.tree.children(project).map(shortId), ['message starting']);
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
    const before = model.tree.children().at(-1);
    model.worktrees.all = [kept];
    model.worktrees.changed.fire();
    assert.equal(model.tree.children().at(-1), before);
    await model.tree.refresh();
    assert.equal(model.worktrees.refreshes, 1);
  });

  it('starts an agent when its sessions are first looked at, and only once', () => {
    model = new FakeModel('a', 'b');
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
    model = new FakeModel('a', 'b');
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
    model = new FakeModel('a', 'b');
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
        assert.deepEqual(await changed, [node]);
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
    model = new FakeModel('a', 'b');
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

  it('follows agents and folders as they come and go', async () => {
    model = new FakeModel('a');
    loaded(['s1']);
    model.tree.children();
    const gone = model.list();
    model.agents.all = [new TreeAgent('b'), new TreeAgent('c')];
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
    model = new FakeModel('a', 'b');
    const [, second] = model.tree.children();
    model.tree.children(second);
    const list = model.list(1);
    list.become({ state: { kind: 'loaded' }, rows: [list.row('s1', now)] });
    const [node] = model.tree.children(second);
    const found = ['b', 'a'].map((agent) => model.tree.sessionNodes(agent, 's1'));
    assert.deepEqual(found, [[node], []]);
  });

  it('refreshes only lists that were looked at', async () => {
    model = new FakeModel('a', 'b');
    model.tree.children(model.tree.children()[0]);
    await model.tree.refresh();
    assert.deepEqual([model.list(0).calls, model.list(1).calls], [['load', 'refresh'], []]);
  });
});
