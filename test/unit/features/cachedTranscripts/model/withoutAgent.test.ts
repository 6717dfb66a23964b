import assert from 'node:assert/strict';
import { stat, utimes } from 'node:fs/promises';
import { getProgram } from '../../../../../src/model/list/rememberedLists';
import { AcpError } from '../../../../../src/protocol/errors';
import { config, session as info } from '../../../model/fakes';
import { replays } from '../../../model/sessionBench';
import {
  cacheWindow,
  filesIn,
  newCacheFolder,
  openedBefore,
  removeCaches,
  textsOf,
} from './cacheWindow';

describe('cached transcripts without their agent', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newCacheFolder();
  });
  afterEach(removeCaches);

  it('are read as a whole if the agent can’t be reached, with when they were stored', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(1_000)}`);
    await openedBefore(folder, (connection) => replays(connection, ...texts));
    const [file] = await filesIn(folder);
    const stored = new Date(2026, 0, 1);
    await utimes(file!, stored, stored);
    for (let time = 0; time < 2; time++) {
      const window = cacheWindow(folder);
      const { session, cache } = window;
      await cache.recallWhole(session);
      assert.ok(!session.shown.isCached, 'the agent may still answer');
      window.connect = () => Promise.reject(new AcpError('notFound', 'gone'));
      await session.load();
      await cache.recallWhole(session);
      assert.deepEqual(textsOf(session.shown.entries), texts);
      assert.equal(session.shown.cachedAt, stored.getTime(), 'it was only read since');
    }
    assert.ok((await stat(file!)).atime > stored);
  });

  it('SEC-79: are there if it was removed, until they are forgotten', async () => {
    await openedBefore(folder, (connection) => replays(connection, 'one'));
    const made = cacheWindow(folder);
    const removed = { program: getProgram(made.agent.config) };
    await made.session.close();
    made.settings.set(config('demo', { command: '', removed }));
    const session = made.sessions.open(made.agents.get('demo')!, info('s0'));
    made.connect = () => assert.fail('it has no program');
    await session.load();
    await made.cache.recall(session);
    assert.deepEqual(textsOf(session.shown.entries), ['one']);
    const ids = ['s0', 's1'];
    assert.deepEqual([...(await made.cache.among('demo', removed.program, ids))], ['s0']);
    assert.deepEqual([...(await made.cache.among('demo', 'other', ids))], []);
    await made.cache.forgetAgent('other');
    assert.equal((await filesIn(folder)).length, 1);
    await made.cache.forgetAgent('demo');
    assert.deepEqual(await filesIn(folder), []);
  });
});
