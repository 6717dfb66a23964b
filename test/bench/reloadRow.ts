import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type FakeAgentCommand, fakeAgent } from '../fakeAgent/scenario';
import { openSessionsView, runCommand, treeRow, waitForWorkbench } from '../ui/harness/window';
import { inWorkbench } from '../ui/harness/workbench';
import { planOf } from './inWindow';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

/** Milliseconds beyond a static tree of the same rows. */
const allowance = 100;
const rounds = 9;
const rowCount = 50;
const titleOf = (index: number): string => `Session ${String(index + 1).padStart(4, '0')}`;
const lastInView = titleOf(9);

const answersIn = (folder: string): string => path.join(folder, 'answers');

/** The agent answers only at first, so that the rows after a reload can only be remembered. */
function agentIn(folder: string): FakeAgentCommand {
  const sessions = Array.from({ length: rowCount }, (_, index) => ({
    sessionId: `s${index}`,
    cwd: folder,
    title: titleOf(index),
    updatedAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
  }));
  const steps = [{ waitForFile: answersIn(folder) }, { result: { sessions } }];
  return fakeAgent({ on: { 'session/list': steps } });
}

/**
 * Reloading a window to the remembered rows, compared with a tree whose rows are in its code. No route answers for
 * the window, because the browser would then cache nothing of VS Code.
 */
export function reloadRow(): Promise<readonly TableRow[]> {
  return inWorkbench(
    'bench',
    (folder) => planOf(agentIn(folder), folder),
    async ({ page, folder, dataFolder }) => {
      const sinceActivation: number[] = [];
      await page.addInitScript(noteRow, lastInView);
      await writeFile(answersIn(folder), '');
      await openSessionsView(page);
      await treeRow(page, titleOf(0)).waitFor();
      await rm(answersIn(folder));
      // What was read is stored some seconds later; a reload before that would lose it.
      await page.waitForTimeout(5000);
      const { a, b } = await interleaved(
        rounds,
        async () => {
          await runCommand(page, 'Plain Rows: Focus on Plain Rows View');
          return reload(page);
        },
        async () => {
          await openSessionsView(page);
          const shownAt = await reload(page);
          const origin = await page.evaluate(() => performance.timeOrigin);
          sinceActivation.push(origin + shownAt - (await lastActivation(dataFolder)));
          return shownAt;
        },
      );
      const [plain, own] = [median(a), median(b)];
      return [
        {
          what: 'reload of a window to last time’s rows painted',
          limit: '≤ a static tree of such rows + 100 ms',
          measured: `${Math.round(own)} ms (static tree ${Math.round(plain)} ms)`,
          met: own <= plain + allowance,
        },
        {
          what: '… from the activation event to the rows',
          limit: '',
          measured: `${Math.round(median(sinceActivation))} ms`,
          met: true,
        },
      ];
    },
  );
}

/** Milliseconds from the beginning of the page's load to the row. */
async function reload(page: Page): Promise<number> {
  // For some seconds a window has more to do than to show its rows.
  await page.waitForTimeout(5_000);
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  const shown = await page.waitForFunction(() => globalThis.rowShownAt);
  const at = await shown.jsonValue();
  await waitForWorkbench(page);
  return at ?? Number.NaN;
}

/** Returns when VS Code last began to activate the extension, by its own log; milliseconds since 1970. */
async function lastActivation(dataFolder: string): Promise<number> {
  const files = await readdir(dataFolder, { recursive: true });
  const logs = files.filter((file) => path.basename(file) === 'remoteexthost.log');
  const texts = await Promise.all(logs.map((log) => readFile(path.join(dataFolder, log), 'utf8')));
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('_doActivateExtension acp-sessions.acp-sessions'));
  return Math.max(...lines.map((line) => Date.parse(line.slice(0, 23).replace(' ', 'T'))));
}

declare global {
  var rowShownAt: number | undefined;
}

/** Runs in the page: checks on each frame whether the side bar shows the row. */
function noteRow(title: string): void {
  if (window !== window.top) {
    return;
  }
  const look = (): void => {
    const rows = document.querySelectorAll('.sidebar .monaco-list-row');
    if ([...rows].some((row) => row.textContent.includes(title))) {
      globalThis.rowShownAt = performance.now();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}
