import assert from 'node:assert/strict';
import type { SessionList } from '../../../../src/model/agent';
import { AcpError } from '../../../../src/protocol/errors';
import { allCapabilities, folder, idle, paged, session, sessions } from '../fakes';
import { ids, listBench } from './listBench';

describe('SessionList', () => {
  it('LIST-16: nothing is asked and no agent started before the first look', () => {
    const { list, connections } = listBench(() => undefined);
    assert.equal(list.state.kind, 'unread');
    assert.equal(connections.length, 0);
  });

  it('LIST-5: asks for the folder by its path', async () => {
    const { list, connections } = listBench((connection) => {
      connection.list = paged(sessions(2));
    });
    await list.load();
    assert.deepEqual(connections[0]?.queries, [{ cwd: folder.path }]);
    assert.deepEqual(ids(list), ['s0', 's1']);
    assert.equal(list.state.kind, 'loaded');
  });

  it('LIST-7: a page without nextCursor is the last', async () => {
    const { list } = listBench((connection) => {
      connection.list = paged(sessions(2), sessions(2, 2));
    });
    await list.load();
    assert.equal(list.more.kind, 'ready');
    await list.loadMore();
    assert.equal(list.more.kind, 'none');
    assert.deepEqual(ids(list), ['s0', 's1', 's2', 's3']);
  });

  it('LIST-6: reading ahead requests the next page once, and reports its failure only when the page is needed', async () => {
    let fails = true;
    const pages = paged(sessions(1), sessions(1, 1), sessions(1, 2), sessions(1, 3));
    const { list, connections } = listBench((connection) => {
      connection.list = (query) => {
        if (fails && query.cursor !== undefined && connection.queries.length === 3) {
          return Promise.reject(new AcpError('rpc', 'busy'));
        }
        return pages(query);
      };
    });
    await list.load();
    await list.loadMore(true);
    assert.equal(connections[0]?.queries.length, 3);
    assert.deepEqual(list.more, { kind: 'ready' });
    await list.loadMore(true);
    assert.equal(list.more.kind, 'failed');
    fails = false;
    await list.loadMore(true);
    await list.loadMore(true);
    assert.equal(list.more.kind, 'none');
    assert.deepEqual(ids(list), ['s0', 's1', 's2', 's3']);
    const cursors = connections[0].queries.map(({ cursor }) => cursor);
    assert.deepEqual(cursors, [undefined, cursors[1], cursors[2], cursors[2], cursors[4]]);
    assert.equal(new Set(cursors).size, 4);
  });

  describe('pages that are read ahead', () => {
    function shown(list: SessionList): string[] {
      return list.rows.filter(({ ahead }) => !ahead).map(({ info }) => info.sessionId);
    }

    it('wait until older sessions are asked for, which asks the agent for nothing then', async () => {
      const { list, connections, changes } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(60, 2), sessions(1, 62));
      });
      await list.load();
      changes.length = 0;
      await list.loadMore(true);
      await list.loadMore(true);
      assert.equal(list.rows.length, 63);
      assert.deepEqual(shown(list), ['s0', 's1']);
      assert.deepEqual([list.more, list.older], [{ kind: 'none' }, { kind: 'ready' }]);
      assert.ok(changes.every(({ type }) => type === 'ahead'));
      const asked = connections[0]?.queries.length;

      await list.loadMore();
      assert.equal(shown(list).length, 52);
      assert.deepEqual(list.older, { kind: 'ready' });
      await list.loadMore();
      assert.equal(shown(list).length, 63);
      assert.deepEqual(list.older, { kind: 'none' });
      assert.deepEqual(changes.slice(-2), [{ type: 'rows' }, { type: 'rows' }]);
      assert.equal(connections[0]?.queries.length, asked);
    });

    it('are shown at once to a caller that asks while a page is on its way', async () => {
      const { list } = listBench((connection) => {
        connection.list = paged(sessions(2), sessions(2, 2), sessions(2, 4));
      });
      await list.load();
      const ahead = list.loadMore(true);
      assert.deepEqual(list.older, { kind: 'ready' });
      const older = list.loadMore();
      await idle();
      await Promise.all([ahead, older]);
      assert.deepEqual(shown(list), ['s0', 's1', 's2', 's3']);
      assert.deepEqual(list.older, { kind: 'ready' });
    });

    it('say that they are on their way only to callers that wait for them', async () => {
      let answer: () => void = () => undefined;
      const pages = paged(sessions(2), sessions(2, 2));
      const { list } = listBench((connection) => {
        connection.list = async (query) => {
          if (query.cursor !== undefined) {
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
          }
          return pages(query);
        };
      });
      await list.load();
      const ahead = list.loadMore(true);
      assert.deepEqual(list.older, { kind: 'ready' });
      const older = list.loadMore();
      await idle();
      assert.deepEqual(list.older, { kind: 'loading' });
      answer();
      await Promise.all([ahead, older]);
      assert.deepEqual(list.older, { kind: 'none' });
    });

    it('have their sessions shown when the first page names them, or when they go on', async () => {
      let first = sessions(2);
      const { list, agents } = listBench((connection) => {
        connection.list = (query) => paged(first, sessions(3, 2))(query);
      });
      await list.load();
      await list.loadMore(true);
      agents.get('demo')?.lists.push('s2', { title: 'New title' });
      assert.deepEqual(shown(list), ['s0', 's1']);
      agents.get('demo')?.lists.push('s2', { updatedAt: '2026-03-01T00:00:00Z' });
      assert.deepEqual(shown(list), ['s2', 's0', 's1']);
      const wentOn = session('s2', { updatedAt: '2026-03-01T00:00:00Z' });
      first = [wentOn, ...sessions(2), ...sessions(1, 4)];
      await list.refresh();
      assert.deepEqual(shown(list), ['s2', 's0', 's1', 's4']);
    });

    it('that fail aren’t reported while rows are waiting', async () => {
      let fails = false;
      const pages = paged(sessions(1), sessions(1, 1), sessions(1, 2), sessions(1, 3));
      const { list } = listBench((connection) => {
        connection.list = (query) =>
          fails ? Promise.reject(new AcpError('rpc', 'busy')) : pages(query);
      });
      await list.load();
      await list.loadMore(true);
      fails = true;
      await list.loadMore(true);
      await list.loadMore(true);
      assert.equal(list.more.kind, 'failed');
      assert.deepEqual(list.older, { kind: 'ready' });
      await list.loadMore();
      assert.equal(list.older.kind, 'failed');
    });
  });

  it('LIST-6: the cursor goes back as it came, with the same filter', async () => {
    const nextCursor = '=/+é \u0000';
    const { list, connections } = listBench((connection) => {
      connection.list = ({ cursor }) =>
        cursor === undefined ? { sessions: sessions(1), nextCursor } : { sessions: sessions(1, 1) };
    });
    await list.load();
    await list.loadMore();
    assert.deepEqual(connections[0]?.queries[1], { cwd: folder.path, cursor: nextCursor });
  });

  it('LIST-2, LIST-3: an agent without the capability is not asked, and the list says so', async () => {
    const { list, connections } = listBench((connection) => {
      connection.capabilities = { ...allCapabilities, list: false };
    });
    await list.load();
    assert.equal(list.state.kind, 'unsupported');
    assert.deepEqual(connections[0]?.queries, []);
  });

  it('T-38: a refusal despite the capability is "unsupported" too', async () => {
    const { list } = listBench((connection) => {
      connection.list = () => Promise.reject(new AcpError('unsupported', '-32601'));
    });
    await list.load();
    assert.equal(list.state.kind, 'unsupported');
  });

  it('LIST-11: no sessions is an answer, not a failure', async () => {
    const { list } = listBench(() => undefined);
    await list.load();
    assert.equal(list.state.kind, 'loaded');
    assert.equal(list.more.kind, 'none');
    assert.equal(list.rows.length, 0);
  });

  it('LIST-14: rows with next to nothing in them are usable', async () => {
    const { list } = listBench((connection) => {
      connection.list = () => ({ sessions: [session('bare')] });
    });
    await list.load();
    const [row] = list.rows;
    assert.equal(row?.title, 'Untitled session');
    assert.equal(row.info.cwd, folder.path);
  });

  it('one look at a time: concurrent calls share one request, and one start', async () => {
    const { list, connections } = listBench((connection) => {
      connection.list = paged(sessions(2), sessions(2, 2), sessions(2, 4));
    });
    await Promise.all([list.load(), list.load(), list.refresh()]);
    await Promise.all([list.loadMore(), list.loadMore()]);
    assert.equal(connections.length, 1);
    assert.equal(connections[0]?.queries.length, 2);
    assert.equal(list.rows.length, 4);
  });

  it('more of a list asked for during its first page comes after that page', async () => {
    const { list } = listBench((connection) => {
      connection.list = paged(sessions(2), sessions(2, 2));
    });
    void list.load();
    await list.loadMore();
    assert.equal(list.rows.length, 4);
  });

  it('each page is one event when it is asked for and one when it is there', async () => {
    const { list, changes } = listBench((connection) => {
      connection.list = paged(sessions(50), sessions(50, 50));
    });
    await list.load();
    assert.deepEqual(changes, [{ type: 'rows' }, { type: 'rows' }]);
    await list.loadMore();
    assert.equal(changes.length, 4);
  });

  describe('failures', () => {
    it('a first page that fails says why; refresh tries again', async () => {
      let fail = true;
      const { list } = listBench((connection) => {
        connection.list = () => {
          if (fail) {
            throw new AcpError('rpc', 'Database locked', { rpcCode: -32603 });
          }
          return { sessions: sessions(1) };
        };
      });
      await list.load();
      assert.ok(list.state.kind === 'failed');
      assert.match(list.state.failure.detail, /Database locked/);
      await list.load();
      assert.equal(list.state.kind, 'failed', 'a look alone must not ask again and again');
      fail = false;
      await list.refresh();
      assert.deepEqual(ids(list), ['s0']);
      assert.equal(list.state.kind, 'loaded');
    });

    it('an agent that cannot start is the failure of its list; a refresh starts it anew', async () => {
      const made = listBench(() => undefined);
      const { connect } = made;
      made.connect = () => Promise.reject(new AcpError('notFound', 'x', { subject: 'nope' }));
      await made.list.load();
      assert.ok(made.list.state.kind === 'failed');
      assert.equal(made.list.state.failure.code, 'notFound');
      made.connect = connect;
      await made.list.refresh();
      assert.equal(made.list.state.kind, 'loaded');
    });

    it('a page that fails keeps the rows before it, and can be requested again', async () => {
      let fail = true;
      const pages = paged(sessions(2), sessions(2, 2));
      const { list, connections } = listBench((connection) => {
        connection.list = (query) => {
          if (query.cursor !== undefined && fail) {
            throw new AcpError('rpc', 'nope');
          }
          return pages(query);
        };
      });
      await list.load();
      await list.loadMore();
      assert.ok(list.more.kind === 'failed');
      assert.deepEqual(ids(list), ['s0', 's1']);
      fail = false;
      await list.loadMore();
      assert.equal(connections[0]?.queries.at(-1)?.cursor, 'p1');
      assert.equal(list.rows.length, 4);
    });

    it('a refresh that fails keeps the rows and says that they are old', async () => {
      let fail = false;
      const { list } = listBench((connection) => {
        connection.list = () => {
          if (fail) {
            throw new AcpError('timeout', 'x');
          }
          return { sessions: sessions(2) };
        };
      });
      await list.load();
      fail = true;
      await list.refresh();
      assert.equal(list.state.kind, 'loaded');
      assert.equal(list.stale?.code, 'timeout');
      assert.equal(list.rows.length, 2);
      fail = false;
      await list.refresh();
      assert.equal(list.stale, undefined);
    });

    it('LIST-10: a cursor that the agent rejects has the list read from the start', async () => {
      let generation = 1;
      const { list, connections } = listBench((connection) => {
        connection.list = ({ cursor }) => {
          if (cursor === undefined) {
            return { sessions: sessions(2), nextCursor: `g${generation}` };
          }
          if (cursor !== `g${generation}`) {
            throw new AcpError('invalidParams', 'bad cursor');
          }
          return { sessions: sessions(2, 2) };
        };
      });
      await list.load();
      generation = 2;
      await list.loadMore();
      assert.deepEqual(
        connections[0]?.queries.map(({ cursor }) => cursor),
        [undefined, 'g1', undefined, 'g2'],
      );
      assert.equal(list.rows.length, 4);
      assert.equal(list.more.kind, 'none');
    });

    it('LIST-10: an agent that rejects each cursor is not asked for ever', async () => {
      const { list, connections } = listBench((connection) => {
        connection.list = ({ cursor }) => {
          if (cursor !== undefined) {
            throw new AcpError('invalidParams', 'bad cursor');
          }
          return { sessions: sessions(2), nextCursor: 'x' };
        };
      });
      await list.load();
      await list.loadMore();
      assert.equal(list.more.kind, 'failed');
      assert.equal(list.rows.length, 2);
      assert.equal(connections[0]?.queries.length, 4);
    });
  });
});
