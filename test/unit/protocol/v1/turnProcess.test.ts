import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { AgentRequests } from '../../../../src/protocol/agentRequests';
import { AcpError } from '../../../../src/protocol/errors';
import { ableInitialize, type Scenario, type Step, update } from '../../../fakeAgent/scenario';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import {
  connect,
  endAgents,
  type Raw,
  rejectsWith,
  requestsWith,
  type Seen,
  startAgent,
} from '../peer';

const hello = [{ type: 'text', text: 'hello' }] as const;
const done: Step = { result: { stopReason: 'end_turn' } };
const said: Step = {
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '$answerText' } },
};
const scope = { sessionId: '$sessionId' };
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
const permission = { ...scope, toolCall: { toolCallId: 't' }, options };

const asks: Readonly<Record<string, { readonly request: string; readonly params: Raw }>> = {
  permission: { request: 'session/request_permission', params: permission },
  terminal: { request: 'terminal/wait_for_exit', params: { ...scope, terminalId: 't1' } },
  elicitation: {
    request: 'elicitation/create',
    params: { ...scope, mode: 'form', message: 'Who?', requestedSchema: {} },
  },
  write: { request: 'fs/write_text_file', params: { ...scope, path: '/w/a', content: 'x' } },
  read: { request: 'fs/read_text_file', params: { ...scope, path: '/w/a' } },
};

/** Never answers, and records the abort signals of the requests. */
function deaf(): { readonly requests: AgentRequests; readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const wait = (_: unknown, signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const requests = requestsWith({
    requestPermission: wait,
    waitForTerminalExit: wait,
    elicit: wait,
    writeTextFile: wait,
    readTextFile: wait,
  });
  return { requests, signals };
}

describe('turns of the fake agent', function () {
  this.timeout(60_000);
  afterEach(endAgents);
  after(removeTemporary);

  function started(scenario: Scenario, requests?: AgentRequests): Promise<Seen> {
    const transport = startAgent({ initialize: ableInitialize, ...scenario }, { graceMs: 300 });
    return connect(transport, requests && { requests });
  }

  const turn = (...steps: readonly Step[]): Scenario => ({ on: { 'session/prompt': steps } });

  /** The messages that the agent received, one per line of the file. */
  function received(file: string): Raw[] {
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Raw);
  }

  it('PR-6, NEW-2: a session, a turn, and another one in the same session', async () => {
    const { connection, texts } = await started({});
    const { sessionId } = await connection.newSession({
      cwd: '/w',
      additionalDirectories: [],
      mcpServers: [],
    });
    assert.equal(await connection.prompt(sessionId, hello), 'end_turn');
    assert.equal(await connection.prompt(sessionId, hello), 'end_turn');
    assert.deepEqual(texts(), ['Done.', 'Done.']);
  });

  it('MCP-5: a server that the agent can’t start is its own affair', async () => {
    const sorry: Step = { update: update.agent('“files” did not start'), sessionId: 'n' };
    const opened: Step = { result: { sessionId: 'n' } };
    const { connection, texts } = await started({ on: { 'session/new': [opened, sorry] } });
    const server = { type: 'stdio', name: 'files', command: '/none', args: [], env: {} } as const;
    const place = { cwd: '/w', additionalDirectories: [], mcpServers: [server] };
    const { sessionId } = await connection.newSession(place);
    assert.equal(await connection.prompt(sessionId, hello), 'end_turn');
    assert.deepEqual(texts(), ['“files” did not start', 'Done.']);
  });

  it('CF-8, CF-9, LOAD-6: options are read, set and come back complete', async () => {
    const configOptions = [{ id: 'f', name: 'F', type: 'boolean', currentValue: false }];
    const replays = { '*': [] };
    const { connection } = await started({ setup: { configOptions }, replays });
    const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
    const off = { configOptions: [{ id: 'f', name: 'F', type: 'boolean', value: false }] };
    assert.deepEqual(await connection.loadSession({ sessionId: 's1', ...place }), off);
    assert.deepEqual(await connection.setConfigOption('s1', 'f', true), [
      { id: 'f', name: 'F', type: 'boolean', value: true },
    ]);
  });

  it('PE-3: a permission in the middle of a turn, and what the agent got', async () => {
    const requests = requestsWith({
      requestPermission: ({ sessionId }) =>
        Promise.resolve(sessionId === 's1' ? { optionId: 'yes' } : undefined),
    });
    const steps = [{ ...asks['permission'], wait: true } as Step, said, done];
    const { connection, texts } = await started(turn(...steps), requests);
    await connection.prompt('s1', hello);
    await connection.prompt('s2', hello);
    assert.deepEqual(texts(), [
      '{"outcome":{"outcome":"selected","optionId":"yes"}}',
      '{"outcome":{"outcome":"cancelled"}}',
    ]);
  });

  it('TE-2, TE-6: a terminal from its start to its release', async () => {
    const released: unknown[] = [];
    const requests = requestsWith({
      createTerminal: () => Promise.resolve('term 1'),
      releaseTerminal: (ref) => {
        released.push(ref);
        return Promise.resolve();
      },
    });
    const steps: Step[] = [
      { request: 'terminal/create', params: { ...scope, command: 'ls' }, wait: true },
      {
        request: 'terminal/release',
        params: { ...scope, terminalId: '$answer.terminalId' },
        wait: true,
      },
      done,
    ];
    const { connection } = await started(turn(...steps), requests);
    await connection.prompt('s1', hello);
    assert.deepEqual(released, [{ sessionId: 's1', terminalId: 'term 1' }]);
  });

  it('CA-1: a cancel ends the turn, and is one notification on the wire', async () => {
    const record = temporaryFile('cancel.record');
    const scenario = turn({ update: update.agent('working') }, { waitForFile: '/nowhere' }, done);
    const { connection, texts } = await started({ record, ...scenario });
    const prompt = connection.prompt('s1', hello);
    await until(() => texts().length === 1);
    connection.cancel('s1');
    assert.equal(await prompt, 'cancelled');
    assert.deepEqual(received(record).at(-1), {
      jsonrpc: '2.0',
      method: 'session/cancel',
      params: { sessionId: 's1' },
    });
  });

  it('CA-11: an agent that ignores the cancellation is still heard until it is ended', async () => {
    const scenario = turn({ waitForCancel: true }, { update: update.agent('not yet') });
    const { connection, texts } = await started(scenario);
    const prompt = connection.prompt('s1', hello);
    connection.cancel('s1');
    await until(() => texts().length === 1);
    const settled = rejectsWith(prompt, 'cancelled');
    await connection.close();
    await settled;
  });

  it('CA-5: an error instead of canceled is reported by its code', async () => {
    const aborted: Step = { error: { code: -32603, message: 'aborted' } };
    const { connection } = await started(turn({ waitForCancel: true }, aborted));
    const prompt = connection.prompt('s1', hello);
    connection.cancel('s1');
    await rejectsWith(prompt, 'rpc');
  });

  it('PR-6: a prompt that is answered twice has the first answer', async () => {
    const again: Step = {
      send: { jsonrpc: '2.0', id: '$id', result: { stopReason: 'refusal' } },
    };
    const { connection, log } = await started(turn(done, again));
    assert.equal(await connection.prompt('s1', hello), 'end_turn');
    await until(() => log.lines.length > 0);
    assert.equal(await connection.prompt('s1', hello), 'end_turn');
  });

  it('PR-9: an agent that dies in a turn ends it with the reason, after its last words', async () => {
    const scenario = turn({ update: update.agent('half') }, { stderr: 'boom\n' }, { exit: 7 });
    const { connection, texts } = await started(scenario);
    const prompt = connection.prompt('s1', hello);
    await assert.rejects(
      prompt,
      (error) => error instanceof AcpError && error.facts.exit === 'exit code 7',
    );
    assert.deepEqual(texts(), ['half']);
    await rejectsWith(connection.prompt('s1', hello), 'exited');
  });

  for (const [name, ask] of Object.entries(asks)) {
    it(`PR-9, PE-4, TE-8: an agent that dies while it waits for a ${name} takes its request along`, async () => {
      const file = temporaryFile(`die-${name}`);
      const { requests, signals } = deaf();
      const steps = [ask as Step, { waitForFile: file }, { kill: 'SIGKILL' } as const];
      const { connection } = await started(turn(...steps), requests);
      const settled = rejectsWith(connection.prompt('s1', hello), 'exited');
      await until(() => signals.length === 1);
      fs.writeFileSync(file, '');
      await settled;
      await until(() => signals[0]?.aborted === true);
    });

    it(`CA-6, CA-7: a ${name} that is taken back is answered, and the turn goes on`, async () => {
      const { requests, signals } = deaf();
      const cancel = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'r1' } };
      const steps: Step[] = [
        { ...ask, requestId: 'r1' } as Step,
        { send: cancel },
        { waitForAnswer: 'r1' },
        said,
        done,
      ];
      const { connection, texts } = await started(turn(...steps), requests);
      assert.equal(await connection.prompt('s1', hello), 'end_turn');
      assert.ok(signals.every((signal) => signal.aborted));
      assert.match(texts()[0] ?? '', name === 'permission' ? /"cancelled"/ : /-32800/);
    });
  }
});
