import assert from 'node:assert/strict';
import {
  ProvidedRemoteAgents,
  type RemoteConnectOptions,
} from '../../../../src/model/agents/providedRemoteAgents';
import { describeFailure } from '../../../../src/model/failures/failures';
import type { AgentConnection } from '../../../../src/protocol/agentConnection';

const far = { url: 'wss://far.example:8443/acp', headers: {}, pathMappings: [] };
const options = {} as RemoteConnectOptions;

describe('agents on other machines, which a feature reaches', () => {
  const connection = {} as AgentConnection;
  let isMissing: boolean;
  let loads: number;
  let agents: ProvidedRemoteAgents;
  beforeEach(() => {
    isMissing = false;
    loads = 0;
    agents = new ProvidedRemoteAgents(async () => {
      loads += 1;
      await Promise.resolve();
      if (isMissing) {
        throw new Error('a file is missing');
      }
      agents.provide((remote, given) => {
        assert.deepEqual([remote, given], [far, options]);
        return Promise.resolve(connection);
      });
    });
  });

  it('have the features loaded by a connection that comes before them, once', async () => {
    assert.equal(await agents.connect(far, options), connection);
    assert.equal(await agents.connect(far, options), connection);
    assert.equal(loads, 1);
  });

  it('can’t be reached without the feature: the user reads what that means, and what to do', async () => {
    const none = new ProvidedRemoteAgents(() => Promise.resolve());
    await assert.rejects(none.connect(far, options), (error) => {
      const { title, detail, actions } = describeFailure(error, 'Far');
      assert.equal(title, 'far.example:8443 can’t be reached');
      assert.match(detail, /lacks its part for agents on other machines, so nothing was sent/);
      assert.match(detail, /Try again, or reload the window/);
      assert.ok(actions.includes('retry') && actions.includes('showLog'));
      return true;
    });
  });

  it('can’t be reached if the features can’t be loaded, which the log says; the next attempt loads them', async () => {
    isMissing = true;
    await assert.rejects(agents.connect(far, options), (error) => {
      assert.match(String(error), /a file is missing/);
      return /can’t be reached/.test(describeFailure(error, 'Far').title);
    });
    isMissing = false;
    assert.equal(await agents.connect(far, options), connection);
  });
});
