import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { listingAgent } from './agent';
import { modelOf } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
const count = 10_000;
/** The first runs include the time to compile the code. */
const timesRead = 11;

/** 10,000 sessions: a late page beside an early one, and all pages beside the bare answers of the agent. */
export async function pagesRows(): Promise<readonly TableRow[]> {
  return [await lastPageRow(), await allPagesRow()];
}

async function lastPageRow(): Promise<TableRow> {
  const { agents } = modelOf(listingAgent(cwd, count));
  try {
    const list = agents.all[0]?.lists.of({ name: 'bench', path: cwd });
    if (!list) {
      throw new Error('No list');
    }
    await list.load();
    const times: number[] = [];
    while (list.more.kind === 'ready') {
      const started = performance.now();
      await list.loadMore();
      times.push(performance.now() - started);
    }
    if (list.rows.length !== count) {
      throw new Error(`${list.rows.length} rows`);
    }
    const first = median(times.slice(0, 9));
    const last = median(times.slice(-9));
    return {
      what: '10,000 sessions in pages of 50: page 200 in the model',
      limit: '≤ 3 × the first page',
      measured: `${(last / first).toFixed(2)} × (${last.toFixed(1)} ms, first ${first.toFixed(1)} ms)`,
      met: last <= 3 * first,
    };
  } finally {
    await agents.close();
  }
}

async function allPagesRow(): Promise<TableRow> {
  const agent = listingAgent(cwd, count);
  const runs = await interleaved(
    timesRead,
    () => readBare(agent),
    () => readIntoModel(agent),
  );
  const [bare, model] = [median(runs.a), median(runs.b)];
  return {
    what: '10,000 sessions, all pages read',
    limit: "≤ 1.35 × the agent's own answering time",
    measured: `${(model / bare).toFixed(2)} × (${Math.round(model)} ms, a bare client ${Math.round(bare)} ms)`,
    met: model <= 1.35 * bare,
  };
}

/** Milliseconds for a client that only reads the pages to get all of them. */
async function readBare({ command, args, env }: FakeAgentCommand): Promise<number> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    let id = 0;
    const ask = (method: string, params: unknown): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: id++, method, params })}\n`);
    };
    ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    let started = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const { result } = JSON.parse(line) as { result: { nextCursor?: string } };
      if (started === 0) {
        started = performance.now();
        ask('session/list', { cwd });
      } else if (result.nextCursor) {
        ask('session/list', { cwd, cursor: result.nextCursor });
      } else {
        break;
      }
    }
    return performance.now() - started;
  } finally {
    child.kill('SIGKILL');
  }
}

async function readIntoModel(command: FakeAgentCommand): Promise<number> {
  const { agents } = modelOf(command);
  try {
    const agent = agents.all[0];
    const list = agent?.lists.of({ name: 'bench', path: cwd });
    if (!agent || !list) {
      throw new Error('No list');
    }
    await agent.connect();
    const started = performance.now();
    await list.load();
    while (list.more.kind === 'ready') {
      await list.loadMore(true);
    }
    const milliseconds = performance.now() - started;
    if (list.rows.length !== count) {
      throw new Error(`${list.rows.length} rows`);
    }
    return milliseconds;
  } finally {
    await agents.close();
  }
}
