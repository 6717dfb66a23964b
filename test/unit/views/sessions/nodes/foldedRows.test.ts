import assert from 'node:assert/strict';
import { makeFoldedRow } from '../../../../../src/views/sessions/nodes/foldedRows';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { FakeModel, now } from '../fakes';

describe('the row of a session that was begun below folded nodes', () => {
  let model: FakeModel;

  beforeEach(() => {
    model = new FakeModel('a', 'b').byAgent();
    model.workspace.folders.push({ name: 'other', path: '/code/other' });
    model.worktrees.all = ['x', 'y'].map((branch) => ({
      path: `/code/project-${branch}`,
      branch,
      isMain: false,
    }));
    model.tree.children();
  });
  afterEach(() => model.tree.dispose());

  const listOf = (path: string, agent = 1) => model.agents.all[agent]!.lists.of({ name: '', path });

  it('is made, with all nodes above it, and no other list is read', () => {
    const list = listOf('/code/project-x');
    list.rows = [list.row('new', now)];
    makeFoldedRow(model.tree, 'b', 'new');
    const [node] = model.tree.sessionNodes('b', 'new');
    const above = (of: SessionsNode | undefined): string[] =>
      of === undefined ? [] : [...above(model.tree.parent(of)), of.id];
    assert.deepEqual(above(node), [
      'agent:b',
      'folder:1:b:/code/project',
      'worktree:1:b:/code/project-x',
      'session:1:b:/code/project-x:new',
    ]);
    assert.ok(model.tree.isNode(node), 'commands take it');
    assert.deepEqual(list.calls, ['load']);
    assert.deepEqual([listOf('/code/project-y').calls, listOf('/code/other').calls], [[], []]);
    assert.deepEqual(listOf('/code/project', 0).calls, [], 'nor another agent’s');
  });

  it('isn’t made of a session that no list has, or of another agent', () => {
    const list = listOf('/code/project-x');
    makeFoldedRow(model.tree, 'b', 'new');
    list.rows = [list.row('new', now)];
    makeFoldedRow(model.tree, 'a', 'new');
    assert.deepEqual(model.tree.sessionNodes('b', 'new'), []);
    assert.deepEqual(list.calls, []);
  });

  it('isn’t made if a filter hides its agent', () => {
    const list = listOf('/code/project-x');
    list.rows = [list.row('new', now)];
    model.choices.setFilter({ states: [], agents: ['a'], text: '' });
    makeFoldedRow(model.tree, 'b', 'new');
    assert.deepEqual(model.tree.sessionNodes('b', 'new'), []);
  });
});
