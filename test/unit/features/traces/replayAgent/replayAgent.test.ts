import assert from 'node:assert/strict';
import { TraceRecorder } from '../../../../../src/protocol/trace/traceRecorder';
import { ableInitialize, type Scenario, update } from '../../../../fakeAgent/scenario';
import { folder } from '../../../model/fakes';
import { sessionsBench, texts as textsOf } from '../../../model/sessionBench';
import { connect, rejectsWith, type Seen, startAgent } from '../../../protocol/peer';
import { header, MemoryFile, TraceText } from '../../../protocol/trace/traceBench';
import { here, ReplayBench } from './replayBench';

describe('replaying a trace', () => {
  const { replay, replayed } = ReplayBench.ofSuite();

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
    const models = { currentModelId: 'a', availableModels: [{ modelId: 'a', name: 'A' }] };
    const opened = { modes: modes('ask'), models, configOptions: [option('small')] };
    text.request('session/load', { sessionId: 's' }, opened, () => {
      text.says('s', 'done');
      mode('s', 'code');
    });
    mode('s', 'plan');
    mode('other', 'code');
    const { connection } = await replayed(text.text);
    const loaded = await connection.loadSession({ sessionId: 's', ...here });
    assert.equal(loaded.modes?.currentModeId, 'plan');
    assert.equal(loaded.models?.currentModelId, 'a');
    assert.deepEqual(
      loaded.configOptions?.map((each) => each.type !== 'unknown' && [each.id, each.value]),
      [['model', 'small']],
    );
    const set = { sessionId: 's', configId: 'model', value: 'large' };
    text.request('session/set_config_option', set, { configOptions: [option('large')] });
    const later = await replayed(text.text);
    const again = await later.connection.loadSession({ sessionId: 's', ...here });
    assert.deepEqual(
      again.configOptions?.map((each) => each.type !== 'unknown' && each.value),
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

  it('T-35, SEC-187: nothing that the recorded agent asked for is asked again', async () => {
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

  it('T-1, SEC-187: the folders of a trace are shown, never used', async () => {
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
});
