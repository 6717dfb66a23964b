import { mergeRows } from '../../src/model/list/mergedRows';
import { FakeModel, now } from '../unit/views/sessions/fakes';
import { listingAgent } from './agent';
import { modelOf } from './modelRows';
import { median, percentile } from './statistics';
import type { TableRow } from './table';

const agents = ['a', 'b', 'c', 'd', 'e'];
const sessionsEach = 2_000;
const times = 30;

/** The tree of the sessions of five agents, of which each has 2,000. */
export async function treeRows(): Promise<readonly TableRow[]> {
  return [await firstRowsRow(), await changedRow(), await groupedRow(), filteredRow()];
}

/** From the start of all agents to the first rows of all in one order. */
async function firstRowsRow(): Promise<TableRow> {
  const running = agents.map(() => modelOf(listingAgent(process.cwd(), sessionsEach)).agents);
  try {
    const lists = running.flatMap(({ all }) =>
      all.map(({ lists: of }) => of.of({ name: 'bench', path: process.cwd() })),
    );
    const started = performance.now();
    const each = await Promise.all(
      lists.map(async (list) => {
        await list.load();
        return performance.now() - started;
      }),
    );
    mergeRows(lists);
    const all = performance.now() - started;
    const slowest = Math.max(...each);
    return {
      what: 'first rows of five agents with 2,000 sessions each, in one list',
      limit: '≤ the slowest agent + 50 ms',
      measured: `${(all - slowest).toFixed(1)} ms more than ${Math.round(slowest)} ms`,
      met: all <= slowest + 50,
    };
  } finally {
    await Promise.all(running.map((one) => one.close()));
  }
}

/** From the change in the model to the one node that is redrawn. */
async function changedRow(): Promise<TableRow> {
  const model = shownModel();
  try {
    const list = model.list(2);
    const [row] = model.tree.sessionNodes('c', 's1000');
    const spent: number[] = [];
    let redrawn = 0;
    model.tree.onDidChange((nodes) => {
      redrawn = nodes?.length ?? Infinity;
    });
    for (let round = 0; round < times; round++) {
      const rows = [...list.rows];
      const changed = { ...list.row('s1000', list.rows[1000]?.updatedAt), title: `Title ${round}` };
      rows[1000] = changed;
      list.rows = rows;
      list.changed.fire({ type: 'row', row: changed });
      const started = performance.now();
      // Reads what has changed, as before each redraw.
      model.tree.look(row);
      spent.push(performance.now() - started);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    const most = percentile(spent, 95);
    return {
      what: 'a change of one of 10,000 rows of several agents',
      limit: '< 5 ms, and that row alone redrawn',
      measured: `${most.toFixed(1)} ms, ${redrawn} redrawn`,
      met: most < 5 && redrawn === 1,
    };
  } finally {
    model.tree.dispose();
  }
}

/** From the drop of 50 rows on one of the user's groups to the nodes that are redrawn. */
async function groupedRow(): Promise<TableRow> {
  const model = shownModel();
  try {
    await model.choices.setGrouping('own');
    const groups = [await model.groups.add('First'), await model.groups.add('Second')];
    model.tree.look();
    const [row] = model.tree.sessionNodes('c', 's1000');
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    const sessions = Array.from({ length: 50 }, (_, at) => ({ agentId: 'c', sessionId: `s${at}` }));
    const spent: number[] = [];
    let redraws = 0;
    model.tree.onDidChange(() => redraws++);
    for (let round = 0; round < times; round++) {
      const started = performance.now();
      await model.groups.put(sessions, groups[round % 2] ?? '');
      // Reads what has changed, as before each redraw.
      model.tree.look(row);
      spent.push(performance.now() - started);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
    const most = percentile(spent, 95);
    return {
      what: 'a drop of 50 of 10,000 rows on a group of the user’s',
      limit: '< 100 ms, and at most one redraw',
      measured: `${most.toFixed(0)} ms, ${(redraws / times).toFixed(1)} redraws`,
      met: most < 100 && redraws <= times,
    };
  } finally {
    model.tree.dispose();
  }
}

/** From a key in the filter to the nodes that show. */
function filteredRow(): TableRow {
  const model = shownModel();
  try {
    const spent: number[] = [];
    for (let round = 0; round < times; round++) {
      const text = `session ${String(round).padStart(2, '0')}`;
      const started = performance.now();
      model.choices.setFilter({ states: [], agents: [], text });
      model.tree.children();
      spent.push(performance.now() - started);
    }
    const [most, usual] = [percentile(spent, 95), median(spent)];
    return {
      what: '10,000 sessions: a key in the filter to the filtered list',
      limit: '< 50 ms',
      measured: `${most.toFixed(0)} ms, half of them ${usual.toFixed(0)} ms`,
      met: most < 50,
    };
  } finally {
    model.tree.dispose();
  }
}

function shownModel(): FakeModel {
  const model = new FakeModel(...agents);
  agents.forEach((_, agent) => {
    const list = model.list(agent);
    list.isRecalled = true;
    list.state = { kind: 'loaded' };
    list.rows = Array.from({ length: sessionsEach }, (__, at) =>
      list.row(`s${at}`, now - at * 600_000 - agent, `Session ${at} about the cart of the shop`),
    );
  });
  for (const node of model.tree.children()) {
    model.tree.children(node).forEach((row) => model.tree.draw(row));
  }
  return model;
}
