import assert from 'node:assert/strict';
import { until } from '../../../../support/until';
import { memento } from '../../../model/fakePlatform';
import { config, folder, paged, sessions } from '../../../model/fakes';
import { ids } from '../../../model/list/listBench';
import { type ListWindow, listWindow, stored } from './listWindow';

describe('an agent that was removed from the settings', () => {
  /** A window that has read the list. */
  async function loaded(storage: ReturnType<typeof memento>): Promise<ListWindow> {
    const window = listWindow(storage, (connection) => {
      connection.list = paged(sessions(3));
    });
    await window.list.load();
    return window;
  }

  it('SEC-78: keeps its sessions that are cached, until it is configured again', async () => {
    const storage = memento();
    const window = await loaded(storage);
    window.settings.set(config('demo', { title: 'Poet' }));
    await window.agents.get('demo')?.lists.of(folder).load();
    window.memory.end();
    window.cached.add('s1');
    window.settings.set(config('other'));
    await until(() => stored(storage).length === 1);
    const [other, removed] = window.agents.all;
    assert.deepEqual([other?.id, removed?.id, removed?.title], ['other', 'demo', 'Poet']);
    window.connect = () => assert.fail('it has no program');
    const list = removed?.lists.of(folder);
    await list?.load();
    assert.deepEqual(
      list?.rows.map(({ info }) => info.sessionId),
      ['s1'],
    );
    assert.ok(removed?.state.kind === 'failed');
    assert.equal(removed.state.failure.title, 'Poet is no longer configured');
    window.memory.end();
    assert.deepEqual(stored(storage), ['s1'], 'its failure says nothing of what it has');
    window.settings.set(config('demo', { title: 'Poet' }));
    assert.equal(window.agents.all.length, 1);
    const again = listWindow(storage, (connection) => {
      connection.list = () => new Promise(() => undefined);
    });
    void again.list.load();
    assert.deepEqual(ids(again.list), ['s1']);
  });

  it('SEC-78: is forgotten once nothing of it is cached any more, or on request', async () => {
    const storage = memento();
    const window = await loaded(storage);
    window.memory.end();
    window.cached.add('s1');
    window.settings.set();
    assert.deepEqual(
      window.agents.all.map(({ id }) => id),
      ['demo'],
    );
    window.cached.clear();
    window.memory.keepConfigured();
    await until(() => window.agents.all.length === 0);
    assert.deepEqual(stored(storage), []);
    const again = await loaded(storage);
    again.memory.end();
    again.cached.add('s1');
    again.settings.set();
    again.memory.forgetAgent('demo');
    assert.deepEqual([again.agents.all, stored(storage)], [[], []]);
  });
});
