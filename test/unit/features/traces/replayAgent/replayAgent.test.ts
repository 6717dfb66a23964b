import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { openTrace } from '../../../../../src/features/traces/model/openedTrace';
import { ReplayAgent } from '../../../../../src/features/traces/replayAgent/replayAgent';
import type { Transport } from '../../../../../src/protocol/agentTransport';
import { AcpError } from '../../../../../src/protocol/errors';
import { TraceRecorder } from '../../../../../src/protocol/trace/traceRecorder';
import { spawnAgent } from '../../../../../src/protocol/transport/stdio';
import { versionsOf } from '../../../../../src/protocol/versions';
import { ableInitialize, type Scenario, update } from '../../../../fakeAgent/scenario';
import { inMemoryTransports } from '../../../../support/inMemoryTransport';
import { inProject } from '../../../../support/project';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { until } from '../../../../support/until';
import { folder } from '../../../model/fakes';
import { sessionsBench, texts as textsOf } from '../../../model/sessionBench';
import { connect, endAgents, rejectsWith, type Seen, startAgent } from '../../../protocol/peer';
import { header, MemoryFile, TraceText } from '../../../protocol/trace/traceBench';

const here = { cwd: folder.path, additionalDirectories: [], mcpServers: [] };

describe('replaying a trace', () => {
  const replays: Transport[] = [];
  const served: Promise<void>[] = [];
  let files = 0;
  afterEach(async () => {
    await Promise.all(replays.splice(0).map((replay) => replay.close()));
    await Promise.all(served.splice(0));
    await endAgents();
  });
  after(removeTemporary);

  function fileWith(text: string): string {
    const file = temporaryFile(`trace-${files++}.ndjson`);
    writeFileSync(file, text);
    return file;
  }

  /** The agent as the extension starts it, for what only a process does. */
  function start(...args: readonly string[]): Transport {
    const program = inProject('dist/replayAgent.js');
    const replay = spawnAgent({ command: process.execPath, args: [program, ...args] });
    replays.push(replay);
    return replay;
  }

  /** The same agent in this process. */
  function replay(text: string): Transport {
    const [client, own] = inMemoryTransports();
    const [input, output] = [new PassThrough(), new PassThrough()];
    own.onData((bytes) => input.write(bytes));
    own.onEnd(() => input.end());
    output.on('data', (bytes: Buffer) => void own.write(bytes).catch(() => undefined));
    replays.push(client);
    served.push(serve(fileWith(text), input, output));
    return client;
  }

  async function serve(file: string, input: Readable, output: Writable): Promise<void> {
    const opened = await openTrace(file, new AbortController().signal);
    await new ReplayAgent(opened, folder.path, output).serve(input);
    await opened.file.close();
  }

  function replayed(text: string): Promise<Seen> {
    return connect(replay(text));
  }

  /** What an agent and its client say, as it is recorded. */
  async function recorded(
    scenario: Scenario,
    use: (seen: Seen) => Promise<void>,
    texts: 'kept' | 'placeholders' = 'kept',
  ): Promise<string> {
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, { ...header, texts });
    const seen = await connect(startAgent(scenario), {
      tap: (direction, message) => recorder.take(direction, message),
    });
    await use(seen);
    await seen.connection.close();
    await recorder.stop();
    return file.text;
  }

  const scenario: Scenario = {
    initialize: ableInitialize,
    sessions: ['s1', 's2', 's3'].map((sessionId) => ({
      sessionId,
      cwd: folder.path,
      title: `Title ${sessionId}`,
    })),
    pageSize: 2,
    replays: { s1: [{ updates: [update.user('Hello'), update.agent('Hi there')] }] },
    on: {
      'session/prompt': [
        { update: update.user('And now?') },
        { update: update.agent('Now this') },
        { update: update.title('Renamed') },
        { result: { stopReason: 'end_turn' } },
      ],
    },
  };

  async function use({ connection }: Seen): Promise<void> {
    const { nextCursor } = await connection.listSessions({ cwd: folder.path });
    await connection.listSessions({ cwd: folder.path, cursor: nextCursor ?? '' });
    await connection.loadSession({ sessionId: 's1', ...here });
    await connection.prompt('s1', [{ type: 'text', text: 'And now?' }]);
  }

  it('lists and loads as the recorded agent did, with prompts once and the turns after the load', async () => {
    const { connection, texts } = await replayed(await recorded(scenario, use));
    const page = await connection.listSessions({ cwd: folder.path });
    assert.deepEqual(
      page.sessions.map(({ title }) => title),
      ['Renamed', 'Title s2'],
    );
    const { sessions, nextCursor } = await connection.listSessions({
      cwd: folder.path,
      cursor: page.nextCursor ?? '',
    });
    assert.deepEqual(
      sessions.map(({ sessionId }) => sessionId),
      ['s3'],
    );
    assert.equal(nextCursor, undefined);
    await connection.loadSession({ sessionId: 's1', ...here });
    assert.deepEqual(texts(), ['Hello', 'Hi there', 'And now?', 'Now this']);
    await connection.close();
  });

  it('a trace with placeholders has the same sessions, entries and lengths', async () => {
    const text = await recorded(scenario, use, 'placeholders');
    assert.doesNotMatch(text, /Hello|there|now|Title|Renamed/);
    const { connection, texts } = await replayed(text);
    await connection.loadSession({ sessionId: 's1', ...here });
    assert.deepEqual(texts(), ['Xxxxx', 'Xx xxxxx', 'Xxx xxx?', 'Xxx xxxx']);
    await connection.close();
  });

  for (const [step, reason] of [
    [{ result: { stopReason: 'max_tokens' } }, 'max_tokens'],
    [{ result: { stopReason: 'refusal' } }, 'refused'],
    [{ error: { code: -32603, message: 'No luck' } }, 'No luck'],
  ] as const) {
    it(`PR-6: says that a turn has ended with ${reason}`, async () => {
      const on = { 'session/prompt': [{ update: update.agent('So far') }, step] };
      const text = await recorded({ ...scenario, on }, (seen) => use(seen).catch(() => undefined));
      const { connection, updates, texts } = await replayed(text);
      await connection.loadSession({ sessionId: 's1', ...here });
      assert.deepEqual(texts(), ['Hello', 'Hi there', 'And now?', 'So far']);
      assert.deepEqual(updates.at(-1)?.update, {
        sessionUpdate: '_acp_sessions_turn_end',
        stopReason: reason,
      });
      await connection.close();
    });
  }

  it('MO-1, CF-9: has the modes and options of a session as they were at its end', async () => {
    const text = new TraceText();
    const modes = (currentModeId: string) => ({
      currentModeId,
      availableModes: ['ask', 'plan', 'code'].map((id) => ({ id, name: id })),
    });
    const option = (currentValue: string) => ({
      ...{ id: 'model', name: 'Model', type: 'select', currentValue },
      options: ['small', 'large'].map((value) => ({ value, name: value })),
    });
    const mode = (sessionId: string, currentModeId: string) =>
      text.update(sessionId, { sessionUpdate: 'current_mode_update', currentModeId });
    const opened = { modes: modes('ask'), configOptions: [option('small')] };
    text.request('session/load', { sessionId: 's' }, opened, () => {
      text.says('s', 'done');
      mode('s', 'code');
    });
    mode('s', 'plan');
    mode('other', 'code');
    const { connection } = await replayed(text.text);
    const loaded = await connection.loadSession({ sessionId: 's', ...here });
    assert.equal(loaded.modes?.currentModeId, 'plan');
    assert.deepEqual(
      loaded.configOptions?.map(({ id, value }) => [id, value]),
      [['model', 'small']],
    );
    const set = { sessionId: 's', configId: 'model', value: 'large' };
    text.request('session/set_config_option', set, { configOptions: [option('large')] });
    const later = await replayed(text.text);
    const again = await later.connection.loadSession({ sessionId: 's', ...here });
    assert.deepEqual(
      again.configOptions?.map(({ value }) => value),
      ['large'],
    );
    await later.connection.close();
    await connection.close();
  });

  it('is read by the model as an agent whose sessions can only be read', async () => {
    const text = await recorded(scenario, use);
    const bench = sessionsBench(['trace']);
    bench.connect = async () => (await replayed(text)).connection as never;
    const agent = bench.agents.get('trace');
    assert.ok(agent);
    const list = agent.lists.of(folder);
    await list.load();
    assert.deepEqual(
      list.rows.map(({ title }) => title),
      ['Renamed', 'Title s2'],
    );
    await list.loadMore();
    assert.equal(list.rows.length, 3);
    const [row] = list.rows;
    assert.ok(row);
    const session = bench.sessions.open(agent, row.info);
    await session.load();
    assert.equal(session.phase.kind, 'ready');
    assert.deepEqual(textsOf(session), ['Hello', 'Hi there', 'And now?', 'Now this']);
    assert.equal(session.writable.kind, 'no');
    for (const capability of ['delete', 'title', 'archive', 'fork', 'resume', 'prompt'] as const) {
      assert.equal(agent.supports(capability), false, capability);
    }
    await rejectsWith(bench.sessions.create(agent, folder), 'unsupported');
    const unknown = bench.sessions.open(agent, { ...row.info, sessionId: 's2' });
    await unknown.load();
    assert.ok(unknown.phase.kind === 'failed');
    assert.match(unknown.phase.failure.detail, /nothing of this session but its row/);
    await bench.agents.close();
  });

  describe('of version 2', () => {
    /** What the agent answers to these requests, message by message. */
    async function said(
      text: string,
      ...requests: readonly (readonly [string, object])[]
    ): Promise<readonly Record<string, unknown>[]> {
      const transport = replay(text);
      let sent = '';
      transport.onData((bytes) => (sent += Buffer.from(bytes).toString()));
      for (const [id, [method, params]] of requests.entries()) {
        await transport.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        await until(() => sent.includes(`"id":${id},`));
      }
      await transport.close();
      return sent
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    }

    const initialized = (): TraceText =>
      new TraceText().request('initialize', {}, { protocolVersion: 2 });
    const start = { replayFrom: { type: 'start' } };
    const state = (text: TraceText, name: string, more: object = {}, sessionId = 's'): TraceText =>
      text.update(sessionId, { sessionUpdate: 'state_update', state: name, ...more });
    const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'And now?' }] };
    const updatesOf = (messages: readonly Record<string, unknown>[]): readonly unknown[] =>
      messages.flatMap(({ method, params }) =>
        method === 'session/update' ? [(params as { update: unknown }).update] : [],
      );
    const idle = { sessionUpdate: 'state_update', state: 'idle' };

    it('V2-INIT-3, V2-INIT-8: answers in the version of the recording, as an agent whose sessions can only be read', async () => {
      const [first, second, third, fourth, fifth] = await said(
        state(initialized(), 'idle').text,
        ['initialize', { protocolVersion: 2 }],
        ['session/load', { sessionId: 's', ...here }],
        ['session/resume', { sessionId: 's', ...here }],
        ['session/close', { sessionId: 's' }],
        ['session/prompt', prompt],
      );
      assert.deepEqual(first?.['result'], {
        protocolVersion: 2,
        info: { name: 'acp-sessions-trace', version: '1' },
        capabilities: { session: {}, _meta: { acpSessions: { readOnly: true } } },
      });
      assert.deepEqual(fourth?.['result'], {});
      for (const refused of [second, third, fifth]) {
        assert.equal((refused?.['error'] as { code: number }).code, -32601);
      }
    });

    it('V2-RES-1: replays what it has on a resume from the start, and is idle then', async () => {
      const text = initialized();
      const message = { sessionUpdate: 'agent_message', messageId: 'a', content: [] };
      const options = { configOptions: [{ id: 'model' }] };
      text.request('session/resume', { sessionId: 's', ...start }, options, () => {
        text.update('s', message);
        state(text, 'idle', { stopReason: 'cancelled' });
      });
      text.request('session/prompt', prompt, { messageId: 'm' });
      state(text, 'running');
      const messages = await said(text.text, [
        'session/resume',
        { sessionId: 's', ...here, ...start },
      ]);
      const own = {
        ...{ sessionUpdate: 'user_message_chunk', content: prompt.prompt[0] },
        messageId: 'trace-7',
      };
      assert.deepEqual(updatesOf(messages), [message, own, idle]);
      assert.deepEqual(messages.at(-1)?.['result'], options);
    });

    for (const [stopReason, reason, more] of [
      ['max_tokens', 'max_tokens', {}],
      ['refusal', 'refused', {}],
      ['cancelled', 'cancelled', {}],
      ['_own', '_own', {}],
      ['error', 'No luck', { error: { code: -32603, message: 'No luck' } }],
      ['error', 'failed', {}],
      ['end_turn', undefined, {}],
      [undefined, undefined, {}],
    ] as const) {
      it(`V2-TURN-3, V2-TURN-5: a turn that became idle with ${stopReason} ${JSON.stringify(more)} has ended once`, async () => {
        const text = initialized();
        text.request('session/prompt', prompt, { messageId: 'm' });
        const user = { sessionUpdate: 'user_message', messageId: 'm', content: prompt.prompt };
        text.update('s', user);
        state(text, 'running');
        state(text, 'idle', { stopReason, ...more });
        state(text, 'idle', { stopReason, ...more });
        state(text, 'running', {}, 'child');
        state(text, 'idle', { stopReason: 'cancelled' }, 'child');
        const messages = await said(text.text, [
          'session/resume',
          { sessionId: 's', ...here, ...start },
        ]);
        const end = { sessionUpdate: '_acp_sessions_turn_end', stopReason: reason };
        assert.deepEqual(updatesOf(messages), [user, ...(reason === undefined ? [] : [end]), idle]);
      });
    }

    it('is read as it was recorded: what was said, how a turn has ended, and nothing to be written', async () => {
      const text = initialized();
      const block = (words: string): object => ({ type: 'text', text: words });
      const says = (kind: string, messageId: string, words: string): unknown =>
        text.update('s', { sessionUpdate: kind, messageId, content: block(words) });
      text.request(
        'session/list',
        {},
        { sessions: [{ sessionId: 's', cwd: '/there', title: 'T' }] },
      );
      text.request('session/resume', { sessionId: 's', ...start }, {}, () => {
        says('user_message_chunk', 'u1', 'Hello');
        says('agent_message_chunk', 'a1', 'Hi there');
        state(text, 'idle');
      });
      text.request('session/prompt', prompt, { messageId: 'u2' });
      says('user_message_chunk', 'u2', 'And now?');
      state(text, 'running');
      says('agent_message_chunk', 'a2', 'So far');
      state(text, 'idle', { stopReason: 'max_tokens' });
      state(text, 'running');
      const bench = sessionsBench(['trace']);
      bench.connect = async () =>
        (await connect(replay(text.text), { versions: versionsOf('2') })).connection as never;
      const agent = bench.agents.get('trace');
      assert.ok(agent);
      const list = agent.lists.of(folder);
      await list.load();
      const [row] = list.rows;
      assert.ok(row);
      const session = bench.sessions.open(agent, row.info);
      await session.load();
      assert.equal(session.phase.kind, 'ready');
      const entries = JSON.stringify(session.transcript.entries);
      for (const words of ['Hello', 'Hi there', 'And now?', 'So far']) {
        assert.equal(entries.split(words).length, 2, words);
      }
      assert.match(entries, /max_tokens/);
      assert.equal(session.writable.kind, 'no');
      assert.equal(session.isBusy, false);
      for (const capability of ['delete', 'fork', 'resume', 'prompt', 'steering'] as const) {
        assert.equal(agent.supports(capability), false, capability);
      }
      await bench.agents.close();
    });

    it('V2-TURN-6: a prompt that was refused is there with the reason', async () => {
      const text = initialized();
      text.answers(text.asks('session/prompt', prompt), { error: { code: 1, message: 'Busy' } });
      const messages = await said(text.text, [
        'session/resume',
        { sessionId: 's', ...here, ...start },
      ]);
      assert.deepEqual(
        updatesOf(messages).map((one) => (one as Record<string, unknown>)['stopReason']),
        [undefined, 'Busy', undefined],
      );
    });
  });

  it('T-35: nothing that the recorded agent asked for is asked again', async () => {
    const text = new TraceText();
    const ask = (method: string, params: object): void => {
      text.line('fromAgent', { id: 'q', method, params: { sessionId: 's', ...params } });
      text.line('toAgent', { id: 'q', result: {} });
    };
    text.request('session/load', { sessionId: 's' }, {}, () => {
      ask('fs/write_text_file', { path: '/etc/passwd', content: 'x' });
      ask('terminal/create', { command: 'rm' });
      ask('session/request_permission', { options: [], toolCall: { toolCallId: 'c' } });
      text.says('s', 'done');
    });
    const transport = replay(text.text);
    let sent = '';
    transport.onData((bytes) => (sent += Buffer.from(bytes).toString()));
    const { connection, texts } = await connect(transport);
    await connection.loadSession({ sessionId: 's', ...here });
    assert.deepEqual(texts(), ['done']);
    assert.doesNotMatch(sent, /fs\/|terminal\/|permission/);
    await connection.close();
  });

  it('T-1: the folders of a trace are shown, never used', async () => {
    const evil = String.raw`\\server\share`;
    const rows = { sessions: [{ sessionId: 's', cwd: evil, additionalDirectories: [evil] }] };
    const { connection } = await replayed(new TraceText().request('session/list', {}, rows).text);
    const [row] = (await connection.listSessions({})).sessions;
    assert.deepEqual([row?.cwd, row?.additionalDirectories], [folder.path, []]);
    assert.deepEqual(Object.values(row?._meta ?? {}), [evil]);
    assert.deepEqual((await connection.listSessions({ cwd: '/elsewhere' })).sessions, []);
    await connection.close();
  });

  it('INIT-7: an agent that spoke another version of the protocol is not understood here either', async () => {
    const text = new TraceText().request('initialize', {}, { protocolVersion: 7 }).text;
    await rejectsWith(replayed(text), 'version');
  });

  it('LOAD-12, SDK-15: a long load can be paused, canceled and closed', async () => {
    const text = new TraceText();
    for (let count = 0; count < 4_000; count++) {
      text.says('s', `${count}`);
    }
    const transport = start(fileWith(text.text), folder.path);
    const { connection, updates } = await connect(transport);
    const pausing = connection.onUpdate(() => transport.pause());
    const canceled = new AbortController();
    const load = connection.loadSession({ sessionId: 's', ...here }, canceled.signal);
    const refused = rejectsWith(load, 'cancelled');
    await until(() => updates.length > 0);
    const paused = updates.length;
    canceled.abort();
    await refused;
    pausing.dispose();
    transport.resume();
    await connection.whenLoadsEnded('s');
    assert.ok(paused < 4_000 && updates.length < 4_000, `${paused} ${updates.length}`);
    const again = connection.loadSession({ sessionId: 's', ...here });
    const gone = rejectsWith(again, 'cancelled');
    await connection.close();
    await gone;
    await assert.rejects(transport.write('{}\n'));
  });

  it('says so when the file was cut after it was opened', async () => {
    const text = new TraceText().says('s', 'one').says('s', 'two').text;
    const file = fileWith(text);
    const { connection } = await connect(start(file, folder.path));
    truncateSync(file, text.length - 20);
    await assert.rejects(connection.loadSession({ sessionId: 's', ...here }), /has changed/);
    await connection.close();
  });

  it('says why it ends when the file can’t be replayed any more', async () => {
    for (const [file, reason] of [
      [fileWith('# Notes'), /^trace-\d+\.ndjson can’t be replayed\. It isn’t a trace/],
      [temporaryFile('gone.ndjson'), /^gone\.ndjson can’t be replayed\. It doesn’t exist\./],
    ] as const) {
      await assert.rejects(connect(start(file, folder.path)), (error) => {
        assert.ok(error instanceof AcpError && error.code === 'exited', String(error));
        assert.match(error.facts.stderr?.join('\n') ?? '', reason);
        return true;
      });
    }
  });
});
