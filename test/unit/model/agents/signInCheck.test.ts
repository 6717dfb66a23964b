import assert from 'node:assert/strict';
import { showsToWork } from '../../../../src/model/agents/signInCheck';
import { AcpError } from '../../../../src/protocol/errors';
import { allCapabilities, FakeConnection } from '../fakes';

describe('what follows a login', () => {
  const signal = new AbortController().signal;

  function listing(list: FakeConnection['list']): FakeConnection {
    const connection = new FakeConnection();
    connection.list = list;
    return connection;
  }

  it('AUTH-4: shows that it works when the agent lists then', async () => {
    const connection = listing(() => ({ sessions: [] }));
    assert.equal(await showsToWork(connection, '/w', signal), true);
    assert.deepEqual(connection.queries, [{ cwd: '/w' }]);
  });

  it('AUTH-13: a login that was taken and doesn’t work is a refusal, in the agent’s words', async () => {
    const error = new AcpError('authRequired', 'No key.', { rpcCode: -32000 });
    const connection = listing(() => Promise.reject(error));
    await assert.rejects(showsToWork(connection, undefined, signal), error);
  });

  it('AUTH-4: says nothing where the agent can’t list, or fails for another reason', async () => {
    const unable = new FakeConnection();
    unable.capabilities = { ...allCapabilities, list: false };
    assert.equal(await showsToWork(unable, '/w', signal), false);
    assert.deepEqual(unable.queries, []);
    const failing = listing(() => Promise.reject(new AcpError('timeout', 'x')));
    assert.equal(await showsToWork(failing, '/w', signal), false);
  });
});
