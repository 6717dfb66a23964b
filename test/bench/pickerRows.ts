import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { runCommand, treeRow } from '../ui/harness/window';
import { listingAgent } from './agent';
import { inWindow } from './inWindow';
import { modelOf } from './modelRows';
import { inputOf, rowsOf, timesOfKeys } from './quickInput';
import { interleaved, median, percentile } from './statistics';
import type { TableRow } from './table';

const count = 10_000;
const cwd = process.cwd();
/** The first runs include the time to compile the code. */
const timesRead = 11;

/** Finding one of 10,000 sessions: reading all pages, and the list while typing. */
export async function pickerRows(): Promise<readonly TableRow[]> {
  return [await allPagesRow(), await keystrokeRow()];
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
    limit: "≤ 1.5 × the agent's own answering time",
    measured: `${(model / bare).toFixed(2)} × (${Math.round(model)} ms, a bare client ${Math.round(bare)} ms)`,
    met: model <= 1.5 * bare,
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

/** Each key changes the list: the digits match one session in ten, in a hundred, … */
const typed = '7351';
const rounds = 50;

async function keystrokeRow(): Promise<TableRow> {
  return inWindow(
    (folder) => listingAgent(folder, count),
    async ({ page }) => {
      await treeRow(page, 'Session 0001').waitFor();
      await openPicker(page);
      const times: number[] = [];
      const plain: number[] = [];
      for (let round = 0; round < rounds; round++) {
        times.push(...(await timesOfKeys(page, typed)));
      }
      await page.keyboard.press('Escape');
      await runCommand(page, 'Open Plain Picker');
      for (let round = 0; round < rounds; round++) {
        plain.push(...(await timesOfKeys(page, typed)));
      }
      const p95 = percentile(times, 95);
      return {
        what: 'Go to Session… over 10,000 sessions: keystroke to filtered list, 95 of 100',
        limit: '< 50 ms',
        measured: `${Math.round(p95)} ms (median ${Math.round(median(times))} ms); a list that looks for nothing ${Math.round(percentile(plain, 95))} ms (median ${Math.round(median(plain))} ms)`,
        met: p95 < 50,
      };
    },
  );
}

async function openPicker(page: Page): Promise<void> {
  await runCommand(page, 'ACP Sessions: Go to Session');
  // The last session is listed once all pages have been read.
  await inputOf(page).fill(String(count));
  await rowsOf(page)
    .filter({ hasText: `Session ${count}` })
    .waitFor({ timeout: 120_000 });
}
