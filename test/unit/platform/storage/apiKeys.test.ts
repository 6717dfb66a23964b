import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ProvidedRemoteAgents } from '../../../../src/model/agents/providedRemoteAgents';
import type { AgentConfig } from '../../../../src/model/ports';
import { connector } from '../../../../src/platform/connector';
import { PackageStarts } from '../../../../src/platform/packageStarts';
import { ApiKeys } from '../../../../src/platform/storage/apiKeys';
import type { AgentRequests } from '../../../../src/protocol/agentRequests';
import { AcpError } from '../../../../src/protocol/errors';
import { startProcess } from '../../../../src/util/process/startProcess';
import { HeldSecrets } from '../../../../src/util/secrets/heldSecrets';
import { fakeAgent, type Scenario } from '../../../fakeAgent/scenario';
import { temporaryFile } from '../../../support/temporary';

const key = 'sk-very-secret-1';

describe('keys to log in with', () => {
  let secrets: Map<string, string>;
  let logged: string[];
  let keys: ApiKeys;

  const write = (text: string): void => {
    logged.push(text);
  };
  const log = { error: write, warn: write, info: write, debug: write, trace: write };

  beforeEach(() => {
    secrets = new Map();
    logged = [];
    const storage = {
      get: (name: string) => Promise.resolve(secrets.get(name)),
      store: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
      delete: (name: string) => Promise.resolve(void secrets.delete(name)),
      keys: () => Promise.resolve([...secrets.keys()]),
    };
    keys = new ApiKeys(storage, log);
  });

  const agent = (scenario: Scenario = {}): AgentConfig => ({
    id: 'a',
    title: 'A',
    cwd: undefined,
    ...fakeAgent(scenario),
  });

  it('are kept in the secret storage, and given to the agent that they are for', async () => {
    const config = agent();
    await keys.store(config, 'OPENAI_API_KEY', key);
    assert.deepEqual([...secrets.keys()], ['acpSessions.apiKey.a.OPENAI_API_KEY']);
    assert.deepEqual(await keys.getEnvironment(config), { OPENAI_API_KEY: key });
    assert.deepEqual(await keys.getEnvironment({ ...config, id: 'b' }), {});
  });

  it('SEC-57: are not given to what a workspace starts in their agent’s place', async () => {
    const config = agent();
    await keys.store(config, 'OPENAI_API_KEY', key);
    const others = [
      { ...config, command: './evil' },
      { ...config, args: ['evil'] },
      { ...config, env: { ...config.env, OPENAI_BASE_URL: 'https://evil.example' } },
      { ...config, cwd: '/evil' },
    ];
    for (const other of others) {
      assert.deepEqual(await keys.getEnvironment(other), {});
    }
    assert.equal(logged.length, others.length, 'and the log says so');
    assert.ok(!logged.join().includes(key));
  });

  it('are forgotten: one of them, or all of an agent’s', async () => {
    const config = agent();
    const other = { ...config, id: 'b' };
    await keys.store(config, 'OPENAI_API_KEY', key);
    await keys.store(config, 'GEMINI_API_KEY', key);
    await keys.store(other, 'GEMINI_API_KEY', key);
    assert.equal(await keys.forget('a', ['OPENAI_API_KEY']), true);
    assert.deepEqual(await keys.getEnvironment(config), { GEMINI_API_KEY: key });
    assert.equal(await keys.forget('a'), true);
    assert.equal(await keys.forget('a'), false);
    assert.deepEqual(await keys.getEnvironment(config), {});
    assert.deepEqual(await keys.getEnvironment(other), { GEMINI_API_KEY: key });
  });

  it('leave an agent startable when the storage is broken', async () => {
    const locked = (): Promise<never> => Promise.reject(new Error('locked'));
    const unable = new ApiKeys({ get: locked, store: locked, delete: locked, keys: locked }, log);
    assert.deepEqual(await unable.getEnvironment(agent()), {});
    assert.match(logged.join(), /can't be read/);
    secrets.set('acpSessions.apiKey.a.OPENAI_API_KEY', '{broken');
    assert.deepEqual(await keys.getEnvironment(agent()), {});
  });

  describe('of an agent that runs', () => {
    /**
     * Accepts every login, refuses sessions without a key, and echoes the key that it was given.
     */
    const gemini: Scenario = {
      initialize: {
        authMethods: [{ id: 'k', name: 'K', _meta: { 'api-key': { provider: 'google' } } }],
      },
      start: [{ stderr: `my key is ${key}\n` }],
      on: {
        authenticate: [
          { line: `Checking ${key} at https://a.example/?state=gate-state` },
          { stderr: 'Or visit https://a.example/?code=gate-code\n' },
          { result: {} },
        ],
        'session/new': [
          {
            withoutVariable: 'GEMINI_API_KEY',
            steps: [{ error: { code: -32000, message: 'Gemini API key is missing.' } }],
          },
          { result: { sessionId: 'n1', _meta: { repeated: key }, [key]: key } },
        ],
      },
    };

    async function openSession(config: AgentConfig): Promise<string> {
      const connect = connector(
        { extension: { packageJSON: { version: '1' } } } as vscode.ExtensionContext,
        {
          workspace: { folders: [] },
          openElsewhere: new Map(),
          held: new HeldSecrets(),
          log: { component: () => log },
          traffic: { of: () => ({ enabled: true, write: (_, text) => write(text), note: write }) },
          keys,
          packageStarts: new PackageStarts(temporaryFile('storage')),
          programs: { start: startProcess },
          taps: new Map(),
          remoteAgents: new ProvidedRemoteAgents(() => Promise.resolve()),
        },
      );
      const requests = Object.create(null) as AgentRequests;
      const connection = await connect(config, requests, new AbortController().signal, {});
      try {
        await connection.authenticate('k');
        const place = { cwd: '/', additionalDirectories: [], mcpServers: [] };
        return (await connection.newSession(place)).sessionId;
      } finally {
        await connection.close();
      }
    }

    it('are in its environment once it is started anew, until they are forgotten', async () => {
      const config = agent(gemini);
      const refusal = { code: 'authRequired', message: 'Gemini API key is missing.' };
      await assert.rejects(openSession(config), refusal);
      await keys.store(config, 'GEMINI_API_KEY', key);
      assert.equal(await openSession(config), 'n1');
      await keys.forget('a');
      await assert.rejects(openSession(config), AcpError);
    });

    it('SEC-57: never get into a log, even when the agent repeats them', async () => {
      const config = agent(gemini);
      await keys.store(config, 'GEMINI_API_KEY', key);
      await openSession(config);
      assert.match(logged.join('\n'), /my key is ‹hidden›/);
      assert.match(logged.join('\n'), /session\/new/);
      assert.match(
        logged.join('\n'),
        /Checking ‹hidden› at https:\/\/a\.example\/\?state=‹hidden›/,
      );
      assert.ok(!logged.join().includes(key));
      assert.ok(!logged.join().includes('gate-'), 'nor what signs in');
    });

    it('stand back behind the settings’ own', async () => {
      const config = agent(gemini);
      const own = { ...config, env: { ...config.env, GEMINI_API_KEY: '' } };
      await keys.store(own, 'GEMINI_API_KEY', key);
      await assert.rejects(openSession(own), AcpError);
    });
  });
});
