import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { listsKey } from '../../../../../src/model/list/rememberedLists';
import type { Session } from '../../../../../src/model/session/session';
import type { SessionInfo } from '../../../../../src/protocol/agentConnection';
import { until } from '../../../../support/until';
import { memento } from '../../../model/fakePlatform';
import { config, folder, paged, session, sessions } from '../../../model/fakes';
import { ids } from '../../../model/list/listBench';
import { before, CountedStorage, listWindow, stored, tamper } from './listWindow';

const other = { name: 'other', path: '/home/user/other' };

/** A window whose agent lists these sessions, with its list read. */
async function loaded(storage = memento(), listed: readonly SessionInfo[] = sessions(3)) {
  const window = listWindow(storage, (connection) => {
    connection.list = paged(listed);
  });
  await window.list.load();
  return window;
}

/** What the window's list starts with when its agent takes forever. */
function shownFirst(storage = memento()): string[] {
  const window = listWindow(storage, (connection) => {
    connection.list = () => new Promise(() => undefined);
  });
  void window.list.load();
  return ids(window.list);
}

describe('memory of lists', () => {
  describe('what is stored', () => {
    it('SEC-77: is what a row shows and opens, and nothing else', async () => {
      const storage = memento();
      const told = session('a', {
        title: 'One\nline',
        updatedAt: '2026-01-01T00:00:00Z',
        additionalDirectories: ['/more'],
        gitBranch: 'topic',
        state: 'running',
        cost: { amount: 1, currency: 'USD' },
        _meta: { secret: 'no' },
      });
      (await loaded(storage, [told])).memory.end();
      assert.deepEqual(storage.get(listsKey), {
        version: 1,
        lists: [
          {
            agentId: 'demo',
            program: 'uVLtJO6QI3QyD_zY-vmVg8',
            folder: folder.path,
            sessions: [
              {
                sessionId: 'a',
                cwd: folder.path,
                additionalDirectories: ['/more'],
                title: 'One line',
                updatedAt: '2026-01-01T00:00:00Z',
                gitBranch: 'topic',
              },
            ],
          },
        ],
      });
    });

    it('is only what the agent has listed in this window', async () => {
      const storage = memento();
      await before(storage, paged(sessions(2), sessions(2, 2)), 2);
      assert.deepEqual(stored(storage), ['s0', 's1', 's2', 's3']);
      const window = listWindow(storage, (connection) => {
        connection.list = paged(
          [...sessions(2), session('old', { archived: true })],
          sessions(2, 2),
        );
      });
      await window.list.load();
      window.list.agent.lists.add(session('made', { updatedAt: '2026-02-01T00:00:00Z' }));
      assert.deepEqual(ids(window.list), ['made', 's0', 's1', 's2', 's3', 'old']);
      window.memory.end();
      assert.deepEqual(stored(storage), ['s0', 's1']);
    });

    it('SEC-188: is nothing of an agent of this window only', async () => {
      const storage = memento();
      const window = listWindow(storage, (connection) => {
        connection.list = paged(sessions(3));
      });
      Object.assign(window.list.agent.config, { ofWindow: true });
      await window.list.load();
      window.memory.end();
      assert.equal(storage.get(listsKey), undefined);
    });

    it('LIST-3: is what was opened here with an agent that can’t list', async () => {
      const storage = memento();
      const window = listWindow(storage, (connection) => {
        connection.capabilities = { ...connection.capabilities, list: false };
      });
      await window.list.load();
      window.memory.end();
      assert.deepEqual(stored(storage), []);
      await window.remembered.keep('demo', session('mine', { title: 'Mine' }));
      window.memory.end();
      assert.deepEqual(stored(storage), ['mine']);
      window.cached.add('mine');
      window.settings.set();
      assert.deepEqual(
        window.agents.all.map(({ id, config: { removed } }) => [id, removed !== undefined]),
        [['demo', true]],
      );
    });

    it('stays with an agent on another machine whose folder for new sessions is set', async () => {
      const storage = memento();
      const remote = { url: 'wss://build.example/acp', headers: {}, pathMappings: [] };
      const window = await loaded(storage);
      window.settings.set(config('demo', { command: '', remote }));
      const list = window.agents.get('demo')?.lists.of(folder);
      await list?.load();
      window.memory.end();
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
      const agent = window.agents.get('demo');
      window.settings.set(config('demo', { command: '', remote, cwd: '/[build.example]/srv' }));
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
      assert.equal(window.agents.get('demo'), agent, 'and it goes on running');
    });

    it('leaves out what was read ahead for a search', async () => {
      const storage = memento();
      const window = listWindow(storage, (connection) => {
        connection.list = paged(sessions(2), sessions(2, 2));
      });
      await window.list.load();
      await window.list.loadMore(true);
      window.memory.end();
      assert.deepEqual(stored(storage), ['s0', 's1']);
    });

    it('forgets a list that is empty now, and keeps one that couldn’t be read', async () => {
      const storage = memento();
      await before(storage, paged(sessions(2)));
      await before(storage, () => Promise.reject(new Error('no')));
      assert.deepEqual(stored(storage), ['s0', 's1']);
      await before(storage, paged([]));
      assert.equal(storage.get(listsKey), undefined);
    });
  });

  describe('bounds', () => {
    it('SEC-111: keeps a hundred rows of a list, the newest', async () => {
      const storage = memento();
      (await loaded(storage, sessions(200))).memory.end();
      assert.deepEqual(
        stored(storage),
        sessions(100).map(({ sessionId }) => sessionId),
      );
    });

    it('SEC-111: leaves out sessions with ids, paths, roots or branches beyond any use, and shortens titles', async () => {
      const storage = memento();
      const roots = Array.from({ length: 40 }, (_, index) => `/root${index}`);
      (
        await loaded(storage, [
          session('i'.repeat(8_000)),
          session('path', { additionalDirectories: [`/${'p'.repeat(8_000)}`] }),
          session('roots', { additionalDirectories: roots }),
          session('branch', { gitBranch: 'b'.repeat(400) }),
          session('time', { updatedAt: 'soon' }),
          session('title', { title: '👩‍👩‍👧‍👦'.repeat(1_000) }),
        ])
      ).memory.end();
      assert.deepEqual(stored(storage), ['title']);
      assert.ok(JSON.stringify(storage.get(listsKey)).length < 2_000);
    });

    it('SEC-111: keeps twenty lists, those that changed last', async () => {
      const storage = memento();
      const window = await loaded(storage);
      window.connections[0]!.list = ({ cwd }) => ({ sessions: [session('x', { cwd: cwd! })] });
      const names = Array.from({ length: 40 }, (_, index) => `/f${index}`);
      for (const path of names) {
        await window.agents.get('demo')!.lists.of({ name: path, path }).load();
        window.memory.end();
      }
      assert.deepEqual(
        window.lists.all.map((list) => list.folder),
        names.slice(20),
      );
    });

    it('SEC-111: keeps no more than a few hundred thousand characters of all lists together', async () => {
      const storage = memento();
      const window = await loaded(storage);
      const deep = `/${'d'.repeat(3_500)}`;
      window.connections[0]!.list = ({ cwd }) => ({
        sessions: sessions(30).map((it) => ({ ...it, cwd: cwd!, additionalDirectories: [deep] })),
      });
      for (const path of ['/a', '/b', '/c', '/d']) {
        await window.agents.get('demo')!.lists.of({ name: path, path }).load();
        window.memory.end();
      }
      assert.deepEqual(
        window.lists.all.map((list) => list.folder),
        [folder.path, '/d'],
      );
    });
  });

  describe('reading', () => {
    const good = (): unknown => ({
      version: 1,
      lists: [
        {
          agentId: 'demo',
          program: 'uVLtJO6QI3QyD_zY-vmVg8',
          folder: folder.path,
          sessions: [{ sessionId: 'a', cwd: folder.path }],
        },
      ],
    });
    const without = (text: string, instead: string): unknown =>
      JSON.parse(JSON.stringify(good()).replace(text, instead));
    const row = '{"sessionId":"a"';

    it('shows what was stored', async () => {
      const storage = memento();
      await tamper(storage, good);
      assert.deepEqual(shownFirst(storage), ['a']);
    });

    for (const [what, value] of Object.entries<unknown>({
      'a newer version': without('"version":1', '"version":2'),
      'no version': without('"version":1,', ''),
      'a text': 'lists',
      'an array': [good()],
      'lists that are none': { version: 1, lists: [null, 5, { agentId: 7 }, { x: 1 }] },
      'another agent': without('"demo"', '"other"'),
      'another program': without('uVLtJO6Q', 'AAAAAAAA'),
      'the same id twice': without(row, `${row},"cwd":"/x"},${row}`),
      'an empty id': without('"sessionId":"a"', '"sessionId":""'),
      'an id with a zero character': without('"sessionId":"a"', '"sessionId":"a\\u0000"'),
      'an id that is no text': without('"sessionId":"a"', '"sessionId":{}'),
      'a relative folder': without(`"cwd":"${folder.path}"`, '"cwd":"project"'),
      'a title that is no text': without(row, `${row},"title":["x"]`),
      'a title that is too long': without(row, `${row},"title":"${'x'.repeat(1_400)}"`),
      'a time that is none': without(row, `${row},"updatedAt":"yesterday"`),
      'roots that are no texts': without(row, `${row},"additionalDirectories":[1]`),
      'too many rows': without(
        row,
        `${Array.from({ length: 200 }, (_, at) => `{"sessionId":"x${at}","cwd":"/x"},`).join('')}${row}`,
      ),
    })) {
      it(`SEC-77: silently ignores ${what}`, async () => {
        const storage = memento();
        await tamper(storage, () => value);
        assert.deepEqual(shownFirst(storage), []);
      });
    }

    it('writes its own version over another one', async () => {
      const storage = memento();
      await tamper(storage, () => without('"version":1', '"version":2'));
      (await loaded(storage)).memory.end();
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    });
  });

  describe('writing', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('writes once for many changes, and not at all for none', async () => {
      const storage = new CountedStorage();
      const window = await loaded(storage);
      const push = (title: string): void => window.list.agent.lists.push('s2', { title });
      for (let change = 0; change < 100; change++) {
        push(`${change}`);
        window.list.agent.lists.push('s2', {
          updatedAt: `2026-03-01T00:00:${10 + (change % 50)}Z`,
        });
      }
      assert.equal(storage.written, 0);
      mock.timers.tick(2_000);
      assert.equal(storage.written, 1);
      await window.list.refresh();
      mock.timers.tick(2_000);
      assert.equal(storage.written, 1);
    });

    it('writes nothing while a session streams, and all of it afterwards', async () => {
      const storage = new CountedStorage();
      const window = await loaded(storage);
      const turns = { current: { kind: 'running' } };
      const phase = { kind: 'ready' };
      window.open.push({ turns, phase } as unknown as Session);
      mock.timers.tick(60_000);
      assert.equal(storage.written, 0);
      turns.current.kind = 'idle';
      phase.kind = 'loading';
      mock.timers.tick(60_000);
      assert.equal(storage.written, 0);
      phase.kind = 'ready';
      mock.timers.tick(2_000);
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    });

    it('writes nothing after the window is gone', async () => {
      const storage = new CountedStorage();
      const window = await loaded(storage);
      window.memory.dispose();
      mock.timers.tick(60_000);
      assert.equal(storage.written, 0);
    });

    it('keeps what another window has stored meanwhile', async () => {
      const storage = memento();
      const [one, two] = [await loaded(storage), await loaded(storage)];
      two.connections[0]!.list = ({ cwd }) => ({ sessions: [session('x', { cwd: cwd! })] });
      await two.agents.get('demo')!.lists.of(other).load();
      two.memory.end();
      one.memory.end();
      assert.deepEqual(one.lists.all.map((list) => list.folder).sort(), [other.path, folder.path]);
    });
  });

  describe('forgetting', () => {
    it('SEC-78: forgets a deleted session at once', async () => {
      const storage = memento();
      const window = await loaded(storage);
      window.memory.end();
      window.memory.forget({ agentId: 'demo', sessionId: 's1' });
      assert.deepEqual(stored(storage), ['s0', 's2']);
      window.memory.forget({ agentId: 'demo', sessionId: 's0' });
      window.memory.forget({ agentId: 'other', sessionId: 's2' });
      assert.deepEqual(stored(storage), ['s2']);
    });

    it('SEC-78, SEC-146: forgets an agent that isn’t configured any more, runs another program, or has another account', async () => {
      const account = { env: { CLAUDE_CONFIG_DIR: '/home/me/.claude-work' } };
      for (const agents of [
        [],
        [config('demo', { command: 'another' })],
        [config('demo', account)],
      ]) {
        const storage = memento();
        const window = await loaded(storage);
        window.memory.end();
        window.settings.set(...agents);
        await until(() => stored(storage).length === 0);
        window.memory.end();
        assert.deepEqual(stored(storage), [], 'and what was about to be stored');
        assert.deepEqual(
          window.agents.all.map(({ config: { removed } }) => removed),
          agents.map(() => undefined),
        );
      }
    });

    it('keeps an agent whose entry can’t be used now, or whose title has changed', async () => {
      const storage = memento();
      const window = await loaded(storage);
      window.memory.end();
      window.settings.replace({ agents: [], problems: [{ id: 'demo', reason: 'no command' }] });
      window.settings.set(config('demo', { title: 'Better' }));
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
      assert.deepEqual(shownFirst(storage), ['s0', 's1', 's2']);
    });

    it('keeps all agents without trust, which hides those of the workspace’s settings', async () => {
      const storage = memento();
      const window = await loaded(storage);
      window.memory.end();
      window.workspace.trusted = false;
      window.settings.set();
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    });

    it('clears everything, also the rows that are only remembered, and what was about to be stored', async () => {
      const storage = memento();
      await before(storage, paged(sessions(2), sessions(2, 2)), 2);
      const window = await loaded(storage, sessions(2));
      const slow = listWindow(storage, (connection) => {
        connection.list = () => new Promise(() => undefined);
      });
      void slow.list.load();
      slow.memory.clear();
      assert.deepEqual(ids(slow.list), []);
      assert.equal(storage.get(listsKey), undefined);
      window.memory.clear();
      window.memory.end();
      assert.deepEqual(ids(window.list), ['s0', 's1'], 'what the agent has listed stays');
      assert.equal(storage.get(listsKey), undefined);
    });

    it('remembers and shows nothing while the setting is off, and what is there once it is on', async () => {
      const storage = memento();
      await before(storage, paged(sessions(2)));
      const window = listWindow(storage, (connection) => {
        connection.list = paged(sessions(3));
      });
      window.setting.remembersLists = false;
      const read = window.list.load();
      assert.deepEqual(ids(window.list), []);
      await read;
      window.memory.settingChanged();
      window.memory.end();
      assert.equal(storage.get(listsKey), undefined);
      window.setting.remembersLists = true;
      window.memory.settingChanged();
      window.memory.end();
      assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    });
  });

  it('is told of what happens', async () => {
    const storage = memento();
    const window = listWindow(storage, (connection) => {
      connection.list = paged(sessions(3));
    });
    const { memory, setting, settingChanged } = window;
    await window.list.load();
    memory.end();
    assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    window.deleted.fire({ agentId: 'demo', sessionId: 's1' });
    assert.deepEqual(stored(storage), ['s0', 's2']);
    setting.remembersLists = false;
    settingChanged.fire();
    assert.equal(storage.get(listsKey), undefined);
    setting.remembersLists = true;
    settingChanged.fire();
    memory.end();
    assert.deepEqual(stored(storage), ['s0', 's1', 's2']);
    memory.clear();
    assert.equal(storage.get(listsKey), undefined);
    memory.dispose();
  });
});
