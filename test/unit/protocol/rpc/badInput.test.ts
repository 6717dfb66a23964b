import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AcpError } from '../../../../src/protocol/errors';
import { spawnAgent } from '../../../../src/protocol/transport/stdio';
import {
  fakeAgent,
  type Json,
  type Scenario,
  type Step,
  update,
} from '../../../fakeAgent/scenario';
import { isRunning, pidIn } from '../../../support/processes';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import { connect, endAgents, type Seen, startAgent, target } from '../peer';
import { updateKinds } from '../v1/updateKinds';

const hello = { update: update.agent('hello') } as const;
const bye = { update: update.agent('bye') } as const;

/** The kinds of update that have a required field. */
const breakable = updateKinds.filter((kind) => kind !== 'session_info_update');
/** An update of every such kind, with all fields invalid. */
const brokenUpdates: readonly Json[] = breakable.map((sessionUpdate) => ({
  sessionUpdate,
  content: 5,
  toolCallId: {},
  entries: 'x',
  availableCommands: null,
  currentModeId: [],
  configOptions: 'x',
  used: '1',
  size: null,
  title: '',
  compactionId: 7,
}));

describe('bad input from the fake agent', function () {
  this.timeout(60_000);
  afterEach(endAgents);
  after(removeTemporary);

  const rowOne = { sessionId: 's1', cwd: '/w', title: 'One' };

  function started(scenario: Scenario): Promise<Seen> {
    return connect(startAgent({ sessions: [rowOne], ...scenario }, { graceMs: 300 }));
  }

  /** Loads a session with this replay, and checks that the agent still works. */
  async function load(...steps: Step[]): Promise<Seen> {
    const seen = await started({ replays: { '*': steps } });
    await seen.connection.loadSession(target);
    const { sessions } = await seen.connection.listSessions({ cwd: '/w' });
    assert.equal(sessions[0]?.title, 'One');
    return seen;
  }

  it('TR-7, T-30: noise between messages is logged, not answered, and loses nothing', async () => {
    const record = temporaryFile('noise.record');
    const noise = [
      'Listening…',
      '',
      '  ',
      'null',
      '17',
      '"text"',
      'true',
      '[]',
      '{}',
      '{"level":"info"}',
      '{"jsonrpc":"2.0"}',
      '{ "pretty":',
      '}',
    ];
    const steps = noise.map((line) => ({ line }));
    const seen = await started({ record, replays: { '*': [hello, ...steps, bye] } });
    await seen.connection.loadSession(target);
    assert.deepEqual(seen.texts(), ['hello', 'bye']);
    assert.equal(seen.log.lines.length, 11);
    await seen.connection.listSessions({});
    const methods = fs
      .readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { method?: string }).method);
    assert.deepEqual(methods, ['initialize', 'session/load', 'session/list']);
  });

  it('TR-10: arrays of messages are noise, whole', async () => {
    const batch = [
      {
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 's1', update: update.agent('x') },
      },
    ];
    assert.deepEqual((await load({ send: batch }, bye)).texts(), ['bye']);
  });

  it('T-30: an ANSI banner before the first message, also on the same line', async () => {
    const banner = '\u001b[1m\u001b[35m** Agent 1.0 **\u001b[0m\r\n\u001b]0;agent\u0007\u001b[?25l';
    const seen = await started({ start: [{ raw: banner }] });
    assert.equal(seen.connection.info.title, 'Fake Agent');
    assert.ok(!seen.log.lines.join().includes('\u001b'));
  });

  it('T-30: nothing but noise ends with a clear reason', async () => {
    const program = 'setInterval(() => console.log("working on it\\n".repeat(100)), 1)';
    const transport = spawnAgent({
      command: process.execPath,
      args: ['-e', program],
      graceMs: 100,
    });
    await assert.rejects(connect(transport), (error) => {
      assert.ok(error instanceof AcpError);
      assert.equal(error.code, 'malformed');
      assert.match(error.message, /working on it/);
      return true;
    });
    await transport.close();
  });

  it('half a line, then exit: what came before counts, the rest is refused with the reason', async () => {
    const seen = await started({
      replays: {
        '*': [
          hello,
          { raw: '{"jsonrpc":"2.0","method":"session/upd' },
          { stderr: 'crash\n' },
          { exit: 9 },
        ],
      },
    });
    const closed = new Promise<AcpError>((resolve) => seen.connection.onClosed(resolve));
    await assert.rejects(
      seen.connection.loadSession(target),
      (error) => error instanceof AcpError && error.code === 'exited',
    );
    assert.deepEqual(seen.texts(), ['hello']);
    assert.deepEqual((await closed).facts, {
      exit: 'exit code 9',
      stderr: ['crash'],
      subject: process.execPath,
    });
  });

  it('an unterminated last line counts', async () => {
    const last = JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's1', update: update.agent('last') },
    });
    const seen = await started({ replays: { '*': [hello, { raw: last }, { exit: 0 }] } });
    await assert.rejects(seen.connection.loadSession(target));
    assert.deepEqual(seen.texts(), ['hello', 'last']);
  });

  it('SDK-10: a line of 64 MB leaves a placeholder in its place, and the connection lives', async () => {
    const seen = await load(hello, { bigLine: 64 * 1024 * 1024 }, bye);
    assert.deepEqual(seen.texts(), ['hello', '[unknown]', 'bye']);
    assert.deepEqual(seen.updates[1]?.update, {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'unknown', label: '64 MB, too large to show' },
    });
    assert.match(seen.log.lines.join(), /64 MB was dropped/);
  });

  it('SDK-10: 64 MB of noise are reported', async () => {
    const seen = await load(hello, { bigLine: 64 * 1024 * 1024, noise: true }, bye);
    assert.deepEqual(seen.texts(), ['hello', 'bye']);
    assert.match(seen.log.lines.join(), /64 MB was dropped: a+… \(4096 characters\)/);
  });

  it('SDK-10: an answer that is too large is refused, and its call doesn’t stay pending', async () => {
    const sessions = [{ sessionId: 'x'.repeat(5000), cwd: '/w' }];
    const transport = startAgent({
      on: { 'session/list': [[{ result: { sessions } }], [{ result: {} }]] },
    });
    const { connection } = await connect(transport, { maxMessageBytes: 4500 });
    await assert.rejects(
      connection.listSessions({}),
      (error) => error instanceof AcpError && error.code === 'malformed',
    );
    assert.deepEqual(await connection.listSessions({}), { sessions: [] });
  });

  it('a line of half a megabyte is nothing special', async () => {
    const seen = await load({ bigLine: 559_000 }, bye);
    assert.equal(seen.texts()[0]?.length, 559_000);
  });

  it('invalid UTF-8 is shown as far as it goes', async () => {
    const line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a?b"}}}}\n`;
    const bytes = Buffer.from(line);
    bytes[line.indexOf('?')] = 0xff;
    assert.deepEqual((await load({ base64: bytes.toString('base64') }, bye)).texts(), [
      'a\ufffdb',
      'bye',
    ]);
  });

  it('CRLF and a byte order mark', async () => {
    const message = JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's1', update: update.agent('x') },
    });
    assert.deepEqual((await load({ raw: `${message}\r\n\ufeff${message}\r\n` })).texts(), [
      'x',
      'x',
    ]);
  });

  it('UP-3: updates of an unknown kind are one entry, and in the log once and counted', async () => {
    const odd = { update: { sessionUpdate: 'future', plan: 'precious' } };
    const seen = await load(hello, ...Array<Step>(20).fill(odd), bye);
    assert.deepEqual(seen.texts(), ['hello', 'bye']);
    const unknown = seen.updates.filter(
      ({ update }) => update.sessionUpdate === '_acp_sessions_unknown',
    );
    assert.equal(unknown.length, 20);
    assert.equal(seen.log.lines.length, 2);
    assert.match(seen.log.lines[0] ?? '', /unknown kind "future": .*precious/);
    assert.match(seen.log.lines[1] ?? '', /10 times/);
  });

  for (const kind of ['_vendor', '', 7] as const) {
    it(`UP-3: kind ${JSON.stringify(kind)} is logged once and counted; what follows is shown`, async () => {
      const odd = { update: { sessionUpdate: kind, plan: 'precious' } };
      const seen = await load(hello, ...Array<Step>(20).fill(odd), bye);
      assert.deepEqual(seen.texts(), ['hello', 'bye']);
      assert.equal(seen.log.lines.length, 2);
      assert.match(seen.log.lines[0] ?? '', /precious/);
      assert.match(seen.log.lines[1] ?? '', /10 times/);
    });
  }

  it('UP-3: malformed fields in every kind of update lose that update only, and each says why once', async () => {
    const steps = brokenUpdates.flatMap((broken) => [{ update: broken }, { update: broken }]);
    const seen = await load(hello, ...steps, bye);
    assert.deepEqual(seen.texts(), ['hello', 'bye']);
    assert.equal(seen.log.lines.length, brokenUpdates.length);
  });

  it('UP-3: updates without a session, and malformed updates', async () => {
    const params = [
      null,
      {},
      { sessionId: 5, update: {} },
      { sessionId: 's1' },
      { sessionId: 's1', update: [] },
    ];
    const seen = await load(
      hello,
      ...params.map((one) => ({ send: { jsonrpc: '2.0', method: 'session/update', params: one } })),
      bye,
    );
    assert.deepEqual(seen.texts(), ['hello', 'bye']);
  });

  it('LIST-19: sessions: [null, {…}]', async () => {
    const sessions = [null, { sessionId: 5 }, rowOne];
    const seen = await started({ on: { 'session/list': [{ result: { sessions } }] } });
    const page = await seen.connection.listSessions({ cwd: '/w' });
    assert.deepEqual(
      page.sessions.map((row) => row.sessionId),
      ['s1'],
    );
  });

  it('LIST-9, T-3: a numeric cursor is ignored, a repeated one is passed on unchanged', async () => {
    const on = {
      'session/list': [
        [{ result: { sessions: [], nextCursor: 7 } }],
        [{ result: { sessions: [], nextCursor: 'same' } }],
      ],
    };
    const { connection } = await started({ on });
    assert.equal((await connection.listSessions({})).nextCursor, undefined);
    assert.equal((await connection.listSessions({})).nextCursor, 'same');
    assert.equal((await connection.listSessions({ cursor: 'same' })).nextCursor, 'same');
  });

  it('T-6, NEW-4: long ids and titles with any characters come through as they are', async () => {
    const title = `x\n\u0007\u202e$(bug) ${'y'.repeat(4_000)}`;
    const sessionId = `/ ${'日'.repeat(4000)}`;
    const { connection } = await started({
      sessions: [{ sessionId, cwd: '/w', title, updatedAt: 'yesterday' }],
    });
    const [row] = (await connection.listSessions({ cwd: '/w' })).sessions;
    assert.deepEqual(row, {
      sessionId,
      cwd: '/w',
      additionalDirectories: [],
      title,
      updatedAt: 'yesterday',
    });
  });

  it('NEW-8, T-9, T-19: updates before and after an answer, for this session and for others', async () => {
    const scenario: Scenario = {
      start: [{ update: update.agent('too early'), sessionId: 's1' }],
      on: {
        'session/load': [
          hello,
          { update: update.agent('foreign'), sessionId: 'other' },
          { result: {} },
          bye,
        ],
      },
    };
    const seen = await started(scenario);
    await seen.connection.loadSession(target);
    await until(() => seen.texts().includes('bye'));
    assert.deepEqual(
      seen.updates.map((event) => event.sessionId),
      ['s1', 'other', 's1'],
    );
  });

  it('two loads at once', async () => {
    const [first, second] = [temporaryFile('first'), temporaryFile('second')];
    const replays = { a: [{ waitForFile: first }, hello], b: [{ waitForFile: second }, bye] };
    const { connection, updates } = await started({ replays });
    const loads = ['a', 'b'].map((sessionId) => connection.loadSession({ ...target, sessionId }));
    fs.writeFileSync(second, '');
    await loads[1];
    fs.writeFileSync(first, '');
    await loads[0];
    assert.deepEqual(
      updates.map((event) => event.sessionId),
      ['b', 'a'],
    );
  });

  it('T-33: an agent that never answers is given up, and its process ended', async () => {
    const pidFile = temporaryFile('silent.pid');
    const transport = startAgent(
      { pidFile, on: { initialize: [] }, ignoreTerm: true, ignoreStdinEnd: true },
      { graceMs: 200 },
    );
    await assert.rejects(
      connect(transport, { initializeTimeoutMs: 300 }),
      (error) => error instanceof AcpError && error.code === 'timeout',
    );
    await transport.close();
    await until(() => !fs.existsSync(pidFile) || !isRunning(pidIn(pidFile)));
  });

  it('invariant 2: an agent that dies in the middle of a replay', async () => {
    const seen = await started({ replays: { '*': [{ generate: 500 }, { kill: 'SIGKILL' }] } });
    await assert.rejects(
      seen.connection.loadSession(target),
      (error) => error instanceof AcpError && error.facts.exit === 'signal SIGKILL',
    );
    assert.equal(seen.updates.length, 500);
    await assert.rejects(
      seen.connection.listSessions({}),
      (error) => error instanceof AcpError && error.code === 'exited',
    );
  });

  it('LOAD-12: a replay without end can be canceled, and the agent used again', async () => {
    const seen = await started({
      replays: { endless: [{ repeat: [{ generate: 1000 }] }], '*': [bye] },
    });
    const abort = new AbortController();
    const loading = seen.connection.loadSession({ ...target, sessionId: 'endless' }, abort.signal);
    await until(() => seen.updates.length > 2000);
    abort.abort();
    await assert.rejects(
      loading,
      (error) => error instanceof AcpError && error.code === 'cancelled',
    );
    await seen.connection.whenLoadsEnded('endless');
    const count = seen.updates.length;
    await seen.connection.loadSession(target);
    assert.equal(seen.updates.length, count + 1);
  });

  it('TR-6: an agent that floods stderr is still heard, and the log is bounded', async () => {
    const lines: string[] = [];
    const scenario: Scenario = {
      sessions: [rowOne],
      start: [
        { stderr: 'warning: something is odd\n', times: 100_000 },
        { stderrBytes: 5_000_000 },
      ],
    };
    const transport = spawnAgent({ ...fakeAgent(scenario), onStderr: (line) => lines.push(line) });
    const { connection } = await connect(transport);
    assert.equal((await connection.listSessions({ cwd: '/w' })).sessions.length, 1);
    await connection.close();
    assert.ok(lines.length < 20_000, `${lines.length} lines`);
    assert.ok(lines.join('').length < 1_000_000);
  });

  it('ER-2, SDK-9: an agent that answers noise with noise gets no reply to argue with', async () => {
    const record = temporaryFile('pingpong.record');
    const seen = await started({
      record,
      replays: { '*': [{ line: 'oops', times: 500 }, { send: 5 }, hello] },
    });
    await seen.connection.loadSession(target);
    assert.deepEqual(seen.texts(), ['hello']);
    assert.equal(fs.readFileSync(record, 'utf8').trim().split('\n').length, 2);
  });
});
