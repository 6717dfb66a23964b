import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { withoutSecrets } from '../../../../src/util/secrets/secretText';
import type { Step } from '../../../fakeAgent/scenario';
import { removeTemporary } from '../../../support/temporary';
import { connect, endAgents, startAgent } from '../peer';

/** Starts a program as an agent that runs these steps instead of answering. */
async function failure(...start: readonly Step[]): Promise<{ error: AcpError; told: string[] }> {
  const told: string[] = [];
  const silent = { start, on: { initialize: [] } };
  try {
    await connect(startAgent(silent, { graceMs: 100 }), {
      agentId: 'gemini',
      onNoise: (line) => told.push(line),
      initializeTimeoutMs: 60_000,
    });
  } catch (error) {
    assert.ok(error instanceof AcpError);
    return { error, told };
  }
  assert.fail('it was taken for an agent');
}

describe('a program that isn’t an agent', () => {
  afterEach(endAgents);
  after(removeTemporary);

  it('T-30: is reported with its first line of words, once, long before the time limit', async () => {
    const { error, told } = await failure(
      { line: '╭────────╮' },
      { line: 'Welcome to the chat' },
      { line: 'Type a message' },
      { exit: 1 },
    );
    assert.deepEqual(told, ['Welcome to the chat']);
    assert.equal(error.code, 'exited');
    assert.equal(error.facts.noise, 'Welcome to the chat');
    assert.equal(error.agentId, 'gemini');
  });

  it('TR-6: is reported with its last output besides messages', async () => {
    const { error } = await failure({ stderr: 'Set an API key first\n' }, { exit: 41 });
    assert.deepEqual(error.facts.stderr, ['Set an API key first']);
    assert.equal(error.facts.noise, undefined);
  });

  it('T-35, SEC-59: is quoted without what looks like a secret, and cut', async () => {
    const { error, told } = await failure(
      { line: `key sk-ant-api03-abcdefghijklmnop ${'x'.repeat(5000)}` },
      { stderr: 'Authorization: Bearer abc123def456\n' },
      { exit: 1 },
    );
    assert.ok(!JSON.stringify([told, error.facts]).includes('abcdefghijklmnop'));
    assert.ok(!JSON.stringify(error.facts).includes('abc123def456'));
    assert.ok((told[0]?.length ?? 999) <= 300);
  });

  it('prints what it likes once it has sent a message', async () => {
    const told: string[] = [];
    const { connection } = await connect(
      startAgent({
        on: {
          initialize: [
            { result: { protocolVersion: 1, agentCapabilities: {} } },
            { line: 'Opening your browser' },
          ],
        },
      }),
      { onNoise: (line) => told.push(line) },
    );
    await connection.newSession({ cwd: '/w', additionalDirectories: [], mcpServers: [] });
    assert.deepEqual(told, []);
  });
});

describe('what is repeated of an agent’s words', () => {
  const secrets = [
    'sk-proj-0123456789abcdef',
    'ghp_0123456789abcdefABCDEF',
    'AIzaSyA0123456789abcdef',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig',
  ];
  for (const secret of secrets) {
    it(`T-35: has no ${secret.slice(0, 4)}…`, () => {
      assert.ok(!withoutSecrets(`Incorrect key provided: ${secret}.`).includes(secret));
    });
  }

  it('T-35, SEC-59: has no value of what is called a secret', () => {
    for (const text of ['api_key: hunter22', '{"apiKey": "hunter22"}', 'TOKEN=hunter22']) {
      assert.ok(!withoutSecrets(text).includes('hunter22'), text);
    }
  });

  it('keeps ordinary words', () => {
    const text = 'Error: task-runner-of-this-project failed at src/key-map.ts:12:5, see eyJ';
    assert.equal(withoutSecrets(text), text);
  });
});
