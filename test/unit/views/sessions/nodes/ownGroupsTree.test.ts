import assert from 'node:assert/strict';
import { sessionKey } from '../../../../../src/model/list/sessionInfo';
import { findDrop, findStep } from '../../../../../src/views/sessions/nodes/drops';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import type { SessionsTree } from '../../../../../src/views/sessions/nodes/tree';
import { FakeModel, hour, now, openSession } from '../fakes';
import { nextChange, shortId } from './outline';

/** The tree as indented names. */
function outline(tree: SessionsTree, node?: SessionsNode, indent = ''): readonly string[] {
  return tree.look(node).flatMap((child) => {
    const name = child.kind === 'group' ? child.group.label : shortId(child);
    return [indent + name, ...outline(tree, child, `${indent}  `)];
  });
}

describe('the user’s groups', () => {
  let model: FakeModel;
  afterEach(() => model.tree.dispose());

  /** Agents with three sessions each, an hour apart, shown in groups. */
  async function build(...agents: readonly string[]): Promise<void> {
    model = new FakeModel(...agents);
    agents.forEach((id, index) => {
      const list = model.list(index);
      list.isRecalled = true;
      list.state = { kind: 'loaded' };
      list.rows = [1, 2, 3].map((at) => list.row(`${id}${at}`, now - at * hour - index));
    });
    await model.choices.setGrouping('own');
  }

  function refs(...ids: readonly string[]) {
    return ids.map((sessionId) => ({ agentId: sessionId.slice(0, 1), sessionId }));
  }

  function row(id: string): SessionsNode {
    const [node] = model.tree.sessionNodes(id.slice(0, 1), id);
    assert.ok(node);
    return node;
  }

  function group(name: string): SessionsNode {
    const node = model.tree
      .look()
      .find((each) => each.kind === 'group' && each.group.label === name);
    assert.ok(node);
    return node;
  }

  it('T-180: hold sessions of any agent, in the user’s order, above all others', async () => {
    await build('a', 'b');
    const cart = await model.groups.add('Cart', 'red');
    await model.groups.add('Empty');
    await model.groups.put(refs('b3', 'a1', 'b1'), cart);
    await model.marks.setPinned(refs('a1', 'a2'), true);
    assert.deepEqual(outline(model.tree), [
      ...['Pinned', '  a2', 'Cart', '  b3', '  a1', '  b1', 'Empty', 'b2', 'a3'],
    ]);
    assert.deepEqual(model.tree.draw(group('Cart')).icon, { id: 'tag', color: 'charts.red' });
    await model.groups.rename(cart, 'The cart');
    assert.equal(model.tree.draw(group('The cart')).label, 'The cart');
    model.choices.setFilter({ states: [], agents: [], text: 'b1' });
    assert.deepEqual(outline(model.tree), ['filter', 'The cart', '  b1']);
  });

  it('T-180: show with a single agent, too, and what needs the user stays above', async () => {
    await build('a');
    assert.deepEqual(outline(model.tree), ['message noGroups', 'a1', 'a2', 'a3']);
    const cart = await model.groups.add('Cart');
    await model.groups.put(refs('a2', 'a3'), cart);
    const asks = openSession('a', 'a2', { requests: { waiting: [{}] } });
    model.sessions.states.set(sessionKey('a', 'a2'), asks);
    model.sessions.changed.fire(asks);
    assert.deepEqual(outline(model.tree), ['Needs You', '  a2', 'Cart', '  a3', 'a1']);
    await model.choices.setGrouping('none');
    assert.deepEqual(outline(model.tree), ['Needs You', '  a2', 'a1', 'a3']);
    assert.match(model.tree.tooltip(row('a3')) ?? '', /^Group: Cart$/m);
    assert.doesNotMatch(model.tree.tooltip(row('a1')) ?? '', /Group/);
  });

  it('T-180: are never hidden by a rule', async () => {
    await build('a');
    const list = model.list();
    list.rows = list.rows.map((each) => ({ ...each, ahead: true }));
    const cart = await model.groups.add('Cart');
    await model.groups.put(refs('a2'), cart);
    assert.deepEqual(outline(model.tree), ['Cart', '  a2']);
  });

  it('T-182: take rows and groups that are dropped there, or moved by a key', async () => {
    await build('a', 'b');
    const [cart, shop] = [await model.groups.add('Cart'), await model.groups.add('Shop')];
    await model.groups.put(refs('a1', 'a2', 'a3'), cart);
    outline(model.tree);
    const ids = [cart, shop];
    const drop = (dragged: readonly SessionsNode[], on: SessionsNode | undefined) =>
      findDrop(dragged, on, ids);
    const rows = [row('b1'), row('b2')];
    assert.deepEqual(drop(rows, group('Shop')), {
      ...{ kind: 'put', sessions: refs('b1', 'b2'), group: shop },
    });
    assert.deepEqual(drop(rows, row('a2')), {
      ...{ kind: 'put', sessions: refs('b1', 'b2'), group: cart, before: refs('a2')[0] },
    });
    assert.deepEqual(drop([row('a1')], row('b1')), { kind: 'take', sessions: refs('a1') });
    assert.deepEqual(drop([row('a1')], undefined), { kind: 'take', sessions: refs('a1') });
    assert.deepEqual(drop([group('Cart')], group('Shop')), {
      ...{ kind: 'move', group: cart, before: undefined },
    });
    assert.deepEqual(drop([group('Shop')], row('a2')), {
      ...{ kind: 'move', group: shop, before: cart },
    });
    assert.equal(drop([group('Shop')], undefined), undefined);
    assert.deepEqual(findStep([row('a2'), row('a1')], 'down', ids), {
      ...{ kind: 'put', sessions: refs('a1', 'a2'), group: cart },
    });
    assert.deepEqual(findStep([row('a3')], 'up', ids), {
      ...{ kind: 'put', sessions: refs('a3'), group: cart, before: refs('a2')[0] },
    });
    assert.equal(findStep([row('a1')], 'up', ids), undefined);
    assert.equal(findStep([row('b1')], 'up', ids), undefined);
    assert.deepEqual(findStep([group('Shop')], 'up', ids), {
      ...{ kind: 'move', group: shop, before: cart },
    });
    assert.equal(findStep([group('Shop')], 'down', ids), undefined);
  });

  it('T-182: take many rows with one redraw, in the order in which they stood', async () => {
    await build('a', 'b');
    outline(model.tree);
    const added = nextChange(model.tree);
    const cart = await model.groups.add('Cart');
    await added;
    outline(model.tree);
    const dragged = model.tree.inOrder(['b3', 'a1', 'b2'].map(row));
    const drop = findDrop(dragged, group('Cart'), [cart]);
    assert.ok(drop?.kind === 'put');
    let redraws = 0;
    model.tree.onDidChange(() => redraws++);
    const changed = nextChange(model.tree);
    await model.groups.put(drop.sessions, drop.group);
    await changed;
    assert.equal(redraws, 1);
    assert.deepEqual(outline(model.tree), ['Cart', '  a1', '  b2', '  b3', 'b1', 'a2', 'a3']);
  });
});
