import assert from 'node:assert/strict';
import path from 'node:path';
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { until } from '../../support/until';
import { DemoWorld, errorCode, history, inVersion, textOf, versions } from './harness';

const { session } = methods.agent;

for (const version of versions) {
  describe(`demo agent, version ${version}: the life of a session`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    inVersion(1, version)(
      'INIT-6, INIT-12: says who it is and exactly what it handles',
      async () => {
        const client = await world.connect(await world.folder());
        const answer = await client.initialize();
        assert.equal(answer.protocolVersion, 1);
        assert.deepEqual(answer.agentInfo, {
          name: 'demo-agent',
          title: 'Demo Agent',
          version: '1.2.3',
        });
        assert.deepEqual(answer.authMethods, []);
        assert.equal(answer.agentCapabilities?.loadSession, true);
        assert.deepEqual(Object.keys(answer.agentCapabilities.sessionCapabilities ?? {}).sort(), [
          'additionalDirectories',
          'archive',
          'close',
          'delete',
          'fork',
          'list',
          'resume',
          'title',
        ]);
      },
    );

    it('LOAD-4, LOAD-5: a load in another process replays the streamed updates before it answers', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const first = await world.connect(store);
      const sessionId = await first.prompted(cwd, '/work');
      await first.prompt(sessionId, 'and in words?');
      const streamed = history(first.updates(sessionId));

      const second = await world.connect(store);
      const replayed = await second.load(sessionId, cwd);
      const own = replayed.filter((update) => update.sessionUpdate === 'user_message_chunk');
      assert.deepEqual(
        own.map((update) => update.content),
        [
          { type: 'text', text: '/work' },
          { type: 'text', text: 'and in words?' },
        ],
      );
      assert.deepEqual(
        history(replayed).filter((update) => update.sessionUpdate !== 'user_message_chunk'),
        streamed,
      );
      assert.ok(replayed.some((update) => update.sessionUpdate === 'available_commands_update'));
      assert.equal(await second.prompt(sessionId, 'Hello'), 'end_turn');
    });

    it('LOAD-3, NEW-3: a wrong folder is -32602; LOAD-11: an unknown id -32002 with the id', async () => {
      const client = await world.connect(await world.folder());
      const cwd = await world.folder();
      const sessionId = await client.prompted(cwd, 'Hello');
      const load = (id: string, folder: string): Promise<unknown> =>
        client.request(session.load, { sessionId: id, cwd: folder, mcpServers: [] });
      await assert.rejects(load(sessionId, path.join(cwd, 'src')), errorCode(-32602));
      await assert.rejects(load(sessionId, 'src'), errorCode(-32602));
      await load(sessionId, `${cwd}${path.sep}.`);
      for (const id of ['nobody', '../secrets', '', 'a'.repeat(5000), '日本 語']) {
        await assert.rejects(load(id, cwd), (error) => {
          assert.deepEqual((error as { data?: unknown }).data, { sessionId: id });
          return errorCode(-32002)(error);
        });
      }
      await assert.rejects(client.newSession('relative'), errorCode(-32602));
    });

    it('a request that it doesn’t know is -32601, and one without what it needs -32602', async () => {
      const client = await world.connect(await world.folder());
      for (const method of ['session/fly', 'constructor', '_session/other']) {
        await assert.rejects(client.extension(method, {}), errorCode(-32601), method);
      }
      for (const [method, params] of [
        ['session/close', {}],
        ['session/new', { cwd: 7, mcpServers: [] }],
        ['session/fork', { sessionId: 'a', mcpServers: [] }],
        ['session/set_title', { sessionId: 'a', title: null }],
      ] as const) {
        await assert.rejects(client.extension(method, params), errorCode(-32602), method);
      }
    });

    it('RES-4, RES-5: resume replays nothing, and the session goes on', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const sessionId = await (await world.connect(store)).prompted(cwd, '/text');
      const client = await world.connect(store);
      const state = await client.request(session.resume, { sessionId, cwd, mcpServers: [] });
      assert.deepEqual(history(client.updates(sessionId)), []);
      assert.equal(state.modes?.currentModeId, version === 1 ? 'ask' : undefined);
      assert.equal(state.configOptions?.[0]?.currentValue, 'ask');
      assert.equal(await client.prompt(sessionId, 'Hello'), 'end_turn');
    });

    it('LOAD-9: the roots of a session are those of the latest load', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const root = await world.folder();
      const client = await world.connect(store);
      const sessionId = await client.prompted(cwd, 'Hello');
      const roots = async (): Promise<unknown> =>
        (await client.request(session.list, {})).sessions[0]?.additionalDirectories;
      await client.request(session.load, {
        sessionId,
        cwd,
        mcpServers: [],
        additionalDirectories: [root],
      });
      assert.deepEqual(await roots(), [root]);
      await client.load(sessionId, cwd);
      assert.equal(await roots(), undefined);
    });

    it('PR-1: a prompt to a session that is not open is -32002', async () => {
      const store = await world.folder();
      const sessionId = await (await world.connect(store)).prompted(await world.folder(), 'Hello');
      const client = await world.connect(store);
      await assert.rejects(client.prompt(sessionId, 'Hello?'), errorCode(-32002));
    });

    inVersion(1, version)(
      'PR-5: a second prompt while a turn runs is refused, and the turn goes on',
      async () => {
        const client = await world.connect(await world.folder(), { pace: 1 });
        const sessionId = await client.newSession(await world.folder());
        const turn = client.prompt(sessionId, '/slow 500');
        await until(() =>
          client.received.some(({ update }) => update.sessionUpdate === 'tool_call'),
        );
        await assert.rejects(client.prompt(sessionId, 'me too'), errorCode(-32600));
        await client.cancel(sessionId);
        assert.equal(await turn, 'cancelled');
      },
    );

    it('CLOSE-4: closing cancels the turn and keeps the session; CLOSE-5: an unknown one is fine', async () => {
      const client = await world.connect(await world.folder(), { pace: 1 });
      const cwd = await world.folder();
      const sessionId = await client.newSession(cwd);
      const turn = client.prompt(sessionId, '/slow 500');
      await until(() => client.received.some(({ update }) => update.sessionUpdate === 'tool_call'));
      await client.request(session.close, { sessionId });
      assert.equal(await turn, 'cancelled');
      assert.deepEqual(await client.titles(), [['/slow 500']]);
      await assert.rejects(client.prompt(sessionId, 'Hello?'), errorCode(-32002));
      await client.request(session.close, { sessionId });
      await client.request(session.close, { sessionId: 'nobody' });
    });

    it('DEL-3, DEL-4, DEL-5: deleting ends an active session; twice is fine; then it is gone', async () => {
      const client = await world.connect(await world.folder(), { pace: 1 });
      const cwd = await world.folder();
      const sessionId = await client.newSession(cwd);
      const turn = client.prompt(sessionId, '/slow 500');
      await until(() => client.received.some(({ update }) => update.sessionUpdate === 'tool_call'));
      await client.request(session.delete, { sessionId });
      assert.equal(await turn, 'cancelled');
      await client.request(session.delete, { sessionId });
      assert.deepEqual(await client.titles(), [[]]);
      await assert.rejects(client.load(sessionId, cwd), errorCode(-32002));
    });

    it('a fork has the history, is ready at once, and goes its own way', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const client = await world.connect(store);
      const origin = await client.prompted(cwd, '/plan');
      const before = history(await client.load(origin, cwd));
      const { sessionId } = await client.request(session.fork, { sessionId: origin, cwd });
      assert.equal(await client.prompt(sessionId, 'Hello'), 'end_turn');
      assert.deepEqual(await client.titles(), [['/plan (fork)', '/plan']]);
      const forked = history(await client.load(sessionId, cwd));
      assert.deepEqual(forked.slice(0, before.length), before);
      assert.ok(forked.length > before.length);
      assert.deepEqual(history(await client.load(origin, cwd)), before);
      await assert.rejects(
        client.request(session.fork, { sessionId: 'nobody', cwd }),
        errorCode(-32002),
      );
    });

    it('T-42: a fork ends at a message', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const client = await world.connect(store);
      const origin = await client.prompted(cwd, 'One');
      await client.prompt(origin, '/plan');
      await client.prompt(origin, 'Three');
      const whole = history(await client.load(origin, cwd));
      const [, second] = whole.filter((update) => update.sessionUpdate === 'user_message_chunk');
      assert.ok(second?.messageId);
      const at = { version: 1, messageId: second.messageId };
      const forkAt = async (fork: object): Promise<readonly SessionUpdate[]> => {
        const _meta = { jetbrains: { air: { fork } } };
        const { sessionId } = await client.request(session.fork, { sessionId: origin, cwd, _meta });
        return history(await client.load(sessionId, cwd));
      };
      assert.deepEqual(await forkAt(at), whole.slice(0, whole.indexOf(second) + 1));
      assert.deepEqual(await forkAt({ ...at, version: 2 }), whole, 'an unknown version');
      await assert.rejects(forkAt({ ...at, messageId: 'nobody' }), errorCode(-32602));
    });

    it('a fork of a session without a prompt works too', async () => {
      const client = await world.connect(await world.folder());
      const cwd = await world.folder();
      const origin = await client.newSession(cwd);
      const { sessionId } = await client.request(session.fork, { sessionId: origin, cwd });
      assert.deepEqual(await client.titles(), [[]]);
      await client.prompt(sessionId, 'Hello');
      assert.deepEqual(await client.titles(), [['Hello']]);
    });

    it('archive closes an active session; both ways are idempotent; an unknown id is -32002', async () => {
      const client = await world.connect(await world.folder(), { pace: 1 });
      const cwd = await world.folder();
      const sessionId = await client.newSession(cwd);
      const turn = client.prompt(sessionId, '/slow 500');
      await until(() => client.received.some(({ update }) => update.sessionUpdate === 'tool_call'));
      await client.request(session.archive, { sessionId });
      assert.equal(await turn, 'cancelled');
      await client.request(session.archive, { sessionId });
      assert.deepEqual(await client.titles(), [[]]);
      await client.request(session.unarchive, { sessionId });
      await client.request(session.unarchive, { sessionId });
      assert.deepEqual(await client.titles(), [['/slow 500']]);
      const unknown = { sessionId: 'nobody' };
      await assert.rejects(client.request(session.archive, unknown), errorCode(-32002));
      await assert.rejects(client.request(session.unarchive, unknown), errorCode(-32002));
    });

    it('INFO-1: the first prompt gives the title, pushed with the time, and later prompts keep it', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.newSession(await world.folder());
      await client.prompt(sessionId, '\n  What is   this?\nTell me all about it.');
      const pushed = client
        .updates(sessionId)
        .filter((update) => update.sessionUpdate === 'session_info_update');
      assert.equal(pushed[0]?.title, 'What is this?');
      const { sessions } = await client.request(session.list, {});
      assert.equal(pushed.at(-1)?.updatedAt, sessions[0]?.updatedAt);
      await client.prompt(sessionId, 'Something else');
      assert.deepEqual(await client.titles(), [['What is this?']]);
    });

    it('a title is one line of at most 80 characters, whatever the prompt', async () => {
      const client = await world.connect(await world.folder());
      const cwd = await world.folder();
      await client.prompted(cwd, '👩‍👩‍👧‍👦'.repeat(200));
      await client.prompted(cwd, `a\tb\u0007c ${'x'.repeat(10_000)}`);
      const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;
      const sessionId = await client.newSession(cwd);
      await client.request(session.prompt, { sessionId, prompt: [link] });
      const [titles] = await client.titles();
      assert.equal(titles?.[0], 'A prompt without text');
      assert.equal(titles[1], `a b c ${'x'.repeat(74)}…`);
      assert.equal(titles[2], `${'👩‍👩‍👧‍👦'.repeat(80)}…`);
    });

    it('set_title answers with what it stored, for sessions that are not open too, and prompts keep it', async () => {
      const store = await world.folder();
      const client = await world.connect(store);
      const sessionId = await client.prompted(await world.folder(), 'Hello');
      const other = await world.connect(store);
      const set = (title: string): Promise<{ title: string }> =>
        other.request(session.setTitle, { sessionId, title });
      assert.deepEqual(await set('  A better\n title '), { title: 'A better title' });
      await client.prompt(sessionId, 'Hello again');
      assert.deepEqual(await client.titles(), [['A better title']]);
      await assert.rejects(set(' \n '), errorCode(-32602));
      await assert.rejects(
        other.request(session.setTitle, { sessionId: 'nobody', title: 'x' }),
        errorCode(-32002),
      );
    });

    it('two processes on one store see what the other does', async () => {
      const store = await world.folder();
      const cwd = await world.folder();
      const one = await world.connect(store);
      const two = await world.connect(store);
      const sessionId = await one.prompted(cwd, 'from one');
      assert.deepEqual(await two.titles(), [['from one']]);
      await two.load(sessionId, cwd);
      await two.prompt(sessionId, 'from two');
      await one.prompt(sessionId, 'from one again');
      const replayed = await (await world.connect(store)).load(sessionId, cwd);
      assert.equal(textOf(replayed, 'user_message_chunk'), 'from onefrom twofrom one again');
      await two.request(session.delete, { sessionId });
      assert.deepEqual(await one.titles(), [[]]);
      await assert.rejects(one.prompt(sessionId, 'Hello?'), errorCode(-32002));
      assert.deepEqual(await one.titles(), [[]], 'a deleted session must not come back');
    });

    inVersion(1, version)(
      'MO-3, CF-9, CF-11: a mode is set either way, and both pickers follow',
      async () => {
        const store = await world.folder();
        const cwd = await world.folder();
        const client = await world.connect(store);
        const sessionId = await client.prompted(cwd, 'Hello');
        client.received.length = 0;
        await client.request(session.setMode, { sessionId, modeId: 'plan' });
        const config = client.updates(sessionId)[0];
        assert.equal(config?.sessionUpdate, 'config_option_update');
        assert.equal(config.configOptions[0]?.currentValue, 'plan');
        const { configOptions } = await client.request(session.setConfigOption, {
          sessionId,
          configId: 'mode',
          value: 'act',
        });
        assert.equal(configOptions[0]?.currentValue, 'act');
        assert.deepEqual(client.updates(sessionId)[1], {
          sessionUpdate: 'current_mode_update',
          currentModeId: 'act',
        });
        const other = await world.connect(store);
        const state = await other.request(session.load, { sessionId, cwd, mcpServers: [] });
        assert.equal(state.modes?.currentModeId, 'act', 'the mode belongs to the session');
        await assert.rejects(
          client.request(session.setMode, { sessionId, modeId: 'fly' }),
          errorCode(-32602),
        );
      },
    );

    it('CF-7, CF-8, CF-9: options come complete, depend on each other, and booleans only when asked for', async () => {
      const cwd = await world.folder();
      const plain = await world.connect(await world.folder());
      const { configOptions: few } = await plain.request(session.new, { cwd, mcpServers: [] });
      assert.deepEqual(
        few?.map((option) => option.category),
        version === 1
          ? ['mode', 'model', 'thought_level']
          : ['mode', 'model', 'thought_level', undefined],
      );

      const client = await world.connect(await world.folder(), {
        capabilities: { session: { configOptions: { boolean: {} } } },
      });
      const created = await client.request(session.new, { cwd, mcpServers: [] });
      const { sessionId } = created;
      const ids = (options: readonly { id: string }[] | null | undefined): string[] =>
        (options ?? []).map((option) => option.id);
      assert.deepEqual(ids(created.configOptions), ['mode', 'model', 'thinking', 'reportUsage']);
      const set = async (configId: string, value: string | boolean): Promise<string[]> => {
        const params = { sessionId, configId };
        const response = await client.request(
          session.setConfigOption,
          typeof value === 'boolean' ? { ...params, type: 'boolean', value } : { ...params, value },
        );
        return ids(response.configOptions);
      };
      assert.deepEqual(await set('model', 'fern'), ['mode', 'model', 'reportUsage']);
      await assert.rejects(set('thinking', 'off'), errorCode(-32602));
      assert.deepEqual(await set('model', 'redwood'), ['mode', 'model', 'thinking', 'reportUsage']);
      await assert.rejects(set('model', 'large'), errorCode(-32602));
      await assert.rejects(set('model', true), errorCode(-32602));
      await assert.rejects(set('reportUsage', 'true'), errorCode(-32602));
      await assert.rejects(set('nothing', 'x'), errorCode(-32602));
      await set('reportUsage', false);
      await client.prompt(sessionId, 'Hello');
      const kinds = client.updates(sessionId).map((update) => update.sessionUpdate);
      assert.ok(!kinds.includes('usage_update'));
    });
  });
}
