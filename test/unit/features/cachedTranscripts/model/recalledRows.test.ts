import assert from 'node:assert/strict';
import type { SessionList } from '../../../../../src/model/agent';
import type { SessionInfo, SessionPage } from '../../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../../src/protocol/errors';
import { type Deferred, deferred } from '../../../../../src/util/async';
import { fc, tries } from '../../../../support/properties';
import { until } from '../../../../support/until';
import { memento } from '../../../model/fakePlatform';
import { allCapabilities, folder, idle, paged, session, sessions } from '../../../model/fakes';
import { ids } from '../../../model/list/listBench';
import { before, type ListWindow, listWindow, tamper } from './listWindow';

/** The ids of the rows that only memory knows. */
function remembered({ rows }: SessionList): string[] {
  return rows.flatMap(({ unlisted, info }) => (unlisted === 'remembered' ? [info.sessionId] : []));
}

/** A window whose agent answers each list request when the test does. */
function slowWindow(storage = memento()): ListWindow & { answers: Deferred<SessionPage>[] } {
  const answers: Deferred<SessionPage>[] = [];
  const window = listWindow(storage, (connection) => {
    connection.list = () => {
      const answer = deferred<SessionPage>();
      answers.push(answer);
      return answer.promise;
    };
  });
  return Object.assign(window, { answers });
}

/** A slow window after one that has read these pages. */
async function after(
  pages: readonly (readonly SessionInfo[])[],
  read = 1,
): Promise<ReturnType<typeof slowWindow> & { readonly loaded: Promise<void> }> {
  const storage = memento();
  await before(storage, paged(...pages), read);
  const window = slowWindow(storage);
  return Object.assign(window, { loaded: window.list.load() });
}

async function answer(
  { answers }: { readonly answers: Deferred<SessionPage>[] },
  page: SessionPage,
): Promise<void> {
  await until(() => answers.length > 0);
  answers.shift()!.resolve(page);
}

describe('remembered rows', () => {
  it('are there before the agent starts, and become its own without moving', async () => {
    const window = await after([sessions(5)]);
    const rows = window.list.rows;
    assert.equal(window.agents.get('demo')?.state.kind, 'stopped');
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2', 's3', 's4']);
    assert.deepEqual(remembered(window.list), ids(window.list));
    await answer(window, { sessions: sessions(5) });
    await window.loaded;
    assert.deepEqual(remembered(window.list), []);
    assert.deepEqual(
      window.list.rows.map(({ key, title, updatedAt }) => [key, title, updatedAt]),
      rows.map(({ key, title, updatedAt }) => [key, title, updatedAt]),
    );
    for (const shown of window.shown) {
      assert.deepEqual(shown, ids(window.list), 'nothing else in between');
    }
  });

  it('don’t hold up the agent where there are none', async () => {
    const window = await after([[]]);
    assert.equal(window.agents.get('demo')?.state.kind, 'starting');
    window.answers.shift()?.resolve({ sessions: [] });
  });

  it('go as soon as a page should have named them, and are joined by what is new', async () => {
    const window = await after([sessions(4, 1)]);
    const now = sessions(4).filter(({ sessionId }) => sessionId !== 's2');
    await answer(window, { sessions: now, nextCursor: 'p1' });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's3', 's4']);
    assert.deepEqual(remembered(window.list), ['s4']);
  });

  it('stay behind what was read until the pages come, or the end does', async () => {
    const window = await after([sessions(2), sessions(2, 2), sessions(2, 4)], 3);
    await answer(window, { sessions: sessions(2), nextCursor: 'p1' });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2', 's3', 's4', 's5']);
    assert.deepEqual(remembered(window.list), ['s2', 's3', 's4', 's5']);
    assert.equal(window.list.older.kind, 'ready');
    const more = window.list.loadMore();
    await answer(window, { sessions: sessions(2, 2), nextCursor: 'p2' });
    await answer(window, { sessions: sessions(1, 5) });
    await more;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2', 's3', 's5']);
    assert.deepEqual(remembered(window.list), []);
  });

  it('go if there may be others between them and the first page: a list has no holes', async () => {
    const window = await after([sessions(3, 10)]);
    await answer(window, { sessions: sessions(3), nextCursor: 'p1' });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2']);
  });

  it('stay where the first page ends with the newest of them', async () => {
    const window = await after([sessions(3, 10)]);
    await answer(window, { sessions: sessions(3, 8), nextCursor: 'p1' });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['s8', 's9', 's10', 's11', 's12']);
  });

  it('stay as long as the agent lists in no order that would tell, until the end', async () => {
    const window = await after([sessions(4)]);
    await answer(window, { sessions: sessions(2, 2).toReversed(), nextCursor: 'p1' });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2', 's3']);
    const more = window.list.loadMore();
    await answer(window, { sessions: sessions(1) });
    await more;
    assert.deepEqual(ids(window.list), ['s0', 's2', 's3']);
  });

  it('keep the order of sessions without a time', async () => {
    const undated = ['c', 'a', 'b'].map((id) => session(id));
    const window = await after([undated]);
    assert.deepEqual(ids(window.list), ['c', 'a', 'b']);
    await answer(window, { sessions: undated });
    await window.loaded;
    assert.deepEqual(ids(window.list), ['c', 'a', 'b']);
  });

  it('T-3, T-4: are listed once, however often pages repeat them', async () => {
    const window = await after([sessions(4)]);
    const twice = [...sessions(2), ...sessions(2)];
    await answer(window, { sessions: twice, nextCursor: 'p1' });
    await window.loaded;
    const more = window.list.loadMore();
    await answer(window, { sessions: twice, nextCursor: 'p1' });
    await more;
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2', 's3']);
    assert.equal(window.list.more.kind, 'stopped');
    assert.deepEqual(remembered(window.list), ['s2', 's3']);
  });

  it('stay while the agent fails, which is said, and can be had from it later', async () => {
    const window = await after([sessions(3)]);
    await until(() => window.answers.length > 0);
    window.answers.shift()!.reject(new AcpError('rpc', 'no luck'));
    await window.loaded;
    assert.equal(window.list.state.kind, 'failed');
    assert.deepEqual(remembered(window.list), ['s0', 's1', 's2']);
    const again = window.list.refresh();
    assert.deepEqual(ids(window.list), ['s0', 's1', 's2']);
    await answer(window, { sessions: sessions(2) });
    await again;
    assert.deepEqual(ids(window.list), ['s0', 's1']);
  });

  it('stay while the agent can’t be started', async () => {
    const storage = memento();
    await before(storage, paged(sessions(2)));
    const window = listWindow(storage);
    window.connect = () => Promise.reject(new AcpError('exited', 'away'));
    await window.list.load();
    assert.equal(window.list.state.kind, 'failed');
    assert.deepEqual(remembered(window.list), ['s0', 's1']);
  });

  it('T-5: outlive an answer that comes too late, from an agent that was stopped', async () => {
    const window = await after([sessions(3)]);
    await until(() => window.answers.length === 1);
    await window.agents.get('demo')?.stop();
    window.answers.shift()!.resolve({ sessions: [] });
    await window.loaded;
    assert.deepEqual(remembered(window.list), ['s0', 's1', 's2']);
    const again = window.list.refresh();
    await answer(window, { sessions: sessions(3) });
    await again;
    assert.deepEqual(remembered(window.list), []);
  });

  it('INFO-7: take what the agent pushes before it lists them', async () => {
    const window = await after([sessions(2)]);
    await until(() => window.answers.length > 0);
    const { updatedAt } = sessions(1)[0]!;
    window.connections[0]!.send('s1', {
      sessionUpdate: 'session_info_update',
      title: 'Pushed',
      updatedAt: '2026-02-01T00:00:00Z',
    });
    assert.deepEqual(
      window.list.rows.map(({ title }) => title),
      ['Pushed', 'Session 0'],
    );
    await answer(window, { sessions: [session('s0', { updatedAt: updatedAt! }), sessions(2)[1]!] });
    await window.loaded;
    assert.equal(window.list.find('s1')?.title, 'Pushed');
  });

  it('go when it turns out that the agent can’t list any more', async () => {
    const storage = memento();
    await before(storage, paged(sessions(2)));
    const window = listWindow(storage, (connection) => {
      connection.capabilities = { ...allCapabilities, list: false };
    });
    const loaded = window.list.load();
    assert.equal(window.list.rows.length, 2);
    await loaded;
    assert.deepEqual(ids(window.list), []);
    window.memory.end();
    assert.deepEqual(window.lists.all, []);
  });

  it('SEC-77: never show without trust, and do as soon as it is given', async () => {
    const storage = memento();
    await before(storage, paged(sessions(2)));
    const window = slowWindow(storage);
    window.workspace.trusted = false;
    await window.list.load();
    assert.deepEqual(ids(window.list), []);
    window.workspace.trusted = true;
    window.workspace.changed();
    const loaded = window.list.load();
    assert.deepEqual(ids(window.list), ['s0', 's1']);
    await answer(window, { sessions: sessions(2) });
    await loaded;
  });

  it('SEC-77: never show in another folder, whatever was stored', async () => {
    const storage = memento();
    await before(storage, () => ({
      sessions: [
        session('own'),
        session('linked', { cwd: '/link' }),
        session('gone', { cwd: '/gone' }),
      ],
    }));
    await tamper(storage, (value) =>
      JSON.parse(
        JSON.stringify(value).replace(
          /"sessions":\[/,
          '"sessions":[{"sessionId":"linked","cwd":"/link"},{"sessionId":"other","cwd":"/other"},',
        ),
      ),
    );
    const window = slowWindow(storage);
    window.realPaths.set('/link', folder.path);
    window.realPaths.set('/other', '/other');
    void window.list.load();
    await until(() => window.list.rows.length > 0);
    assert.deepEqual(ids(window.list), ['linked', 'own']);
    const other = window.agents.get('demo')!.lists.of({ name: 'other', path: '/other' });
    void other.load();
    await idle();
    assert.deepEqual(ids(other), []);
  });

  it('T-1: don’t come after the agent’s own, however long a look at the disk takes', async () => {
    const storage = memento();
    await before(storage, paged(sessions(1)));
    await tamper(storage, (value) =>
      JSON.parse(JSON.stringify(value).replace(`"cwd":"${folder.path}"`, '"cwd":"/link"')),
    );
    const window = listWindow(storage, (connection) => {
      connection.list = () => ({ sessions: [session('new')] });
    });
    const looked = deferred<string>();
    window.realPaths.get = (path) => (path === '/link' ? (looked.promise as never) : undefined);
    await window.list.load();
    looked.resolve(folder.path);
    await idle();
    assert.deepEqual(ids(window.list), ['new']);
  });

  it('T-4: in the end the rows are those of the agent, whatever was remembered', async () => {
    const info = fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.option(fc.integer({ min: 1, max: 9 })))
      .map(([id, day]) =>
        session(`s${id}`, day === null ? {} : { updatedAt: `2026-01-0${day}T00:00:00Z` }),
      );
    const pages = fc.array(fc.array(info, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pages, pages, async (last, now) => {
        const storage = memento();
        await before(storage, paged(...last), last.length);
        const window = listWindow(storage, (connection) => {
          connection.list = paged(...now);
        });
        const { list } = window;
        list.onDidChange(() => assert.equal(new Set(ids(list)).size, list.rows.length));
        await list.load();
        while (list.more.kind === 'ready') {
          await list.loadMore();
        }
        // What an agent without an order, or without an end, never disproves stays.
        if (list.more.kind === 'none') {
          assert.deepEqual(new Set(ids(list)), new Set(now.flat().map((it) => it.sessionId)));
          assert.deepEqual(remembered(list), []);
        }
        await window.agents.close();
      }),
      tries(200),
    );
  });
});
