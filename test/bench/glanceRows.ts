import type { Frame } from 'playwright-core';
import { runCommand, treeRow, webviewWith } from '../ui/harness/window';
import { streamerId, streamers, streamerTitle, streamingAgent } from './agent';
import { drainStream } from './floor';
import { inWindow, type MeasuredWindow } from './inWindow';
import { extensionHostOf, processorMilliseconds } from './processes';
import type { TableRow } from './table';
import { collectLongTasks } from './turnRows';

/** The updates that one session sends in a second. */
const updatesPerSecond = 300;
/** Long enough to open all sessions one after the other, and then to measure. */
const streamSeconds = 150;
const measuredSeconds = 10;

/** Twelve sessions that stream at once, one of them and the view of all sessions visible. */
export function glanceRows(): Promise<readonly TableRow[]> {
  const agent = (folder: string) =>
    streamingAgent(folder, streamers, updatesPerSecond, streamSeconds);
  return inWindow(agent, async (window) => {
    await runCommand(window.page, 'Focus on Sessions at a Glance View');
    const glance = await webviewWith(window.page, '.glance-list');
    for (let index = 0; index < streamers; index++) {
      await prompt(window, streamerTitle(index));
    }
    await glance.getByRole('region', { name: `Running ${streamers}` }).waitFor();
    return measure(window, glance);
  });
}

async function prompt({ page }: MeasuredWindow, title: string): Promise<void> {
  await treeRow(page, new RegExp(`^${title}(?!\\d)`)).click();
  await page.getByRole('tab', { name: new RegExp(`^${title}(?!\\d)`) }).waitFor();
  // The tab before is hidden by then, with its page.
  const frame = await webviewWith(page, '.composer');
  const box = frame.getByRole('textbox', { name: 'Prompt' });
  await box.fill('stream');
  await box.press('Enter');
  await frame.getByRole('button', { name: /^Stop/ }).waitFor();
}

async function measure(
  { page, folder }: MeasuredWindow,
  glance: Frame,
): Promise<readonly TableRow[]> {
  const all = streamers * updatesPerSecond;
  const floor = await drainStream(streamingAgent(folder, 1, all, measuredSeconds), streamerId(0));
  const extensionHost = await extensionHostOf(process.pid);
  const transcript = await webviewWith(page, '.composer');
  const milliseconds = measuredSeconds * 1000;
  const before = processorMilliseconds(extensionHost);
  const started = performance.now();
  const [tasks, draws] = await Promise.all([
    transcript.locator(':root').evaluate(collectLongTasks, milliseconds),
    glance.evaluate(countDraws, milliseconds),
  ]);
  const spent = processorMilliseconds(extensionHost) - before;
  const share = (100 * spent) / (performance.now() - started);
  const longest = Math.max(0, ...tasks);
  return [
    {
      what: `${streamers} sessions streaming ${updatesPerSecond} updates a second each: extension host, share of one core over the floor’s`,
      limit: '< 60 %',
      measured: `${(share - floor.share).toFixed(1)} % (${share.toFixed(1)} %, floor ${floor.share.toFixed(1)} %)`,
      met: share - floor.share < 60,
    },
    {
      what: '… longest task in the visible transcript',
      limit: '≤ 50 ms',
      measured: longest === 0 ? 'none over 50 ms' : `${Math.round(longest)} ms`,
      met: longest <= 50,
    },
    {
      what: '… redraws of the view of all sessions in one frame, at most',
      limit: '1',
      measured: `${draws.most} (${(draws.all / measuredSeconds).toFixed(1)} a second)`,
      met: draws.most <= 1,
    },
  ];
}

/** Runs in the page: how often its list was changed, and how often at most between two frames. */
function countDraws(
  milliseconds: number,
): Promise<{ readonly all: number; readonly most: number }> {
  return new Promise((resolve) => {
    let [all, most, inFrame] = [0, 0, 0];
    const list = document.querySelector('.glance-list ul') ?? document.body;
    const observer = new MutationObserver((changes) => {
      // The elapsed times count by themselves.
      if (changes.some(({ target }) => !target.parentElement?.closest('time'))) {
        all++;
        most = Math.max(most, ++inFrame);
      }
    });
    observer.observe(list, { subtree: true, childList: true, characterData: true });
    let isDone = false;
    const frame = (): void => {
      inFrame = 0;
      if (!isDone) {
        requestAnimationFrame(frame);
      }
    };
    requestAnimationFrame(frame);
    setTimeout(() => {
      isDone = true;
      observer.disconnect();
      resolve({ all, most });
    }, milliseconds);
  });
}
