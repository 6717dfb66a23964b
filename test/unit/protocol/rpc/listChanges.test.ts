import assert from 'node:assert/strict';
import { update } from '../../../fakeAgent/scenario';
import { connect, endAgents, startAgent, target } from '../peer';

describe('session/list_changed from the fake agent', () => {
  afterEach(endAgents);

  it('T-46: is heard by either name, whatever it says and how often', async () => {
    const said = ['session/list_changed', '_session/list_changed'].map((method) => ({
      repeat: [{ send: { jsonrpc: '2.0', method, params: { cwd: 5 } } }],
      times: 1000,
    }));
    const replay = [...said, { update: update.agent('hello') }];
    const seen = await connect(startAgent({ replays: { '*': replay } }));
    let changes = 0;
    seen.connection.onListChanged(() => changes++);
    await seen.connection.loadSession(target);
    assert.equal(changes, 2000);
    assert.deepEqual(seen.texts(), ['hello']);
  });
});
