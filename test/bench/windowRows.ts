import type { Locator, Page } from 'playwright-core';
import { closeAllEditors, transcriptFrame, treeRow } from '../ui/harness/window';
import { lastEntryOf, replayingAgent, sessionOf, sizes, titleOf } from './agent';
import { drainBare } from './floor';
import { inWindow, type MeasuredWindow } from './inWindow';
import { arrivalOf } from './painting';
import { median } from './statistics';
import type { TableRow } from './table';

/** Milliseconds that opening a transcript may take beyond twice the floor plus an empty panel. */
const allowance = 300;
const rounds = 5;

export const emptyPanelText = 'An empty panel.';

/** The user's waiting times, and the size of the webview's DOM and heap, in a real window. */
export async function windowRows(): Promise<readonly TableRow[]> {
  const texts = [emptyPanelText, ...sizes.map(lastEntryOf)];
  const measure = async (window: MeasuredWindow): Promise<readonly TableRow[]> => {
    await treeRow(window.page, titleOf(sizes[0])).waitFor();
    const rows = [await firstRow(window)];
    for (const size of sizes) {
      rows.push(await openingRow(window, size));
    }
    return [...rows, ...(await webviewRows(window))];
  };
  return inWindow(replayingAgent, measure, texts);
}

/** The first session in a window also includes compilation. */
async function firstRow(window: MeasuredWindow): Promise<TableRow> {
  const milliseconds = await openSession(window, sizes[0]);
  await closeAllEditors(window.page);
  return {
    what: 'the first session of a window, as soon as it is listed',
    limit: '',
    measured: `${Math.round(milliseconds)} ms`,
    met: true,
  };
}

async function openingRow(window: MeasuredWindow, size: number): Promise<TableRow> {
  const cwd = window.folder;
  const target = { sessionId: sessionOf(size), cwd };
  const floors: number[] = [];
  const panels: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < rounds; round++) {
    floors.push((await drainBare(replayingAgent(cwd), target)).milliseconds);
    panels.push(await openEmptyPanel(window));
    opened.push(await openSession(window, size));
    await closeAllEditors(window.page);
  }
  const [floor, panel, open] = [median(floors), median(panels), median(opened)];
  const limit = 2 * floor + panel + allowance;
  return {
    what: `click to newest entry painted, ${size.toLocaleString('en')} updates`,
    limit: '≤ 2 × floor + empty panel + 300 ms',
    measured: `${Math.round(open)} ms (limit ${Math.round(limit)}: floor ${Math.round(floor)}, panel ${Math.round(panel)})`,
    met: open <= limit,
  };
}

export async function openEmptyPanel({ page, painting }: MeasuredWindow): Promise<number> {
  const started = await arrivalOf('keydown', page, () => page.keyboard.press('Control+Alt+F9'));
  const end = await painting.shownSince(started, emptyPanelText);
  await closeAllEditors(page);
  return end - started;
}

export async function openSession(
  { page, painting }: MeasuredWindow,
  size: number,
): Promise<number> {
  const row = treeRow(page, titleOf(size));
  const started = await arrivalOf('click', page, () => row.click());
  return (await painting.shownSince(started, lastEntryOf(size))) - started;
}

/** Measures, at 100,000 updates, nodes, heap, and the longest task while loading and scrolling. */
async function webviewRows(window: MeasuredWindow): Promise<readonly TableRow[]> {
  const { page } = window;
  await openSession(window, sizes[2]);
  const frame = transcriptFrame(page).locator(':root');
  const nodes = await scrollThrough(page, frame);
  const tasks = await frame.evaluate(longTasks);
  const heap = await heapOf(page);
  await closeAllEditors(page);
  return [
    {
      what: 'webview at 100,000 updates: DOM nodes, most while scrolling',
      limit: '< 2,500',
      measured: String(nodes),
      met: nodes < 2_500,
    },
    {
      what: 'webview at 100,000 updates: JS heap',
      limit: '< 60 MB',
      measured: `${(heap / 1e6).toFixed(1)} MB`,
      met: heap < 60e6,
    },
    {
      what: 'webview at 100,000 updates: longest task while loading and scrolling',
      limit: '≤ 100 ms',
      measured:
        tasks.length === 0
          ? 'none over 50 ms'
          : `${Math.round(Math.max(...tasks))} ms (${tasks.length} over 50 ms)`,
      met: tasks.every((milliseconds) => milliseconds <= 100),
    },
  ];
}

/** The bytes of the webview's whole process, which contains nothing else. */
async function heapOf(page: Page): Promise<number> {
  const webview = page.frames().find((frame) => frame.url().includes('.localhost'));
  if (webview === undefined) {
    throw new Error('No webview in a process of its own');
  }
  const cdp = await page.context().newCDPSession(webview);
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/**
 * Scrolls by mouse wheel, page by page, then to the start and the end; returns the largest number
 * of nodes seen.
 */
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
