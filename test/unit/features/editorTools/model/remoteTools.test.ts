import assert from 'node:assert/strict';
import { withoutTools } from '../../../../../src/features/editorTools/model/remoteTools';
import type { Agent } from '../../../../../src/model/agent';
import { allCapabilities, bench, config } from '../../../model/fakes';

const remote = { url: 'wss://build.example/acp', headers: {}, pathMappings: [] };

async function agent(more: Parameters<typeof config>[1], mcpAcp = true): Promise<Agent> {
  const made = bench([], (connection) => {
    connection.capabilities = { ...allCapabilities, mcpAcp };
  });
  made.settings.set(config('far', more));
  const [found] = made.agents.all;
  await found?.connect();
  assert.ok(found);
  return found;
}

describe('why an agent has no tools of the editor', () => {
  it('says what the user can do, or what the agent lacks; nothing if it can have them', async () => {
    assert.deepEqual(withoutTools(await agent({})), []);
    assert.match(withoutTools(await agent({ remote })).join(), /repeat its address/);
    const allowed = { remote, usesEditorTools: true } as const;
    assert.deepEqual(withoutTools(await agent(allowed)), []);
    assert.match(withoutTools(await agent(allowed, false)).join(), /the only way to them/);
  });
});
