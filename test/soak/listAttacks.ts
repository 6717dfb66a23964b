import assert from 'node:assert/strict';
import type { SessionList } from '../../src/model/agent';
import { measureWeight } from '../../src/util/weight';
import { readAllPages } from '../../src/views/picker/readPages';
import { ableInitialize } from '../fakeAgent/scenario';
import { folder } from '../unit/model/fakePlatform';
import { goodInitialize, Peer } from '../unit/protocol/peer';
import { FakeModel } from '../unit/views/sessions/fakes';
import { agentsOn } from './agentsOn';
import { budgets } from './budgets';
import type { Check, CheckRun } from './check';

interface Row {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string;
  readonly updatedAt?: string;
  readonly additionalDirectories?: readonly string[];
}

/** A page as an agent sends it. */
type Answer = (cursor: number, run: CheckRun) => { sessions: readonly Row[]; nextCursor?: string };

/**
 * Reads everything that an agent lists for one folder and for all folders, with the shipped bounds.
 */
function listing(name: string, answer: Answer, more: Partial<Check> = {}): Check {
  return {
    name,
    ...more,
    run: async (run) => {
      const peer = new Peer(goodInitialize(ableInitialize));
      // Made ahead, so that the agent's own cost isn't measured.
      const first = answer(0, run);
      peer.answer('session/list', ({ params }) => {
        const { cursor } = params as { readonly cursor?: string };
        return cursor === undefined ? first : answer(Number(cursor), run);
      });
      const agents = agentsOn(peer);
      const agent = agents.all[0];
      assert.ok(agent);
      const lists = [agent.lists.of(undefined), agent.lists.of(folder)];
      await readAllPages(lists, AbortSignal.timeout(run.size(40_000, 10_000)));
      assert.ok(peer.methods().includes('session/list'), 'nothing was read');
      const rows = lists.map((list) => list.rows.length);
      assert.ok(Math.max(...rows) <= budgets.listRows, `${rows.join(' and ')} rows`);
      const weights = lists.map((list) => measureWeight(list.rows.map(({ info }) => info)));
      assert.ok(Math.max(...weights) <= budgets.listWeight, `${weights.join(' and ')} units`);
      assert.ok(
        lists.every((list) => list.rows.every(({ info }) => !info.sessionId.includes('\0'))),
      );
      showInTree(lists[0]);
      // The list can still be refreshed.
      await lists[1]?.refresh();
      await agents.close();
      return `${rows.join(' and ')} rows`;
    },
  };
}

/** Computes the rows that the tree shows initially, by folder and by date. */
function showInTree(list: SessionList | undefined): void {
  const model = new FakeModel('demo');
  model.list().become({ rows: list?.rows ?? [], state: { kind: 'loaded' } });
  const below = (node?: Parameters<typeof model.tree.children>[0]): void => {
    for (const child of model.tree.children(node)) {
      if (child.kind !== 'older') {
        below(child);
      }
    }
  };
  below();
}

function rows(count: number, row: (index: number) => Partial<Row>, first = 0): Row[] {
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset;
    return { sessionId: `s${index}`, cwd: folder.path, title: `Session ${index}`, ...row(index) };
  });
}

const minutesOld = (minutes: number): string =>
  new Date(Date.UTC(2026, 0, 31) - minutes * 60_000).toISOString();

export const listAttacks: readonly Check[] = [
  listing('a page of 200,000 rows, oldest first', (_, run) => ({
    sessions: rows(run.size(200_000, 20_000), (index) => ({ updatedAt: minutesOld(-index) })),
  })),
  listing('a page of 200,000 rows in no order', (_, run) => ({
    sessions: rows(run.size(200_000, 20_000), () => ({
      updatedAt: minutesOld(run.random.below(1_000_000)),
    })),
  })),
  listing('100,000 folders in a page', (_, run) => ({
    sessions: rows(run.size(100_000, 10_000), (index) => ({ cwd: `/home/user/project/f${index}` })),
  })),
  listing(
    'pages without end, each with a new cursor',
    (cursor, run) => {
      const size = run.size(1000, 500);
      return {
        sessions: rows(size, (index) => ({ updatedAt: minutesOld(index) }), cursor * size),
        nextCursor: String(cursor + 1),
      };
    },
    { seconds: 120, wholeOnly: true },
  ),
  listing(
    'pages without end, with folders of megabytes',
    (cursor, run) => ({
      sessions: rows(
        6,
        (index) => ({
          additionalDirectories: Array.from(
            { length: 100 },
            (_, at) => `/${index}.${at}${'d'.repeat(run.size(32_000, 16_000))}`,
          ),
        }),
        cursor * 6,
      ),
      nextCursor: String(cursor + 1),
    }),
    { wholeOnly: true },
  ),
  listing('empty pages without end, each with a new cursor', (cursor) => ({
    sessions: [],
    nextCursor: String(cursor + 1),
  })),
  listing('ids with NUL, of megabytes, and the same for all', (_, run) => ({
    sessions: [
      ...rows(100, (index) => ({ sessionId: `a\0${index}` })),
      ...rows(10, (index) => ({
        sessionId: `${index}${'i'.repeat(run.size(1_000_000, 100_000))}`,
      })),
      ...rows(run.size(20_000, 5000), () => ({ sessionId: 'same' })),
      ...rows(10, () => ({ title: '\ud800\u202e\n'.repeat(100_000), cwd: '/\0' })),
    ],
  })),
];
