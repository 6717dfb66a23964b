import assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../../../src/util/async';
import { FirstRows } from '../../../../../src/views/sessions/nodes/firstRows';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import { idle } from '../../../model/fakes';
import { FakeModel, now } from '../fakes';

describe('the first rows of the view', () => {
  let model: FakeModel;
  let rows: FirstRows;
  /** The longest wait for the rows, and the time to draw them. */
  let pauses: Deferred<undefined>[];
  let areDrawn: boolean;
  let unfolded: ReadonlySet<SessionsNode | undefined>;

  beforeEach(() => {
    model = new FakeModel('a', 'b').byAgent();
    pauses = [];
    rows = new FirstRows(() => {
      const pause = deferred<undefined>();
      pauses.push(pause);
      return pause.promise;
    });
    areDrawn = false;
    unfolded = new Set();
    void rows.drawn().then(() => (areDrawn = true));
  });
  afterEach(() => {
    model.tree.dispose();
  });

  /** What VS Code asks for. */
  function give(node?: SessionsNode): readonly SessionsNode[] {
    const nodes = model.tree.children(node);
    rows.give(nodes, (each) => unfolded.has(each));
    return nodes;
  }

  async function pass(pause: number): Promise<void> {
    pauses[pause]!.resolve(undefined);
    await idle();
  }

  it('are drawn some time after VS Code has those below the last expanded node', async () => {
    const [agent] = model.tree.children();
    unfolded = new Set([agent]);
    give();
    await idle();
    assert.equal(pauses.length, 1, 'the sessions are missing');
    const list = model.agents.all[0]!.lists.of({ name: 'project', path: '/code/project' });
    list.rows = [list.row('one', now)];
    give(agent);
    await idle();
    assert.deepEqual([pauses.length, areDrawn], [2, false]);
    await pass(1);
    assert.equal(areDrawn, true);
  });

  it('are there with the agents if all of them are folded', async () => {
    give();
    await idle();
    await pass(1);
    assert.equal(areDrawn, true);
  });

  it('aren’t waited for forever if VS Code asks for nothing', async () => {
    await pass(0);
    await pass(1);
    assert.equal(areDrawn, true);
  });
});
