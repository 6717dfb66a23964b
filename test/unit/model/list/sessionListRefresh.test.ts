import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { EarlyPatches } from '../../../../src/model/list/currentListing';
import type { SessionPage } from '../../../../src/protocol/agentConnection';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { idle, paged, session, sessions } from '../fakes';
import { ids, listBench } from './listBench';

describe('SessionList: what changes', () => {
  describe('session/list_changed', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
    afterEach(() => mock.timers.reset());

    /** What the list knows after the agent said a thousand times that it has changed, and `ms` have passed. */
    async function told(
      { list, connections }: ReturnType<typeof listBench>,
      ms: number,
    ): Promise<number> {
      for (let count = 0; count < 1000; count++) {
        connections[0]!.listChanged.fire();
      }
      mock.timers.tick(ms);
      await idle();
      assert.equal(list.state.kind, 'loaded');
      return connections[0]!.queries.length;
    }

    it('T-46, SEC-99: reads the list again, once however often the agent says so, and then seldom', async () => {
      const made = listBench((connection) => {
        connection.list = () => ({ sessions: sessions(connection.queries.length) });
      });
      await made.list.load();
      assert.equal(await told(made, 1), 2);
      assert.deepEqual(ids(made.list), ['s0', 's1']);
      assert.equal(await told(made, 499), 2);
      assert.equal(await told(made, 1), 3);
      assert.equal(await told(made, 1), 3);
    });

    it('T-46: changes what the rows tell', async () => {
      const made = listBench((connection) => {
        connection.list = () => ({
          sessions: [session('a', connection.queries.length > 1 ? { state: 'running' } : {})],
        });
      });
      await made.list.load();
      const state = (): unknown => made.list.rows[0]?.info.state;
      assert.equal(state(), undefined);
      await told(made, 1);
      assert.equal(state(), 'running');
      made.list.agent.lists.push('a', { title: 'Renamed' });
      assert.equal(state(), 'running');
    });

    it('T-46: reads the list again that was being read when it has changed', async () => {
      const before = deferred<SessionPage>();
      const made = listBench((connection) => {
        connection.list = () => before.promise;
      });
      const loaded = made.list.load();
      await idle();
      made.connections[0]!.list = () => ({ sessions: sessions(1) });
      made.connections[0]!.listChanged.fire();
      mock.timers.tick(1);
      before.resolve({ sessions: [] });
      await loaded;
      await idle();
      assert.deepEqual(ids(made.list), ['s0']);
    });

    it('T-46: never reads a list that nobody has asked for, and never starts an agent', async () => {
      const { list, connections, agents } = listBench(() => undefined);
      await agents.get('demo')?.connect();
      connections[0]!.listChanged.fire();
      mock.timers.tick(1_000);
      await idle();
      assert.equal(connections[0]!.queries.length, 0);
      await list.load();
      connections[0]!.listChanged.fire();
      await agents.get('demo')?.stop();
      mock.timers.tick(1_000);
      await idle();
      assert.equal(connections.length, 1);
    });
  });

  describe('refresh', () => {
    it('never blanks the list, and keeps the rows of later pages', async () => {
      const answer = deferred<SessionPage>();
      const { list, connections } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(2, 2), sessions(2, 4));
      });
      await list.load();
      await list.loadMore();
      connections[0]!.list = () => answer.promise;
      const refreshed = list.refresh();
      await until(() => connections[0]!.queries.length === 3);
      assert.equal(list.state.kind, 'loaded');
      assert.equal(list.rows.length, 4);
      answer.resolve({ sessions: sessions(2), nextCursor: 'p1' });
      await refreshed;
      assert.deepEqual(ids(list), ['s0', 's1', 's2', 's3']);
    });

    it('reads on to rows that are new, past those that are known', async () => {
      const { list } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(2, 2), sessions(2, 4));
      });
      await list.load();
      await list.loadMore();
      await list.refresh();
      await list.loadMore();
      assert.deepEqual(ids(list), ['s0', 's1', 's2', 's3', 's4', 's5']);
    });

    it('brings new sessions and drops those that are gone', async () => {
      const { list, connections } = listBench((connection) => {
        connection.list = paged(sessions(3, 1), sessions(3, 4));
      });
      await list.load();
      await list.loadMore();
      const [first, second] = [sessions(7).filter((_, index) => index !== 2), sessions(3, 4)];
      connections[0]!.list = paged(first.slice(0, 3), second);
      await list.refresh();
      assert.deepEqual(ids(list), ['s0', 's1', 's3', 's4', 's5', 's6']);
    });

    it('drops what the agent does not list any more at the end of the list', async () => {
      const undated = ['a', 'b', 'c', 'd'].map((id) => session(id));
      const { list, connections } = listBench((connection) => {
        connection.list = paged(undated.slice(0, 2), undated.slice(2));
      });
      await list.load();
      await list.loadMore();
      connections[0]!.list = paged(undated.slice(0, 1), undated.slice(3));
      await list.refresh();
      assert.deepEqual(ids(list), ['a', 'b', 'c', 'd'], 'nothing says yet that b is gone');
      await list.loadMore();
      assert.deepEqual(ids(list), ['a', 'd']);
    });

    it('T-5: a page that comes after the refresh is too late', async () => {
      const late = deferred<SessionPage>();
      const { list, connections } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(2, 2));
      });
      await list.load();
      connections[0]!.list = ({ cursor }) =>
        cursor === undefined ? { sessions: sessions(2), nextCursor: 'fresh' } : late.promise;
      const more = list.loadMore();
      await until(() => connections[0]!.queries.length === 2);
      await list.refresh();
      late.resolve({ sessions: sessions(2, 2), nextCursor: 'old' });
      await more;
      assert.equal(list.rows.length, 2);
      assert.equal(list.more.kind, 'ready');
      connections[0]!.list = () => ({ sessions: [] });
      await list.loadMore();
      assert.equal(connections[0]?.queries.at(-1)?.cursor, 'fresh');
    });

    it('LIST-8: cursors do not outlive their connection', async () => {
      const { list, agents, connections } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(2, 2));
      });
      await list.load();
      await agents.get('demo')!.restart();
      await until(() => connections[1]?.queries.length === 1 && list.more.kind === 'ready');
      await list.loadMore();
      assert.deepEqual(
        connections[1]?.queries.map(({ cursor }) => cursor),
        [undefined, 'p1'],
      );
      assert.equal(list.rows.length, 4);
    });
  });

  it('LIST-8: nor when it is the next page that starts the agent again', async () => {
    const { list, connections } = listBench((connection) => {
      connection.list = paged(sessions(2), sessions(2, 2));
    });
    await list.load();
    connections[0]!.die();
    await list.loadMore();
    assert.deepEqual(
      connections[1]?.queries.map(({ cursor }) => cursor),
      [undefined, 'p1'],
    );
    assert.equal(list.rows.length, 4);
  });

  describe('pushes', () => {
    const info = (title: string) => ({ sessionUpdate: 'session_info_update', title }) as const;

    it('INFO-5: change their row at once, the last one wins', async () => {
      const { list, connections, changes } = listBench((connection) => {
        connection.list = paged(sessions(3));
      });
      await list.load();
      changes.length = 0;
      connections[0]!.send('s1', info('one'), info('two'));
      assert.equal(list.rows[1]?.title, 'two');
      assert.deepEqual(
        changes.map(({ type }) => type),
        ['row', 'row'],
      );
      assert.ok(changes[1]?.type === 'row' && changes[1].row === list.rows[1]);
    });

    it('a newer time moves the row to the top', async () => {
      const { list, connections, changes } = listBench((connection) => {
        connection.list = paged(sessions(3));
      });
      await list.load();
      changes.length = 0;
      connections[0]!.send('s2', {
        sessionUpdate: 'session_info_update',
        updatedAt: '2026-05-01T00:00:00Z',
      });
      assert.deepEqual(ids(list), ['s2', 's0', 's1']);
      assert.deepEqual(changes, [{ type: 'rows' }]);
    });

    describe('of sessions that are not listed', () => {
      beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
      afterEach(() => mock.timers.reset());

      it('T-19: have the list refreshed once each, and never make a row', async () => {
        const { list, connections } = listBench((connection) => {
          connection.list = paged(sessions(1));
        });
        await list.load();
        const connection = connections[0]!;
        connection.send('s9', info('a'), info('b'));
        mock.timers.tick(1_000);
        await until(() => connection.queries.length === 2);
        await idle();
        connection.send('s9', info('c'));
        mock.timers.tick(1_000);
        await idle();
        assert.equal(connection.queries.length, 2);
        assert.deepEqual(ids(list), ['s0']);
      });

      it('T-19: are applied when the session is listed', async () => {
        const { list, connections } = listBench((connection) => {
          connection.list = paged(sessions(1));
        });
        await list.load();
        connections[0]!.send('s9', info('pushed'));
        connections[0]!.list = paged([...sessions(1), ...sessions(1, 9)]);
        await list.refresh();
        assert.equal(list.rows[1]?.title, 'pushed');
      });

      it('T-19: refresh nothing when they are no news of the list', async () => {
        const { list, connections } = listBench((connection) => {
          connection.list = paged(sessions(1));
        });
        await list.load();
        connections[0]!.send('s8', { sessionUpdate: 'session_info_update', _meta: { busy: true } });
        mock.timers.tick(1_000);
        await idle();
        assert.equal(connections[0]?.queries.length, 1);
      });

      it('T-19: never start an agent', async () => {
        const { list, connections } = listBench((connection) => {
          connection.list = paged(sessions(1));
        });
        await list.load();
        connections[0]!.send('s9', info('a'));
        connections[0]!.die();
        mock.timers.tick(1_000);
        await idle();
        assert.equal(connections.length, 1);
      });

      it('T-19: wait for the page that is being read', async () => {
        const answer = deferred<SessionPage>();
        const { list, connections } = listBench((connection) => {
          connection.list = ({ cursor }) =>
            cursor === undefined ? { sessions: sessions(1), nextCursor: 'x' } : answer.promise;
        });
        await list.load();
        const more = list.loadMore();
        connections[0]!.send('s9', info('a'));
        mock.timers.tick(1_000);
        await idle();
        answer.resolve({ sessions: sessions(1, 1) });
        await more;
        assert.equal(list.rows.length, 2);
        await until(() => connections[0]?.queries.length === 3);
      });

      it('T-19: ask nothing about a folder that was closed meanwhile', async () => {
        const answer = deferred<SessionPage>();
        const { list, workspace, connections } = listBench((connection) => {
          connection.list = ({ cursor }) =>
            cursor === undefined ? { sessions: sessions(1), nextCursor: 'x' } : answer.promise;
        });
        await list.load();
        const more = list.loadMore();
        connections[0]!.send('s9', info('a'));
        mock.timers.tick(1_000);
        await idle();
        workspace.folders = [];
        workspace.changed();
        await more;
        assert.equal(list.more.kind, 'none');
        await idle();
        assert.equal(connections[0]?.queries.length, 2);
      });

      it('T-19: are kept within bounds', () => {
        const early = new EarlyPatches();
        for (let index = 0; index < 300; index++) {
          assert.equal(early.add(`s${index}`, { title: 'x' }), true);
        }
        assert.equal(early.add('s299', { updatedAt: null }), false);
        assert.equal(early.take('s0'), undefined);
        assert.deepEqual(early.take('s299'), { title: 'x', updatedAt: null });
        assert.equal(early.take('s299'), undefined);
      });
    });

    it('INFO-7: a refresh does not bring the old title back', async () => {
      const { list, connections } = listBench((connection) => {
        connection.list = paged(sessions(1));
      });
      await list.load();
      connections[0]!.send('s0', info('pushed'));
      await list.refresh();
      assert.equal(list.rows[0]?.title, 'pushed');
    });
  });
});
