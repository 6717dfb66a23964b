import assert from 'node:assert/strict';
import type { SessionList } from '../../../../src/model/agent';
import { AcpError } from '../../../../src/protocol/errors';
import {
  type AgentsBench,
  bench,
  type FakeConnection,
  folder,
  paged,
  session,
  sessions,
} from '../fakes';
import { ids, listBench } from './listBench';

describe('SessionList: what it reads', () => {
  describe('scope', () => {
    const link = '/code/link';
    const linkFolder = { name: 'link', path: link };

    function scopeBench(answer: FakeConnection['list']): AgentsBench & { list: SessionList } {
      const made = bench(['demo'], (connection) => {
        connection.list = answer;
      });
      made.realPaths.set(link, '/disk/project');
      return { ...made, list: made.agents.get('demo')!.lists.of(linkFolder) };
    }

    it('T-1: an empty answer leads to the other spellings of the path', async () => {
      const { list, connections } = scopeBench(({ cwd }) => ({
        sessions: cwd === '/disk/project' ? [session('a', { cwd: '/disk/project' })] : [],
      }));
      await list.load();
      assert.deepEqual(ids(list), ['a']);
      await list.refresh();
      assert.deepEqual(
        connections[0]?.queries.map(({ cwd }) => cwd),
        [link, '/disk/project', '/disk/project'],
        'the spelling that helped is asked first from then on',
      );
    });

    it('T-1: at last all folders are read and told apart here', async () => {
      const { list, connections } = scopeBench(({ cwd }) => ({
        sessions:
          cwd === undefined
            ? [session('mine', { cwd: '/disk/./project/' }), session('other', { cwd: '/disk/x' })]
            : [],
      }));
      await list.load();
      assert.deepEqual(ids(list), ['mine']);
      assert.equal(list.rows[0]?.info.cwd, '/disk/./project/', 'the session keeps its own cwd');
      assert.deepEqual(connections[0]?.queries, [{ cwd: link }, { cwd: '/disk/project' }, {}]);
    });

    it('LIST-5: all folders are asked for without a filter, page by page', async () => {
      const pages = [[session('here', { cwd: link })], [session('there', { cwd: '/x #1/100%' })]];
      const made = bench(['demo'], (connection) => {
        connection.list = paged(...pages);
      });
      const list = made.agents.get('demo')!.lists.of(undefined);
      assert.equal(list, made.agents.get('demo')!.lists.of(undefined));
      await list.load();
      assert.deepEqual([ids(list), list.more.kind], [['here'], 'ready']);
      await list.loadMore();
      assert.deepEqual([ids(list), list.more.kind], [['here', 'there'], 'none']);
      assert.ok(made.connections[0]?.queries.every(({ cwd }) => cwd === undefined));
      made.workspace.folders = [];
      made.workspace.changed();
      assert.equal(list, made.agents.get('demo')!.lists.of(undefined), 'it is of no folder');
    });

    it('T-2: sessions of other folders are left out when the agent ignores the filter', async () => {
      const { list } = scopeBench(() => ({
        sessions: [session('other', { cwd: '/elsewhere' }), session('mine', { cwd: link })],
      }));
      await list.load();
      assert.deepEqual(ids(list), ['mine']);
    });

    it('LIST-20: a session of elsewhere with this folder as an extra root belongs here', async () => {
      const { list } = scopeBench(() => ({
        sessions: [session('a', { cwd: '/elsewhere', additionalDirectories: ['/disk/project'] })],
      }));
      await list.load();
      assert.deepEqual(ids(list), ['a']);
    });

    it('T-8: looking through all folders ends after a few pages, and says so', async () => {
      let asked = 0;
      const { list } = scopeBench(({ cwd }) =>
        cwd === undefined
          ? { sessions: [session(`x${asked++}`, { cwd: '/elsewhere' })], nextCursor: `c${asked}` }
          : { sessions: [] },
      );
      await list.load();
      assert.equal(list.state.kind, 'loaded');
      assert.equal(list.more.kind, 'stopped');
      assert.equal(asked, 2);
      await list.loadMore();
      assert.equal(asked, 4, 'the way on goes on from there');
    });

    it('T-1: a second try that fails leaves the first answer', async () => {
      const { list } = scopeBench(({ cwd }) => {
        if (cwd !== link) {
          throw new AcpError('rpc', 'no cwd');
        }
        return { sessions: [] };
      });
      await list.load();
      assert.equal(list.state.kind, 'loaded');
      assert.equal(list.more.kind, 'none');
    });
  });

  describe('hostile cursors', () => {
    it('T-3: empty pages with a cursor are followed', async () => {
      const { list, connections } = listBench((connection) => {
        connection.list = paged([], [], sessions(2), sessions(1, 2));
      });
      await list.load();
      assert.deepEqual(ids(list), ['s0', 's1']);
      assert.equal(connections[0]?.queries.length, 3);
      assert.equal(list.more.kind, 'ready');
    });

    it('T-3: within bounds, with a way on', async () => {
      let asked = 0;
      const { list } = listBench((connection) => {
        connection.list = () => ({
          sessions: asked === 6 ? sessions(1) : [],
          nextCursor: `c${asked++}`,
        });
      });
      await list.load();
      assert.ok(list.more.kind === 'stopped');
      assert.match(list.more.reason, /\.$/);
      assert.equal(asked, 4);
      await list.loadMore();
      assert.deepEqual(ids(list), ['s0']);
      assert.equal(list.more.kind, 'ready');
    });

    it('T-3: a cycle of cursors ends', async () => {
      let asked = 0;
      const { list } = listBench((connection) => {
        connection.list = ({ cursor }) => {
          asked++;
          return {
            sessions: cursor === undefined ? sessions(2) : sessions(2, cursor === 'A' ? 2 : 4),
            nextCursor: cursor === 'A' ? 'B' : 'A',
          };
        };
      });
      await list.load();
      await list.loadMore();
      await list.loadMore();
      assert.equal(list.more.kind, 'stopped');
      assert.equal(list.rows.length, 6);
      await list.loadMore();
      assert.ok(asked < 10);
      assert.equal(list.more.kind, 'stopped');
    });

    it('T-3: an empty cursor is a cursor, once', async () => {
      const { list, connections } = listBench((connection) => {
        connection.list = ({ cursor }) => ({
          sessions: cursor === undefined ? sessions(1) : sessions(1, 1),
          nextCursor: '',
        });
      });
      await list.load();
      assert.equal(list.more.kind, 'ready');
      await list.loadMore();
      assert.deepEqual(connections[0]?.queries[1], { cwd: folder.path, cursor: '' });
      assert.equal(list.more.kind, 'stopped');
    });

    it('T-4: the same session on two pages is one row', async () => {
      const { list } = listBench((connection) => {
        connection.list = paged(sessions(3), sessions(3, 2), [...sessions(1), ...sessions(1)]);
      });
      await list.load();
      await list.loadMore();
      await list.loadMore();
      assert.deepEqual(ids(list), ['s0', 's1', 's2', 's3', 's4']);
    });
  });
});
