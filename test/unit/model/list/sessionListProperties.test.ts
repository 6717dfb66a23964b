import assert from 'node:assert/strict';
import type { SessionInfo } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import { fc, tries } from '../../../support/properties';
import { idle, paged, session } from '../fakes';
import { ids, listBench } from './listBench';

const info: fc.Arbitrary<SessionInfo> = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.boolean())
  .map(([id, day, isDated]) =>
    session(`s${id}`, isDated ? { updatedAt: `2026-01-0${day}T00:00:00Z` } : {}),
  );
const pages = fc.array(fc.array(info, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
const action = fc.oneof(
  fc.constantFrom('load', 'loadMore', 'refresh', 'fail', 'idle', 'restart' as const),
  pages,
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })),
);

describe('SessionList: properties', () => {
  it('T-4, T-5: whatever comes in whatever order, each session is listed once, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(pages, fc.array(action, { maxLength: 14 }), async (first, actions) => {
        let served = first;
        let isFailing = false;
        const { list, agents, connections } = listBench((connection) => {
          connection.list = (query) => {
            if (isFailing) {
              throw new AcpError(query.cursor === undefined ? 'rpc' : 'invalidParams', 'no');
            }
            return paged(...served)(query);
          };
        });
        list.onDidChange(() => {
          assert.equal(new Set(ids(list)).size, list.rows.length);
          const times = list.rows.map(({ updatedAt }) => updatedAt ?? -Infinity);
          assert.deepEqual(
            times,
            times.toSorted((a, b) => b - a),
          );
        });
        for (const it of actions) {
          if (it === 'fail') {
            isFailing = !isFailing;
          } else if (it === 'idle') {
            await idle();
          } else if (it === 'restart') {
            await agents.get('demo')?.restart();
          } else if (typeof it === 'string') {
            void list[it]();
          } else if (typeof it[0] === 'number') {
            connections.at(-1)?.send(`s${it[0]}`, {
              sessionUpdate: 'session_info_update',
              updatedAt: `2026-02-0${it[1] as number}T00:00:00Z`,
            });
          } else {
            served = it as SessionInfo[][];
          }
        }
        isFailing = false;
        await list.load();
        await list.refresh();
        while (list.more.kind === 'ready') {
          await list.loadMore();
        }
        assert.deepEqual(
          new Set(ids(list)),
          new Set(served.flat().map(({ sessionId }) => sessionId)),
          'in the end the rows are those of the agent',
        );
        await agents.close();
      }),
      tries(200),
    );
  });
});
