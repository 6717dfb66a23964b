import assert from 'node:assert/strict';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { FakeModel } from '../fakes';
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
    const marked = look(node, 'idle', {}, undefined, 0, undefined, '1.2.3');
    assert.equal(marked.description, 'update: 1.2.3');
    assert.ok(marked.words.includes('outdated'));
    assert.equal(look(node).description, undefined);
    assert.ok(!look(node).words.includes('outdated'));
  });
});
