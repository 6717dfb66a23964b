import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type ClientApp,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { permit, statuses } from './clientAnswers';
import { DemoWorld, type TestClient, textOf, versions } from './harness';

for (const version of versions) {
  describe(`demo agent, version ${version}: what the client answers`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    for (const [kind, text] of [
      ['allow_once', /You allowed it/],
      ['allow_always', /You allowed it/],
      ['reject_once', /You did not allow it/],
      ['reject_always', /You did not allow it/],
      [undefined, /You did not allow it/],
    ] as const) {
      it(`PE-3: /permission respects ${kind ?? 'canceled'}`, async () => {
        const asked: RequestPermissionRequest[] = [];
        const client = await world.connect(await world.folder(), { answers: permit(kind, asked) });
        const sessionId = await client.newSession(await world.folder());
        await client.prompt(sessionId, '/permission');
        await client.prompt(sessionId, '/permission');
        const updates = client.updates(sessionId);
        assert.match(textOf(updates, 'agent_message_chunk'), text);
        const status = kind?.startsWith('allow') ? 'completed' : 'failed';
        assert.deepEqual(statuses(updates), [status, status]);
        assert.equal(asked.length, kind?.endsWith('always') ? 1 : 2, 'an "always" is asked once');
        const call = updates.find((update) => update.sessionUpdate === 'tool_call');
        assert.equal(asked[0]?.toolCall.toolCallId, call?.toolCallId);
      });
    }

    describe('/diff', () => {
      /** A client that reads and writes files on the disk. */
      function files(answers: (app: ClientApp) => void) {
        return (app: ClientApp): void => {
          answers(app);
          app
            .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
              content: await readFile(params.path, 'utf8'),
            }))
            .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
              await writeFile(params.path, params.content);
            });
        };
      }

      async function run(
        cwd: string,
        prompt: string,
        answers: (app: ClientApp) => void,
        setUp?: (client: TestClient, sessionId: string) => Promise<unknown>,
      ): Promise<SessionUpdate[]> {
        const client = await world.connect(await world.folder(), {
          capabilities: { fs: { readTextFile: true, writeTextFile: true } },
          answers: files(answers),
        });
        const sessionId = await client.newSession(cwd);
        await setUp?.(client, sessionId);
        await client.prompt(sessionId, prompt);
        return client.updates(sessionId);
      }

      it('FS-3: writes a new file once the person allows it, and adds to one that is there', async () => {
        const cwd = await world.folder();
        const file = path.join(cwd, 'demo-agent.md');
        const first = await run(cwd, '/diff', permit('allow_once'));
        const text = await readFile(file, 'utf8');
        assert.match(text, /^# Notes of the demo agent\n/);
        const call = first.find((update) => update.sessionUpdate === 'tool_call');
        assert.deepEqual(call?.content, [
          { type: 'diff', path: file, oldText: null, newText: text },
        ]);
        await run(cwd, '/diff', permit('allow_once'));
        const longer = await readFile(file, 'utf8');
        assert.ok(longer.startsWith(text) && longer.length > text.length);
      });

      it('changes nothing when the person says no, or in the mode that only plans', async () => {
        const cwd = await world.folder();
        await writeFile(path.join(cwd, 'a.md'), 'mine');
        assert.deepEqual(statuses(await run(cwd, '/diff a.md', permit('reject_once'))), ['failed']);
        const asked: RequestPermissionRequest[] = [];
        await run(cwd, '/diff a.md', permit('allow_once', asked), (client, sessionId) =>
          client.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' }),
        );
        assert.equal(asked.length, 0);
        assert.equal(await readFile(path.join(cwd, 'a.md'), 'utf8'), 'mine');
      });

      it('in the mode that acts it doesn’t ask', async () => {
        const cwd = await world.folder();
        const asked: RequestPermissionRequest[] = [];
        await run(cwd, '/diff a.md', permit('reject_once', asked), (client, sessionId) =>
          client.request(methods.agent.session.setMode, { sessionId, modeId: 'act' }),
        );
        assert.equal(asked.length, 0);
        assert.notEqual(await readFile(path.join(cwd, 'a.md'), 'utf8'), '');
      });

      it('leaves files outside of the session’s folders alone', async () => {
        const cwd = await world.folder();
        for (const outside of ['../a.md', path.join(cwd, '..', 'b.md'), '.']) {
          const updates = await run(cwd, `/diff ${outside}`, permit('allow_once'));
          assert.deepEqual(statuses(updates), [], outside);
          assert.match(textOf(updates, 'agent_message_chunk'), /outside/);
        }
      });

      it('says so when the editor can’t write', async () => {
        const cwd = await world.folder();
        const updates = await run(cwd, '/diff none/a.md', permit('allow_once'));
        assert.deepEqual(statuses(updates), ['failed']);
        assert.match(textOf(updates, 'agent_message_chunk'), /could not write/);
      });
    });

    for (const [answer, text] of [
      [{ action: 'accept', content: { name: 'Ada Palmer', parcels: 2 } }, /"parcels": 2/],
      [{ action: 'decline' }, /You declined/],
      [{ action: 'cancel' }, /without an answer/],
    ] as const) {
      it(`EL-10: /ask takes ${answer.action} for what it is`, async () => {
        const client = await world.connect(await world.folder(), {
          capabilities: { elicitation: { form: {} } },
          answers: (app) => app.onRequest(methods.client.elicitation.create, () => answer),
        });
        const sessionId = await client.prompted(await world.folder(), '/ask');
        assert.match(textOf(client.updates(sessionId), 'agent_message_chunk'), text);
      });
    }
  });
}
