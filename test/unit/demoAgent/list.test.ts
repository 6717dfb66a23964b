import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { methods } from '@agentclientprotocol/sdk/unstable';
import { byPlace, decodeCursor, encodeCursor } from '../../../src/demoAgent/store/cursor';
import type { ListedFacts } from '../../../src/protocol/agentConnection';
import { fc } from '../../support/properties';
import { until } from '../../support/until';
import { DemoWorld, errorCode, type TestClient, versions } from './harness';

const { list } = methods.agent.session;

for (const version of versions) {
  describe(`demo agent, version ${version}: session/list`, () => {
    const world = new DemoWorld(version);
    afterEach(() => world.dispose());

    /** Sessions titled by number, so that the last one is the newest. */
    async function sessions(client: TestClient, cwd: string, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let number = 1; number <= count; number++) {
        ids.push(await client.prompted(cwd, `Hello ${number}`));
      }
      return ids;
    }

    const names = (from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, index) => `Hello ${from - index}`);

    it('LIST-6, LIST-7: pages of its own size, newest first, the last one without a cursor', async () => {
      const client = await world.connect(await world.folder(), { pageSize: 3 });
      const cwd = await world.folder();
      await sessions(client, cwd, 7);
      assert.deepEqual(await client.titles(), [names(7, 5), names(4, 2), names(1, 1)]);
    });

    it('LIST-7: a last page that is exactly full has no cursor', async () => {
      const client = await world.connect(await world.folder(), { pageSize: 3 });
      await sessions(client, await world.folder(), 6);
      assert.deepEqual(await client.titles(), [names(6, 4), names(3, 1)]);
    });

    it('T-46: tells of its open sessions what the draft for lists has, and when that changes', async () => {
      let changes = 0;
      const client = await world.connect(await world.folder(), {
        answers: (app) =>
          app.onNotification('*', ({ method }) => {
            changes += method === '_session/list_changed' ? 1 : 0;
          }),
      });
      const cwd = await world.folder();
      await mkdir(path.join(cwd, '.git'));
      await writeFile(path.join(cwd, '.git', 'HEAD'), 'ref: refs/heads/fix/cart\n');
      const sessionId = await client.prompted(cwd, 'Hello');
      const told = async (): Promise<unknown> => {
        const [row] = (await client.request(list, { cwd })).sessions;
        const { jetbrains } = (row?._meta ?? {}) as { jetbrains?: { air?: ListedFacts } };
        const { state, gitBranch, lastTurnEndedAt } = jetbrains?.air ?? {};
        return [state, gitBranch, typeof lastTurnEndedAt];
      };
      assert.deepEqual(await told(), ['idle', 'fix/cart', 'string']);
      await until(() => changes === 2);
      await client.request(methods.agent.session.close, { sessionId });
      assert.deepEqual(await told(), [undefined, 'fix/cart', 'undefined']);
    });

    it('T-4: sessions that come, go and move while paging neither repeat nor hide the others', async () => {
      const client = await world.connect(await world.folder(), { pageSize: 2 });
      const cwd = await world.folder();
      const ids = await sessions(client, cwd, 6);
      const first = await client.request(list, { cwd });
      assert.deepEqual(
        first.sessions.map((session) => session.sessionId),
        [ids[5], ids[4]],
      );

      await client.prompted(cwd, 'a new one');
      await client.prompt(ids[5]!, 'moves to the top');
      await client.request(methods.agent.session.delete, { sessionId: ids[4]! });

      const second = await client.request(list, { cwd, cursor: first.nextCursor! });
      assert.deepEqual(
        second.sessions.map((session) => session.sessionId),
        [ids[3], ids[2]],
      );
      const third = await client.request(list, { cwd, cursor: second.nextCursor! });
      assert.deepEqual(
        third.sessions.map((session) => session.sessionId),
        [ids[1], ids[0]],
      );
      assert.equal(third.nextCursor, undefined);
    });

    it('LIST-10: a cursor that it did not give out, or gave for another filter, is -32602', async () => {
      const client = await world.connect(await world.folder(), { pageSize: 1 });
      const cwd = await world.folder();
      await sessions(client, cwd, 2);
      const { nextCursor } = await client.request(list, { cwd });
      assert.equal(typeof nextCursor, 'string');
      const wrong = [
        '',
        '7',
        'garbage',
        `${nextCursor} `,
        `${nextCursor}=`,
        nextCursor!.slice(0, -3),
      ];
      for (const cursor of wrong) {
        await assert.rejects(client.request(list, { cwd, cursor }), errorCode(-32602), cursor);
      }
      await assert.rejects(client.request(list, { cursor: nextCursor! }), errorCode(-32602));
      await client.request(list, { cwd, cursor: nextCursor! });
    });

    it('LIST-6: for any sessions and any place in them, a cursor leads exactly behind that place', () => {
      const place = fc.record({ updatedAt: fc.integer(), sessionId: fc.string() });
      fc.assert(
        fc.property(
          fc.array(place, { minLength: 1 }),
          fc.nat(),
          fc.string(),
          (places, at, filter) => {
            const sorted = places.toSorted(byPlace);
            const last = sorted[at % sorted.length]!;
            const after = decodeCursor(encodeCursor(last, filter), filter);
            const rest = sorted.filter((candidate) => byPlace(candidate, after) > 0);
            assert.deepEqual(
              rest,
              sorted.slice(sorted.findLastIndex((p) => byPlace(p, last) === 0) + 1),
            );
          },
        ),
      );
    });

    it('T-1: the cwd filter knows a folder by all of its spellings, and no other folder', async () => {
      const client = await world.connect(await world.folder());
      const home = await world.folder();
      const cwd = path.join(home, 'shop');
      const link = path.join(home, 'link');
      await mkdir(path.join(cwd, 'src'), { recursive: true });
      await symlink(cwd, link, 'junction');
      await client.prompted(cwd, 'here');
      await client.prompted(path.join(cwd, 'src'), 'below');
      await client.prompted(home, 'above');
      for (const spelling of [cwd, `${cwd}${path.sep}`, `${cwd}/../shop`, link, `${link}/src/..`]) {
        assert.deepEqual(await client.titles({ cwd: spelling }), [['here']], spelling);
      }
      assert.deepEqual(await client.titles(), [['above', 'below', 'here']]);
    });

    it('LIST-11: no match is an empty list; TR-11: a relative cwd is -32602', async () => {
      const client = await world.connect(await world.folder());
      const cwd = await world.folder();
      await client.prompted(cwd, 'here');
      assert.deepEqual(await client.titles({ cwd: path.join(cwd, 'none') }), [[]]);
      await assert.rejects(client.request(list, { cwd: 'shop' }), errorCode(-32602));
    });

    it('a session is listed from its first prompt on, with everything known about it', async () => {
      const store = await world.folder();
      const client = await world.connect(store);
      const cwd = await world.folder();
      const other = await world.folder();
      const { sessionId } = await client.request(methods.agent.session.new, {
        cwd,
        mcpServers: [],
        additionalDirectories: [other, other, cwd],
      });
      assert.deepEqual(await client.titles(), [[]]);
      await client.prompt(sessionId, 'Hello');
      const { sessions: listed } = await client.request(list, {});
      assert.deepEqual(listed, [
        {
          sessionId,
          cwd,
          title: 'Hello',
          updatedAt: new Date(world.time).toISOString(),
          additionalDirectories: [other],
          _meta: {
            jetbrains: {
              air: { state: 'idle', lastTurnEndedAt: new Date(world.time).toISOString() },
            },
          },
        },
      ]);
    });

    it('the archived filter: without, with, only; an unknown value is -32602', async () => {
      const client = await world.connect(await world.folder());
      const cwd = await world.folder();
      await client.prompted(cwd, 'one');
      const two = await client.prompted(cwd, 'two');
      await client.request(methods.agent.session.archive, { sessionId: two });
      assert.deepEqual(await client.titles(), [['one']]);
      assert.deepEqual(await client.titles({ archived: 'include' }), [['two', 'one']]);
      assert.deepEqual(await client.titles({ archived: 'only' }), [['two']]);
      const { sessions: listed } = await client.request(list, { archived: 'only' });
      assert.equal(listed[0]?.archived, true);
      await assert.rejects(client.request(list, { archived: 'some' }), errorCode(-32602));
    });
  });
}
