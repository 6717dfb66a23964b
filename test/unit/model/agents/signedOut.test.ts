import assert from 'node:assert/strict';
import { readPrintedLine } from '../../../../src/model/agents/printedLine';
import { describeFailure } from '../../../../src/model/failures/failures';
import type { AgentConnection } from '../../../../src/protocol/agentConnection';
import { signedOut } from '../../../fakeAgent/signedOut';
import { until } from '../../../support/until';
import { connect, endAgents, type Seen, startAgent, target } from '../../protocol/peer';

type Ask = (connection: AgentConnection) => Promise<unknown>;

const list: Ask = (connection) => connection.listSessions({});
const open: Ask = (connection) => connection.newSession(target);
const prompt: Ask = (connection) =>
  connection.prompt('session-1', [{ type: 'text', text: 'Water the ferns' }]);
const authenticate =
  (id: string): Ask =>
  (connection) =>
    connection.authenticate(id);

/** The login methods that each agent offers, in its order. */
const offered = {
  claude: ['terminal', 'terminal'],
  codex: ['apiKey', 'agent', 'agent'],
  copilot: ['terminal'],
  gemini: ['agent', 'apiKey', 'agent', 'agent'],
  qwen: ['terminal'],
};

const required = 'Authentication required';
const qwen =
  "Authentication required: Authentication failed: Missing key for openai auth. Current model: 'fern-3-max', baseUrl: '(default)'. Provide a key by the settings (garden.auth.key), or set the environment variable 'OPENAI_API_KEY'.";

/** The request that each agent refuses, and the error. */
const refusals: readonly (readonly [string, Ask, code: string, said: string])[] = [
  ['claude: a prompt', prompt, 'authRequired', required],
  ['codex: the list', list, 'authRequired', required],
  ['codex: a new session', open, 'authRequired', required],
  [
    'codex: a login without a key',
    authenticate('api-key'),
    'protocol',
    'Internal error: GARDEN_KEY or GATE_KEY is not set',
  ],
  ['copilot: a new session', open, 'authRequired', required],
  [
    'gemini: a new session',
    open,
    'authRequired',
    'The key of the garden is missing or not configured.',
  ],
  ['qwen: a new session', open, 'authRequired', qwen],
];

describe('real agents without a login', () => {
  afterEach(endAgents);

  function start(agent: string): Promise<Seen> {
    return connect(startAgent(signedOut(agent)), { authTerminal: true });
  }

  for (const [agent, types] of Object.entries(offered)) {
    it(`AUTH-1, AUTH-9, AUTH-14: ${agent}: all its ways to log in are offered`, async () => {
      const { connection } = await start(agent);
      const { authMethods } = connection;
      assert.deepEqual(
        authMethods.map(({ type }) => type),
        types,
      );
      assert.ok(authMethods.every(({ name, description }) => name && description));
    });
  }

  for (const [what, ask, code, said] of refusals) {
    it(`ER-4, AUTH-4: ${what} is refused in the agent’s own words`, async () => {
      const { connection } = await start(what.split(':')[0] ?? '');
      const error: unknown = await ask(connection).then(
        () => assert.fail('it was accepted'),
        (reason: unknown) => reason,
      );
      const failure = describeFailure(error, 'The agent');
      assert.deepEqual([failure.code, failure.said], [code, said]);
      assert.ok(failure.detail.includes(said), failure.detail);
      assert.equal(failure.actions.includes('signIn'), code === 'authRequired');
    });
  }

  it('AUTH-13: gemini: a login without a key is taken, and says nothing of whether it works', async () => {
    const { connection } = await start('gemini');
    await connection.authenticate('gemini-api-key');
  });

  it('TR-7, EX-5: claude: notifications of its own and lines of a login between its messages disturb nothing', async () => {
    const { connection, log } = await start('claude');
    const printed: string[] = [];
    connection.onPrint((line) => printed.push(line));
    assert.deepEqual(await connection.listSessions({}), { sessions: [] });
    const { sessionId, modes } = await connection.newSession(target);
    assert.deepEqual([sessionId, modes?.currentModeId], ['session-1', 'default']);
    await until(() => printed.length === 2);
    assert.deepEqual(
      printed.map((line) => readPrintedLine(line).words),
      [
        'Opening browser to sign in…',
        "If the browser didn't open, visit: https://login.example/garden/oauth/authorize?…",
      ],
    );
    const { address = '' } = readPrintedLine(printed[1] ?? '');
    assert.ok(printed[1]?.endsWith(address), 'whole, as it was encoded');
    assert.equal(new URL(address).searchParams.get('state'), 'gate-state-456');
    assert.match(log.lines.join('\n'), /Opening browser/);
    assert.doesNotMatch(log.lines.join('\n'), /gate-(challenge|state)/, 'no secret in the log');
  });
});
