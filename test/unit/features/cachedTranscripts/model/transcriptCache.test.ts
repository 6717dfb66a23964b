import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { AcpError } from '../../../../../src/protocol/errors';
import { deferred } from '../../../../../src/util/async';
import { until } from '../../../../support/until';
import { config, type FakeConnection, idle, session as info } from '../../../model/fakes';
import { draft, prompted, replays } from '../../../model/sessionBench';
import { agent, call, user } from '../../../model/updates';
import {
  cacheWindow,
  filesIn,
  followed,
  newCacheFolder,
  openedBefore,
  removeCaches,
  textsOf,
} from './cacheWindow';

const said = (...texts: readonly string[]) => {
  return (connection: FakeConnection): void => replays(connection, ...texts);
};

describe('cached transcripts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newCacheFolder();
  });
  afterEach(removeCaches);

  describe('shown when the session is opened again', () => {
    it('at once, until the agent has replayed it, which then is what is shown', async () => {
      await openedBefore(folder, said('one', 'two'));
      const begin = deferred<undefined>();
      const go = deferred<undefined>();
      const window = cacheWindow(folder, (connection) => {
        connection.replay = async ({ sessionId }) => {
          await begin.promise;
          connection.send(sessionId, agent('one', '0'), agent('two', '1'));
          await go.promise;
          connection.send(sessionId, agent('three', '2'));
        };
      });
      const { session, cache } = window;
      const loaded = session.load();
      await cache.recall(session);
      assert.deepEqual(textsOf(session.shown.entries), ['one', 'two']);
      assert.deepEqual(session.transcript.entries, [], 'nothing of it is the session’s own');
      const seen = followed(window);
      begin.resolve(undefined);
      await until(() => session.transcript.updates === 2);
      assert.equal(session.shown.isCached, true);
      assert.ok(!seen.changes.some(({ type }) => type !== 'updated'));
      go.resolve(undefined);
      await loaded;
      assert.equal(session.shown.isCached, false);
      assert.deepEqual(textsOf(session.shown.entries), ['one', 'two', 'three']);
      assert.deepEqual(seen.entries, session.transcript.entries);
      window.connections[0]!.send('s0', agent('four', '3'));
      assert.deepEqual(textsOf(seen.entries), ['one', 'two', 'three', 'four']);
    });

    it('SEC-145: by a page that was quicker than the cache, too', async () => {
      await openedBefore(folder, said('one', 'two'));
      const go = deferred<undefined>();
      const window = cacheWindow(folder, (connection) => {
        connection.replay = async ({ sessionId }) => {
          await go.promise;
          connection.send(sessionId, agent('one', '0'), agent('three', '1'));
        };
      });
      const { session, cache } = window;
      const { shown } = session;
      const seen = followed(window);
      const loaded = session.load();
      await cache.recall(session);
      assert.equal(session.shown, shown);
      assert.deepEqual(textsOf(seen.entries), ['one', 'two']);
      go.resolve(undefined);
      await loaded;
      assert.equal(session.shown, shown);
      assert.deepEqual(textsOf(seen.entries), ['one', 'three']);
      assert.deepEqual(seen.entries, session.transcript.entries);
    });

    it('also when the load fails, and after another attempt only what that replays', async () => {
      await openedBefore(folder, said('one'));
      let isDown = true;
      const window = cacheWindow(folder, (connection) => {
        connection.replay = ({ sessionId }) => {
          if (isDown) {
            connection.send(sessionId, agent('half'));
            throw new AcpError('rpc', 'no luck');
          }
          connection.send(sessionId, agent('new'));
        };
      });
      const { session, cache } = window;
      const loaded = session.load();
      await cache.recall(session);
      await loaded;
      assert.equal(session.phase.kind, 'failed');
      assert.deepEqual(textsOf(session.shown.entries), ['one']);
      isDown = false;
      await session.reload();
      assert.deepEqual(textsOf(session.shown.entries), ['new']);
    });

    it('in a page that was drawn before it was read, of an agent that has failed by then', async () => {
      await openedBefore(folder, said('one', 'two'));
      const window = cacheWindow(folder);
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const { session, cache } = window;
      const recalled = cache.recall(session);
      const seen = followed(window);
      assert.deepEqual(seen.entries, []);
      await session.load();
      assert.equal(session.phase.kind, 'failed');
      await recalled;
      assert.deepEqual(textsOf(seen.entries), ['one', 'two']);
      assert.equal(session.shown.isCached, true);
    });

    it('not once it was cleared while it was read', async () => {
      await openedBefore(folder, said('one'));
      const window = cacheWindow(folder);
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const { session, cache } = window;
      const recalled = cache.recall(session);
      await cache.clear();
      await session.load();
      await recalled;
      assert.deepEqual(textsOf(session.shown.entries), []);
    });

    it('when the agent can’t be started at all, and until the user goes on', async () => {
      await openedBefore(folder, said('one'));
      const window = cacheWindow(folder);
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const { session, cache } = window;
      const loaded = session.load();
      await cache.recall(session);
      await loaded;
      assert.equal(session.phase.kind, 'failed');
      assert.deepEqual(textsOf(session.shown.entries), ['one']);
      session.turns.submit(draft('hello?'));
      await until(() => session.turns.current.kind === 'idle');
      assert.deepEqual(
        textsOf(session.shown.entries),
        ['hello?', 'turn'],
        'with what can be resent',
      );
    });

    it('not once a question waits in the session’s own transcript', async () => {
      await openedBefore(folder, said('one'));
      const go = deferred<undefined>();
      const window = cacheWindow(folder, (connection) => {
        connection.replay = () => go.promise;
      });
      const { session, cache } = window;
      const loaded = session.load();
      await cache.recall(session);
      assert.equal(session.shown.isCached, true);
      const asked = session.requests.permission(
        {
          sessionId: 's0',
          toolCall: { toolCallId: 'c', title: 'Delete' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        },
        new AbortController().signal,
      );
      assert.deepEqual(
        session.shown.entries.map(({ kind }) => kind),
        ['toolCall', 'permission'],
      );
      assert.deepEqual(session.requests.waiting, [1]);
      go.resolve(undefined);
      await loaded;
      await session.close();
      await asked;
    });

    it('SEC-79: without what was asked in it, and with nothing at work', async () => {
      await openedBefore(folder, (connection) => {
        connection.replay = ({ sessionId }) =>
          connection.send(sessionId, user('do'), call('c', { status: 'in_progress' }));
      });
      const window = cacheWindow(folder);
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const { session, cache } = window;
      const loaded = session.load();
      await cache.recall(session);
      const [, entry] = session.shown.entries;
      assert.ok(entry?.kind === 'toolCall');
      assert.equal(entry.status, 'interrupted');
      await loaded;
    });

    it('as a whole, however long it is, with the newest entries first', async () => {
      const texts = Array.from({ length: 900 }, (_, at) => `${at} ${'x'.repeat(1_000)}`);
      await openedBefore(folder, said(...texts));
      const window = cacheWindow(folder);
      const { session, cache } = window;
      const go = deferred<undefined>();
      window.connect = () =>
        go.promise.then(() => Promise.reject(new AcpError('notFound', 'gone')));
      const loaded = session.load();
      await cache.recall(session);
      const seen = followed(window);
      assert.equal(seen.entries.length, 900);
      assert.equal(textsOf(seen.entries).at(-1), texts.at(-1));
      assert.equal(textsOf(seen.entries)[0], '…', 'not read yet');
      await until(() => textsOf(seen.entries)[0] === texts[0]);
      assert.deepEqual(textsOf(seen.entries), texts);
      go.resolve(undefined);
      await loaded;
    });
  });

  describe('only those that belong there', () => {
    const shows = async (window: ReturnType<typeof cacheWindow>): Promise<boolean> => {
      const { session, cache } = window;
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const loaded = session.load();
      await cache.recall(session);
      await loaded;
      return session.shown.isCached;
    };

    it('SEC-79: not those of another program under the same id, which are deleted', async () => {
      await openedBefore(folder, said('one'));
      const made = cacheWindow(folder);
      made.settings.set(config('demo', { command: 'other' }));
      const other = made.agents.get('demo')!;
      await made.session.close();
      const session = made.sessions.open(other, info('s0'));
      assert.equal(await shows(Object.assign(made, { session })), false);
      // What is asked of the cache is done in order.
      await made.cache.settingChanged();
      assert.deepEqual(await filesIn(folder), []);
    });

    it('SEC-146: not those of another account of the same program, and nothing readable of its variables', async () => {
      const accountOf = (HOME: string) => config('demo', { env: { HOME, API_KEY: 'sk-secret' } });
      const before = cacheWindow(folder, said('one'));
      before.settings.set(accountOf('/home/one'));
      await before.session.close();
      const first = before.sessions.open(before.agents.get('demo')!, info('s0'));
      await first.load();
      await before.cache.end();
      const files = await filesIn(folder);
      assert.equal(files.length, 1);
      for (const file of files) {
        assert.doesNotMatch(file + (await readFile(file, 'latin1')), /sk-secret|home.one/);
      }
      await before.agents.close();
      for (const [home, isShown] of [
        ['/home/one', true],
        ['/home/two', false],
      ] as const) {
        const made = cacheWindow(folder);
        made.settings.set(accountOf(home));
        await made.session.close();
        const session = made.sessions.open(made.agents.get('demo')!, info('s0'));
        assert.equal(await shows(Object.assign(made, { session })), isShown, home);
      }
    });

    it('SEC-79: not those of another folder or workspace', async () => {
      await openedBefore(folder, said('one'));
      assert.equal(await shows(cacheWindow(folder, undefined, { place: 'elsewhere' })), false);
      const made = cacheWindow(folder);
      await made.session.close();
      const session = made.sessions.open(made.agent, info('s0', { cwd: '/elsewhere' }));
      assert.equal(await shows(Object.assign(made, { session })), false);
    });

    it('SEC-79: none without Workspace Trust, in which none are stored either', async () => {
      await openedBefore(folder, said('one'), { trusted: false });
      assert.deepEqual(await filesIn(folder), []);
      await openedBefore(folder, said('one'));
      assert.equal(await shows(cacheWindow(folder, undefined, { trusted: false })), false);
      assert.equal((await filesIn(folder)).length, 1);
    });

    it('SEC-79: none that are damaged, cut off, of another version or not transcripts, which are deleted', async () => {
      const damages: readonly ((data: Buffer) => Buffer)[] = [
        (data) => data.subarray(0, -1),
        (data) => Buffer.concat([data, Buffer.alloc(3)]),
        (data) => Buffer.concat([data.subarray(0, -4), Buffer.from('1234')]),
        (data) => Buffer.concat([Buffer.from('[2'), data.subarray(2)]),
        (data) => data.subarray(0, data.indexOf('\n') + 1),
        () => Buffer.alloc(0),
      ];
      for (const damage of damages) {
        await openedBefore(folder, said('one'));
        const [file] = await filesIn(folder);
        await writeFile(file!, damage(await readFile(file!)));
        assert.equal(await shows(cacheWindow(folder)), false, String(damage));
        assert.deepEqual(await filesIn(folder), []);
      }
    });

    it('SEC-79: none after the session was deleted, its agent removed, or all were cleared', async () => {
      await openedBefore(folder, said('one'));
      const window = cacheWindow(folder);
      await window.cache.forget({ agentId: 'demo', sessionId: 'other' });
      assert.equal((await filesIn(folder)).length, 1);
      await window.cache.forget({ agentId: 'demo', sessionId: 's0' });
      assert.deepEqual(await filesIn(folder), []);
      await openedBefore(folder, said('one'));
      window.settings.set();
      await window.cache.forget({ agentId: 'demo', sessionId: 'other' });
      assert.deepEqual(await filesIn(folder), []);
      await openedBefore(folder, said('one'));
      const shown = cacheWindow(folder);
      assert.equal(await shows(shown), true);
      await shown.cache.clear();
      assert.equal(shown.session.shown.isCached, false);
      assert.deepEqual(await filesIn(folder), []);
    });

    it('none of a session that is deleted while it is written', async () => {
      const window = cacheWindow(folder, said('one'));
      await window.session.load();
      const written = window.cache.end();
      await window.cache.forget({ agentId: 'demo', sessionId: 's0' });
      await written;
      await window.cache.end();
      assert.deepEqual(await filesIn(folder), []);
    });

    it('none with a limit of 0, which deletes them', async () => {
      await openedBefore(folder, said('one'));
      const window = cacheWindow(folder, said('one'));
      window.setting.transcriptCacheLimit = 0;
      await window.cache.settingChanged();
      assert.deepEqual(await filesIn(folder), []);
      assert.equal(await shows(window), false);
    });
  });

  describe('stored', () => {
    it('after each turn, and only what is new is written', async () => {
      const texts = Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(1_000)}`);
      const window = cacheWindow(folder, said(...texts));
      await window.session.load();
      await window.cache.end();
      const [file] = await filesIn(folder);
      const before = await readFile(file!);
      const { connection, prompt } = await prompted(window);
      connection.send('s0', agent('answer', 'a'));
      prompt.resolve('end_turn');
      await until(() => window.session.turns.current.kind === 'idle');
      await window.cache.end();
      const after = await readFile(file!);
      const same = before.findIndex((byte, at) => byte !== after[at]);
      assert.ok(same > before.length / 3, 'the beginning is as it was');
      const next = cacheWindow(folder);
      next.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      const loaded = next.session.load();
      await next.cache.recall(next.session);
      await loaded;
      await until(() => textsOf(next.session.shown.entries)[0] === texts[0]);
      assert.deepEqual(textsOf(next.session.shown.entries), [...texts, 'go', 'answer']);
    });

    it('nothing of an agent that is of this window only, such as a trace', async () => {
      const made = cacheWindow(folder, said('one'));
      made.settings.set(config('demo', { ofWindow: true }));
      await made.session.close();
      const session = made.sessions.open(made.agents.get('demo')!, info('s0'));
      await session.load();
      await made.cache.end();
      assert.deepEqual(await filesIn(folder), []);
      assert.equal(session.phase.kind, 'ready');
    });

    it('not again if the agent replays what is stored', async () => {
      await openedBefore(folder, said('one'));
      const [file] = await filesIn(folder);
      const { ino } = await stat(file!);
      await openedBefore(folder, said('one'));
      assert.equal((await stat(file!)).ino, ino);
      await openedBefore(folder, said('one', 'two'));
      assert.notEqual((await stat(file!)).ino, ino);
    });

    it('when the session’s tab is closed right after its turn', async () => {
      const window = cacheWindow(folder, said('one'));
      await window.session.load();
      await window.session.close();
      await window.cache.end();
      assert.equal((await filesIn(folder)).length, 1);
    });

    it('not while any session streams, but soon after', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const window = cacheWindow(folder, said('one'));
        await window.session.load();
        const { prompt } = await prompted(window);
        for (let pause = 0; pause < 3; pause++) {
          mock.timers.tick(2_000);
          await idle();
        }
        assert.deepEqual(await filesIn(folder), []);
        prompt.resolve('end_turn');
        await until(() => window.session.turns.current.kind === 'idle');
        mock.timers.tick(2_000);
        await idle();
        await window.cache.end();
        assert.equal((await filesIn(folder)).length, 1);
      } finally {
        mock.timers.reset();
      }
    });

    it('neither a history that is missing its beginning nor one that is empty', async () => {
      await openedBefore(folder, said());
      const window = cacheWindow(folder);
      await window.session.resume();
      const { connection, prompt } = await prompted(window);
      connection.send('s0', agent('answer'));
      prompt.resolve('end_turn');
      await until(() => window.session.turns.current.kind === 'idle');
      await window.cache.end();
      assert.deepEqual(await filesIn(folder), []);
    });

    it('SEC-112: within the limit: those that were used least recently go first', async () => {
      const noise = (seed: number): string =>
        Array.from({ length: 20_000 }, (_, at) =>
          ((at * seed * 7_919) % 1_000_003).toString(36),
        ).join('');
      const window = cacheWindow(folder, said(noise(1)));
      const sizes: number[] = [];
      for (const id of ['a', 'b', 'c']) {
        await window.sessions.open(window.agent, info(id)).load();
        await window.cache.end();
        const files = await filesIn(folder);
        const times = await Promise.all(
          files.map(async (file) => {
            const { size, mtimeMs } = await stat(file);
            return { file, size, mtimeMs };
          }),
        );
        const newest = times.sort((x, y) => y.mtimeMs - x.mtimeMs)[0]!;
        sizes.push(newest.size);
        const time = new Date(2026, 0, sizes.length);
        await utimes(newest.file, time, time);
      }
      const oldest = (await filesIn(folder)).length;
      assert.equal(oldest, 3);
      window.setting.transcriptCacheLimit = sizes[0]! * 2 + 100;
      await window.cache.settingChanged();
      const left = await Promise.all((await filesIn(folder)).map((file) => stat(file)));
      assert.equal(left.length, 2);
      assert.ok(left.every(({ mtimeMs }) => mtimeMs >= new Date(2026, 0, 2).getTime()));
    });

    it('SEC-79: readable by nobody else', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      await openedBefore(folder, said('one'));
      const [file] = await filesIn(folder);
      assert.equal((await stat(file!)).mode & 0o777, 0o600);
      assert.equal((await stat(path.dirname(file!))).mode & 0o777, 0o700);
    });
  });
});
