import assert from 'node:assert/strict';
import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { permit, statuses } from './clientAnswers';
import { type DemoOptions, DemoWorld, type TestClient, textOf, versions } from './harness';

for (const version of versions) {
  describe(`demo agent, version ${version}: /work`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    async function started(
      options: DemoOptions = {},
      mode = 'act',
    ): Promise<{ client: TestClient; sessionId: string; cwd: string }> {
      const client = await world.connect(await world.folder(), options);
      const cwd = await world.folder();
      const sessionId = await client.newSession(cwd);
      const params = { sessionId, configId: 'mode', value: mode };
      await client.request(methods.agent.session.setConfigOption, params);
      return { client, sessionId, cwd };
    }

    function read(cwd: string, name: string): Promise<string> {
      return readFile(path.join(cwd, 'demo-agent', name), 'utf8');
    }

    /** All paths of diffs and locations in the calls. */
    function reported(updates: readonly SessionUpdate[]): { diffs: unknown[]; files: string[] } {
      const calls = updates.filter(
        (update) =>
          update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update',
      );
      return {
        diffs: calls.flatMap(({ content }) => content ?? []).filter(({ type }) => type === 'diff'),
        files: calls.flatMap(({ locations }) => locations ?? []).map(({ path: file }) => file),
      };
    }

    it('direct: two places of a file and a new one are changed, without a diff', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work start');
      const before = await read(cwd, 'notes.md');
      client.received.length = 0;
      await client.prompt(sessionId, '/work direct');
      const after = await read(cwd, 'notes.md');
      assert.notEqual(after, before);
      assert.match(after, /^Saturday: 10 to 18 \(revision 1\)$/m);
      assert.match(after, /^Refund: as a voucher or to the card \(revision 1\)$/m);
      await access(path.join(cwd, 'demo-agent', 'summary.md'));
      assert.deepEqual(reported(client.updates(sessionId)).diffs, []);
    });

    it('fragments: an edit is reported without, then with the lines around it, never as the file', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work start');
      client.received.length = 0;
      await client.prompt(sessionId, '/work fragments');
      const after = await read(cwd, 'notes.md');
      const file = path.join(cwd, 'demo-agent', 'notes.md');
      const { diffs } = reported(client.updates(sessionId));
      assert.deepEqual(diffs.slice(0, 2), [
        {
          type: 'diff',
          path: file,
          oldText: 'Saturday: 10 to 16',
          newText: 'Saturday: 10 to 18 (revision 1)',
        },
        {
          type: 'diff',
          path: file,
          oldText:
            '## Opening hours\n\nMonday to Friday: 9 to 18\nSaturday: 10 to 16\nSunday: closed\n\n## Delivery',
          newText:
            '## Opening hours\n\nMonday to Friday: 9 to 18\nSaturday: 10 to 18 (revision 1)\nSunday: closed\n\n## Delivery',
        },
      ]);
      assert.equal(diffs.length, 4);
      assert.match(after, /revision 1[^]*revision 1/);
    });

    it('command: a command changes two files, and no call names them', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work command');
      assert.match(await read(cwd, 'prices.txt'), /^Fern 5\.50\n/);
      assert.match(await read(cwd, 'report.txt'), /raised/);
      assert.deepEqual(reported(client.updates(sessionId)), { diffs: [], files: [] });
    });

    it('again: two turns change the same lines', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work again');
      const first = await read(cwd, 'todo.md');
      await client.prompt(sessionId, '/work again');
      const second = await read(cwd, 'todo.md');
      const changed = second
        .split('\n')
        .flatMap((line, at) => (line === first.split('\n')[at] ? [] : [at]));
      assert.deepEqual(changed, [2, 3]);
      assert.match(second, /revision 2/);
    });

    it('many: ten files are changed in two places each, and half of them reported', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work many');
      const names = await readdir(path.join(cwd, 'demo-agent', 'parts'));
      assert.equal(names.length, 10);
      for (const name of names) {
        assert.match(await read(cwd, `parts/${name}`), /revision 1[^]*revision 1/);
      }
      assert.equal(reported(client.updates(sessionId)).diffs.length, 10);
    });

    it('PE-3: asks once for a turn, and leaves all files alone when that is not allowed', async () => {
      const asked: RequestPermissionRequest[] = [];
      const yes = await started({ answers: permit('allow_once', asked) }, 'ask');
      await yes.client.prompt(yes.sessionId, '/work direct');
      assert.equal(asked.length, 1);
      const no = await started({ answers: permit('reject_once') }, 'ask');
      await no.client.prompt(no.sessionId, '/work command');
      assert.deepEqual(statuses(no.client.updates(no.sessionId)), ['failed']);
      assert.match(textOf(no.client.updates(no.sessionId), 'agent_message_chunk'), /did not allow/);
      await assert.rejects(access(path.join(no.cwd, 'demo-agent', 'report.txt')));
    });

    it('changes nothing in the mode that only plans', async () => {
      const { client, sessionId, cwd } = await started({}, 'plan');
      for (const kind of ['start', 'direct', 'fragments', 'command', 'again', 'many']) {
        await client.prompt(sessionId, `/work ${kind}`);
      }
      assert.deepEqual(await readdir(cwd), []);
      assert.match(textOf(client.updates(sessionId), 'agent_message_chunk'), /I change nothing/);
    });

    it('follows no link out of the folder', async () => {
      const { client, sessionId, cwd } = await started();
      const elsewhere = await world.folder();
      await symlink(elsewhere, path.join(cwd, 'demo-agent'));
      await client.prompt(sessionId, '/work many');
      assert.match(
        textOf(client.updates(sessionId), 'agent_message_chunk'),
        /leads to another folder, so I leave it alone/,
      );
      assert.deepEqual(await readdir(elsewhere), []);
      const other = await started();
      const secret = path.join(elsewhere, 'secret.txt');
      await writeFile(secret, 'mine');
      await mkdir(path.join(other.cwd, 'demo-agent'));
      await symlink(secret, path.join(other.cwd, 'demo-agent', 'notes.md'));
      await other.client.prompt(other.sessionId, '/work direct');
      assert.equal(await readFile(secret, 'utf8'), 'mine');
    });

    it('an unknown word is answered with those that there are', async () => {
      const { client, sessionId, cwd } = await started();
      await client.prompt(sessionId, '/work wonders');
      const answer = textOf(client.updates(sessionId), 'agent_message_chunk');
      for (const word of ['start', 'direct', 'fragments', 'command', 'again', 'many']) {
        assert.ok(answer.includes(`/work ${word}`), word);
      }
      assert.deepEqual(await readdir(cwd), []);
    });
  });
}
