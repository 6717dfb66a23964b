import assert from 'node:assert/strict';
import type {
  SessionNode,
  ShownSubagent,
  SubagentNode,
} from '../../../../../src/views/sessions/nodes/nodes';
import { FakeModel, now } from '../fakes';
import { look } from '../look';

function subagent(number: number, own: Partial<ShownSubagent> = {}): ShownSubagent {
  const state = { kind: 'running' } as const;
  return { number, title: `a${number}`, state, canCancel: false, isRunning: true, ...own };
}

describe('the rows of subagents', () => {
  let model: FakeModel;
  let session: SessionNode;

  beforeEach(() => {
    model = new FakeModel('a');
    model.tree.children();
    const list = model.list();
    list.become({ state: { kind: 'loaded' }, rows: [list.row('s1', now)] });
    const found = model.tree.children().find((node) => node.kind === 'session');
    assert.ok(found);
    session = found;
  });

  function below(node: SessionNode | SubagentNode = session): readonly SubagentNode[] {
    return model.tree
      .children(node)
      .filter((child): child is SubagentNode => child.kind === 'subagent');
  }

  it('SUB-1: are below what started them while they run, and gone afterward', () => {
    const parent = subagent(1);
    model.running.set('s1', [parent, subagent(2), subagent(3, { parent })]);
    const [first, second] = below();
    assert.ok(first && second);
    assert.deepEqual(
      below(first).map(({ subagent: { title } }) => title),
      ['a3'],
    );
    assert.deepEqual(below(second), []);
    assert.equal(below()[0], first, 'the same rows, so that VS Code keeps the selection');
    assert.equal(model.tree.isNode(first), true);
    const rested = subagent(1, { isRunning: false });
    model.running.set('s1', [subagent(3, { parent: rested })]);
    assert.deepEqual(
      below().map(({ subagent: { title } }) => title),
      ['a3'],
      'one that outlives its parent is below the session',
    );
    model.running.set('s1', []);
    assert.deepEqual(below(), []);
  });

  it('SUB-5: of many, the first have a row, and the last of these says how many there are', () => {
    const many = Array.from({ length: 50 }, (_, at) => subagent(at + 1));
    model.running.set('s1', many);
    const rows = below();
    assert.equal(rows.length, 20);
    assert.equal(look(rows[19] as SubagentNode).description, 'running · and 30 more');
  });

  it('SUB-6: say what they do, and whether they can be stopped', () => {
    const asks = { kind: 'requires_action' } as const;
    model.running.set('s1', [subagent(1), subagent(2, { state: asks, canCancel: true })]);
    const [first, second] = below().map((node) => look(node));
    assert.deepEqual(first?.words, ['subagent']);
    assert.equal(first.spoken, 'Subagent, a1, running');
    assert.deepEqual(second?.words, ['subagent', 'stoppable']);
    assert.equal(second.description, 'needs you');
  });
});
