import assert from 'node:assert/strict';
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { commands } from '../../../src/demoAgent/commands/commands';
import { until } from '../../support/until';
import { everything, kinds, permit, statuses, yesToAll } from './clientAnswers';
import { DemoWorld, history, inVersion, textOf, versions } from './harness';

/** Arguments of commands that otherwise take long. Of `/long` it is several times what is written at once. */
const briefly: Readonly<Record<string, string>> = { slow: '2', long: '400' };

for (const version of versions) {
  describe(`demo agent, version ${version}: the scripts`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    for (const command of commands) {
      it(`/${command.name}: all that it sends is valid, and a load replays it exactly`, async () => {
        const store = await world.folder();
        const cwd = await world.folder();
        const options = { capabilities: everything, answers: yesToAll };
        const client = await world.connect(store, options);
        const sessionId = await client.newSession(cwd);
        const text = `/${command.name} ${briefly[command.name] ?? ''}`.trimEnd();
        const turn = client.prompt(sessionId, text);
        assert.equal(await turn, 'end_turn');
        const streamed = history(client.updates(sessionId));
        assert.notEqual(streamed.length, 0);
        const replayed = history(await (await world.connect(store, options)).load(sessionId, cwd));
        const isOnlyReplayed = (update: SessionUpdate): boolean =>
          update.sessionUpdate === 'user_message_chunk' ||
          (update.sessionUpdate.startsWith('tool_call') && '_meta' in update);
        assert.deepEqual(
          replayed.filter((update) => !isOnlyReplayed(update)),
          streamed,
        );
        assert.ok(!statuses(replayed).includes('in_progress'), 'every tool call ends');
      });

      it(`/${command.name}: a client that can do nothing gets an answer too`, async () => {
        const client = await world.connect(await world.folder(), {
          answers: permit('reject_once'),
        });
        const sessionId = await client.newSession(await world.folder());
        const offered = !command.needs || (version === 2 && command.name === 'subagents');
        await client.prompt(sessionId, `/${command.name} 1`);
        await until(() => kinds(client.updates(sessionId)).has('available_commands_update'));
        const updates = client.updates(sessionId);
        const listed = updates.find(
          (update) => update.sessionUpdate === 'available_commands_update',
        );
        const names = listed?.availableCommands.map(({ name }) => name);
        assert.equal(names?.includes(command.name), offered);
        assert.notEqual(textOf(updates, 'agent_message_chunk'), '');
      });
    }

    it('CM-1: every command says what it does, and those with an argument have a hint', async () => {
      const client = await world.connect(await world.folder(), { capabilities: everything });
      const sessionId = await client.newSession(await world.folder());
      await until(() => client.received.length > 0);
      const [update] = client.updates(sessionId);
      assert.equal(update?.sessionUpdate, 'available_commands_update');
      assert.equal(update.availableCommands.length, commands.length);
      assert.ok(update.availableCommands.every(({ description }) => description.length > 10));
      const long = update.availableCommands.find(({ name }) => name === 'long');
      assert.match(long?.input?.hint ?? '', /number of updates/);
    });

    it('PR-3, PR-4: ordinary text and attachments get an answer that names them', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.newSession(await world.folder());
      await client.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [
          { type: 'text', text: 'Look at these' },
          { type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' },
          { type: 'resource', resource: { uri: 'file:///c.md', text: '# C' } },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
        ],
      });
      const answer = textOf(client.updates(sessionId), 'agent_message_chunk');
      for (const part of [
        'Demo Agent',
        'b.ts',
        'file:///c.md',
        'image/png',
        'audio/wav',
        '/work',
      ]) {
        assert.ok(answer.includes(part), part);
      }
      await client.prompt(sessionId, '/nonsense');
      assert.match(
        textOf(client.updates(sessionId), 'agent_message_chunk'),
        /I don't know `\/nonsense`/,
      );
    });

    it('thoughts follow the level of thinking', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.newSession(await world.folder());
      const thoughtsAt = async (configId: string, value: string): Promise<number> => {
        const params = { sessionId, configId, value };
        await client.request(methods.agent.session.setConfigOption, params);
        client.received.length = 0;
        await client.prompt(sessionId, 'Hello');
        const ids = client
          .updates(sessionId)
          .map((update) =>
            update.sessionUpdate === 'agent_thought_chunk' ? update.messageId : undefined,
          );
        return new Set(ids.filter((id) => id !== undefined)).size;
      };
      assert.equal(await thoughtsAt('thinking', 'off'), 0);
      assert.equal(await thoughtsAt('thinking', 'thorough'), 2);
      assert.equal(await thoughtsAt('thinking', 'brief'), 1);
      assert.equal(await thoughtsAt('model', 'fern'), 0);
    });

    it('CA-5: a canceled turn ends as canceled and goes on no longer, and the session does', async () => {
      const client = await world.connect(await world.folder(), { pace: 1 });
      const sessionId = await client.newSession(await world.folder());
      const turn = client.prompt(sessionId, '/slow 500');
      await until(() => kinds(client.updates(sessionId)).has('tool_call_update'));
      await client.cancel(sessionId);
      assert.equal(await turn, 'cancelled');
      await client.cancel(sessionId);
      assert.equal(await client.prompt(sessionId, 'Hello'), 'end_turn');
    });

    inVersion(1, version)('CA-6: $/cancel_request for a prompt cancels the turn', async () => {
      const client = await world.connect(await world.folder(), { pace: 1 });
      const sessionId = await client.newSession(await world.folder());
      const cancel = new AbortController();
      const prompt = [{ type: 'text', text: '/slow 500' } as const];
      const { prompt: method } = methods.agent.session;
      const turn = client.request(method, { sessionId, prompt }, cancel.signal);
      await until(() => kinds(client.updates(sessionId)).has('tool_call_update'));
      cancel.abort();
      assert.equal((await turn).stopReason, 'cancelled');
    });

    it('CA-3: canceling doesn’t wait for a permission or a form without an answer', async () => {
      let asked = 0;
      const never = (): Promise<never> => {
        asked++;
        return new Promise<never>(() => undefined);
      };
      const client = await world.connect(await world.folder(), {
        capabilities: everything,
        answers: (app) =>
          app
            .onRequest(methods.client.session.requestPermission, never)
            .onRequest(methods.client.elicitation.create, never),
      });
      const sessionId = await client.newSession(await world.folder());
      for (const [index, command] of ['/permission', '/ask'].entries()) {
        const turn = client.prompt(sessionId, command);
        await until(() => asked > index);
        await client.cancel(sessionId);
        assert.equal(await turn, 'cancelled', command);
        asked = index + 1;
      }
    });

    inVersion(1, version)(
      'PL-4: a client that takes no plans gets none, and a stored one as a message',
      async () => {
        const store = await world.folder();
        const cwd = await world.folder();
        const able = await world.connect(store, { capabilities: everything });
        const sessionId = await able.prompted(cwd, '/plan');
        const { plan: _, ...others } = everything;
        const client = await world.connect(store, { capabilities: others });
        const replayed = await client.load(sessionId, cwd);
        assert.ok(!kinds(replayed).has('plan_update'));
        assert.match(textOf(replayed, 'agent_message_chunk'), /# Find the lost cent/);
      },
    );

    for (const [command, methodsOf, answers] of [
      [
        'cursor',
        ['cursor/ask_question', 'cursor/create_plan'],
        ['cursor/update_todos', 'cursor/task', 'cursor/update_todos'],
      ],
      ['grok', ['_x.ai/ask_user_question', '_x.ai/exit_plan_mode'], []],
    ] as const) {
      inVersion(1, version)(
        `EX-7, EX-8, EX-9: /${command} asks with methods of its own, and says what was answered`,
        async () => {
          const asked: string[] = [];
          const told: string[] = [];
          const client = await world.connect(await world.folder(), {
            answers: (app) => {
              for (const method of methodsOf) {
                app.onRequest(
                  method,
                  (params) => params,
                  () => {
                    asked.push(method);
                    return { outcome: `to ${method}` };
                  },
                );
              }
              for (const method of new Set(answers)) {
                app.onNotification(
                  method,
                  (params) => params,
                  () => {
                    told.push(method);
                  },
                );
              }
            },
          });
          const sessionId = await client.prompted(await world.folder(), `/${command}`);
          assert.deepEqual(asked, methodsOf);
          assert.deepEqual(told, answers);
          const text = textOf(client.updates(sessionId), 'agent_message_chunk');
          for (const method of methodsOf) {
            assert.match(text, new RegExp(`to ${method}`));
          }
        },
      );
    }

    it('PL-1, PL-2: /plan sends the whole plan each time and ends with all of it done', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.prompted(await world.folder(), '/plan');
      const plans = client.updates(sessionId).filter((update) => update.sessionUpdate === 'plan');
      assert.deepEqual(
        plans.map((plan) => plan.entries.length),
        [5, 5, 5, 6, 6, 6, 6],
      );
      assert.ok(plans.at(-1)?.entries.every((entry) => entry.status === 'completed'));
    });

    it('/long sends as many updates as asked for', async () => {
      const client = await world.connect(await world.folder());
      const sessionId = await client.prompted(await world.folder(), '/long 450');
      const calls = client
        .updates(sessionId)
        .filter((update) => update.sessionUpdate === 'tool_call');
      assert.equal(calls.length, 112);
      assert.match(
        textOf(client.updates(sessionId), 'agent_message_chunk'),
        /Those were 450 updates/,
      );
    });
  });
}
