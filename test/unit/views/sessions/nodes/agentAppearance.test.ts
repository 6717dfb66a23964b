import assert from 'node:assert/strict';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { findTooltip } from '../../../../../src/views/sessions/nodes/tooltips';
import { FakeModel, failure, TreeAgent } from '../fakes';
import { look } from '../look';

describe('looks of an agent', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = new FakeModel('a');
  });
  afterEach(() => model.tree.dispose());

  it('mark a newer version in the registry, and offer to update to it', () => {
    const [agent] = model.agents.all;
    assert.ok(agent);
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    const marked = look(node, 'idle', {}, { newer: '1.2.3' });
    assert.equal(marked.description, 'update: 1.2.3');
    assert.ok(marked.words.includes('outdated'));
    assert.equal(look(node).description, undefined);
    assert.ok(!look(node).words.includes('outdated'));
  });

  it('say of one whose entry has changed while it works that it restarts later', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    agent.changesLater = true;
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    const marked = look(node, 'idle', {}, { newer: '1.2.3' });
    assert.equal(marked.description, 'restarts when done');
  });

  it('say of one that was removed that it was, and offer only to forget it', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    Object.assign(agent.config, { removed: { program: 'p' } });
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    for (const state of [{ kind: 'stopped' }, { kind: 'failed', failure }] as const) {
      agent.state = state;
      const { description, words, icon } = look(node);
      assert.deepEqual([description, words, icon], ['removed', ['removed'], { id: 'history' }]);
    }
    assert.ok(
      model.tree.children().some(({ kind }) => kind === 'agent'),
      'also as the only one',
    );
  });

  it('AUTH-13: say of one that needs a login for new sessions that it does, and sign in by a click', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    agent.state = { kind: 'ready', connection: { authMethods: [] } as never };
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    assert.deepEqual([look(node).click, look(node).words.includes('signIn')], [undefined, false]);
    agent.signInNeeded = { ...failure, title: 'A requires you to sign in', actions: ['signIn'] };
    const needy = look(node);
    assert.deepEqual([needy.description, needy.click], ['sign in needed', 'signIn']);
    assert.ok(needy.words.includes('signIn'));
    assert.match(findTooltip(node) ?? '', /^A requires you to sign in\n/);
    agent.state = { kind: 'failed', failure };
    assert.equal(look(node).description, 'not running', 'which is the nearer trouble');
  });

  it('AUTH-15, US-6: say with which plan or key it works, and in the tooltip whose', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    agent.state = { kind: 'ready', connection: { authMethods: [] } as never };
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    agent.account = { label: 'Claude\nMax', details: ['someone@example.org', 'Garden'] };
    const shown = look(node, 'idle', {}, { newer: '1.2.3' });
    assert.equal(shown.description, 'Claude Max · update: 1.2.3');
    assert.match(
      findTooltip(node) ?? '',
      /^Running\n.*\nAccount: Claude Max \(someone@example.org, Garden\)$/,
    );
    agent.limit = { status: 'reached', window: 'fiveHours' };
    assert.equal(look(node).description, '5-hour limit reached', 'which matters more');
    assert.match(findTooltip(node) ?? '', /Account: Claude Max .*\n5-hour limit reached$/);
    agent.limit = undefined;
    agent.account = { details: [] };
    assert.equal(look(node).description, 'not signed in');
    agent.account = undefined;
    assert.equal(look(node).description, undefined);
  });

  it('AUTH-13: the list of the only agent, which has no row, says so instead', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    agent.state = { kind: 'ready', connection: { authMethods: [] } as never };
    agent.signInNeeded = { ...failure, title: 'A requires you to sign in', actions: ['signIn'] };
    model.list().state = { kind: 'loaded' };
    const [node] = model.tree.children();
    assert.ok(node?.kind === 'message');
    const { label, click } = look(node);
    assert.deepEqual([label, click], ['A requires you to sign in', 'signIn']);
  });

  it('show the icon that the registry has, unless the state has one of its own', () => {
    const [agent] = model.agents.all;
    assert.ok(agent instanceof TreeAgent);
    const node: SessionsNode = { kind: 'agent', id: 'a', parent: undefined, agent };
    const icon = () => look(node, 'idle', {}, { icon: '<svg/>' }).icon;
    assert.deepEqual(icon(), { id: 'hubot', own: '<svg/>' });
    assert.deepEqual(look(node).icon, { id: 'hubot' });
    agent.state = { kind: 'failed', failure };
    assert.equal(icon()?.own, undefined);
  });
});
