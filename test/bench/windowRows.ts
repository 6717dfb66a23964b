import type { CDPSession, Locator, Page } from 'playwright-core';
import { runCommand, transcriptFrame, treeRow } from '../ui/harness/window';
import { lastEntryOf, replayingAgent, sessionOf, sizes, titleOf } from './agent';
import { drainBare } from './floor';
import { inWindow } from './inWindow';
import { arrivalOf, shownAt } from './painting';
import { median } from './statistics';
import type { Row } from './table';

/** Milliseconds that an opened transcript may take beyond the floor's double and an empty panel. */
const allowance = 300;
const rounds = 5;

const emptyPanelText = 'An empty panel.';

/** What a person waits for, and what the webview is made of, in a real window. */
export async function windowRows(): Promise<readonly Row[]> {
  return inWindow(replayingAgent, async (page, folder) => {
    await treeRow(page, titleOf(sizes[0])).waitFor();
    const rows = [await firstRow(page)];
    for (const size of sizes) {
      rows.push(await openingRow(page, size, folder));
    }
    return [...rows, ...(await webviewRows(page))];
  });
}

/** What a window opens for the first time it also compiles. */
async function firstRow(page: Page): Promise<Row> {
  const milliseconds = await openSession(page, sizes[0]);
  await closeEditors(page);
  return {
    what: 'the first session of a window, for comparison',
    asked: '',
    measured: `${Math.round(milliseconds)} ms`,
    met: true,
  };
}

async function openingRow(page: Page, size: number, cwd: string): Promise<Row> {
  const target = { sessionId: sessionOf(size), cwd };
  const floors: number[] = [];
  const panels: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < rounds; round++) {
    floors.push((await drainBare(replayingAgent(cwd), target)).milliseconds);
    panels.push(await openEmptyPanel(page));
    opened.push(await openSession(page, size));
    await closeEditors(page);
  }
  const [floor, panel, open] = [median(floors), median(panels), median(opened)];
  const limit = 2 * floor + panel + allowance;
  return {
    what: `click to newest entry painted, ${size.toLocaleString('en')} updates`,
    asked: '≤ 2 × floor + empty panel + 300 ms',
    measured: `${Math.round(open)} ms (limit ${Math.round(limit)}: floor ${Math.round(floor)}, panel ${Math.round(panel)})`,
    met: open <= limit,
  };
}

async function openEmptyPanel(page: Page): Promise<number> {
  const started = await arrivalOf('keydown', page, () => page.keyboard.press('Control+Alt+F9'));
  const end = await shownAt(page, emptyPanelText);
  await closeEditors(page);
  return end - started;
}

async function openSession(page: Page, size: number): Promise<number> {
  const row = treeRow(page, titleOf(size));
  const started = await arrivalOf('click', page, () => row.click());
  return (await shownAt(page, lastEntryOf(size))) - started;
}

async function closeEditors(page: Page): Promise<void> {
  await runCommand(page, 'View: Close All Editors');
  await page.locator('iframe.webview').waitFor({ state: 'detached' });
}

/** At 100,000 updates: nodes, heap, and the longest task while loading and scrolling. */
async function webviewRows(page: Page): Promise<readonly Row[]> {
  const size = sizes[2];
  await openSession(page, size);
  const frame = transcriptFrame(page).locator(':root');
  const nodes = await scrollThrough(page, frame);
  const tasks = await frame.evaluate(longTasks);
  await closeEditors(page);
  const heap = await heapOf(page, size);
  return [
    {
      what: 'webview at 100,000 updates: DOM nodes, most while scrolling',
      asked: '< 2,500',
      measured: String(nodes),
      met: nodes < 2_500,
    },
    {
      what: 'webview at 100,000 updates: JS heap',
      asked: '< 60 MB',
      measured: `${(heap / 1e6).toFixed(1)} MB more than before it opened`,
      met: heap < 60e6,
    },
    {
      what: 'webview at 100,000 updates: longest task while loading and scrolling',
      asked: '≤ 100 ms',
      measured:
        tasks.length === 0
          ? 'none over 50 ms'
          : `${Math.round(Math.max(...tasks))} ms (${tasks.length} over 50 ms)`,
      met: tasks.every((milliseconds) => milliseconds <= 100),
    },
  ];
}

/** Bytes that an open session takes. By itself, as collecting garbage on purpose makes what follows slow. */
async function heapOf(page: Page, size: number): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  const before = await usedHeap(cdp);
  await openSession(page, size);
  await scrollThrough(page, transcriptFrame(page).locator(':root'));
  const heap = (await usedHeap(cdp)) - before;
  await closeEditors(page);
  return heap;
}

async function usedHeap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/** Scrolls by the wheel, page by page, then to the start and the end; returns the most nodes seen. */
async function scrollThrough(page: Page, frame: Locator): Promise<number> {
  const box = await page.locator('iframe.webview').boundingBox();
  if (!box) {
    throw new Error('No webview');
  }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  let nodes = 0;
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, -700);
    nodes = Math.max(nodes, await frame.evaluate(countNodes));
  }
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  for (const key of ['Home', 'End', 'Home', 'PageDown', 'PageDown', 'End']) {
    await page.keyboard.press(key);
    await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    nodes = Math.max(nodes, await frame.evaluate(countNodes));
  }
  return nodes;
}

function countNodes(): number {
  return document.getElementsByTagName('*').length;
}

/** Milliseconds of each task over 50 ms that ran in this frame since it was opened. */
function longTasks(): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const own = list.getEntries().filter((entry) => entry.name === 'self');
      resolve(own.map((entry) => entry.duration));
    });
    observer.observe({ type: 'longtask', buffered: true });
    setTimeout(() => resolve([]), 500);
  });
}
