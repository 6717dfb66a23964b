import assert from 'node:assert/strict';
import { ProvidedMcpServers } from '../../../../src/model/session/providedMcpServers';
import type { McpServer } from '../../../../src/protocol/agentConnection';

const server: McpServer = {
  type: 'stdio',
  name: 'mine',
  command: '/bin/server',
  args: [],
  env: {},
};
const mine = { servers: (cwd: string) => Promise.resolve(cwd === '/work' ? [server] : []) };

describe('MCP servers that a feature provides', () => {
  it('MCP-1: a session that is opened before has the features loaded, and gets its servers', async () => {
    let loads = 0;
    const servers = new ProvidedMcpServers(async () => {
      loads += 1;
      await Promise.resolve();
      servers.provide(mine);
    });
    assert.deepEqual(await servers.servers('/work'), [server]);
    assert.deepEqual(await servers.servers('/work'), [server]);
    assert.equal(loads, 1);
  });

  it('MCP-1: there are none without the feature', async () => {
    const servers = new ProvidedMcpServers(() => Promise.resolve());
    assert.deepEqual(await servers.servers('/work'), []);
  });

  it('MCP-1: a session isn’t opened without them if they can’t be loaded; the next attempt loads them', async () => {
    let isMissing = true;
    const servers = new ProvidedMcpServers(() => {
      if (isMissing) {
        return Promise.reject(new Error('a file is missing'));
      }
      servers.provide(mine);
      return Promise.resolve();
    });
    await assert.rejects(servers.servers('/work'), /a file is missing/);
    isMissing = false;
    assert.deepEqual(await servers.servers('/work'), [server]);
  });
});
