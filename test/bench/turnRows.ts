import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { startHost } from '../ui/harness/host';
import {
  openSessionsView,
  openWindow,
  screenshot,
  transcriptFrame,
  treeRow,
} from '../ui/harness/window';
import { promptedAgent, promptedId, promptedTitle, streamSeconds } from './agent';
import { drainStream } from './floor';
import { extensionHostOf, processorMilliseconds } from './processes';
import { median, percentile } from './statistics';
import type { Row } from './table';

const rounds = 5;

/** What a person feels during a turn, in a real window. */
export async function turnRows(): Promise<readonly Row[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  const { command, args, env } = promptedAgent(folder);
  const agents = { demo: null, bench: { title: 'Bench', command, args, env } };
  const host = await startHost({ workspace: folder, settings: { 'acpSessions.agents': agents } });
  const window = await openWindow(host);
  try {
    const { page } = window;
    page.setDefaultTimeout(30_000);
    await openSessionsView(page);
    await treeRow(page, promptedTitle).click();
    const frame = transcriptFrame(page);
    await composer(frame).waitFor();
    return [
      await promptRow(frame, folder),
      await permissionRow(frame, folder),
      ...(await streamRows(page, frame, folder)),
    ];
  } catch (error) {
    await screenshot(window.page, 'bench-turn-failure');
    throw error;
  } finally {
    await window.close();
    await host.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

function composer(frame: FrameLocator) {
  return frame.getByRole('textbox', { name: 'Prompt' });
}

/** From the Enter key in the webview to the line at the agent's stdin. */
async function promptRow(frame: FrameLocator, folder: string): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const pressed = await sendPrompt(frame, 'quick');
    times.push((await touched(folder, 'prompted')) - pressed);
    await idle(frame);
  }
  const measured = median(times);
  return {
    what: "prompt, from the Enter key to the agent's stdin",
    asked: '< 10 ms',
    measured: `${measured.toFixed(1)} ms`,
    met: measured < 10,
  };
}

/** From the agent's request to the card in the page. */
async function permissionRow(frame: FrameLocator, folder: string): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const shown = frame.locator(':root').evaluate(whenButtonAppears, 'Allow it');
    await sendPrompt(frame, 'ask');
    times.push((await shown) - (await touched(folder, 'asked')));
    await frame.getByRole('button', { name: 'Allow it' }).click();
    await idle(frame);
  }
  const measured = median(times);
  return {
    what: 'a permission request to its card in the page',
    asked: '< 150 ms',
    measured: `${Math.round(measured)} ms`,
    met: measured < 150,
  };
}

async function streamRows(
  page: Page,
  frame: FrameLocator,
  folder: string,
): Promise<readonly Row[]> {
  const floor = await drainStream(promptedAgent(folder, 0, 0), promptedId);
  const extensionHost = await extensionHostOf(process.pid);
  const tasks = frame.locator(':root').evaluate(collectLongTasks, (streamSeconds - 1) * 1000);
  const echoes = frame.locator(':root').evaluate(collectEchoes, (streamSeconds - 1) * 1000);
  await sendPrompt(frame, 'stream');
  const before = await processorMilliseconds(extensionHost);
  const started = performance.now();
  await composer(frame).click();
  while (performance.now() - started < (streamSeconds - 2) * 1000) {
    await page.keyboard.press('x', { delay: 20 });
    await page.waitForTimeout(80);
  }
  const spent = (await processorMilliseconds(extensionHost)) - before;
  const share = (100 * spent) / (performance.now() - started);
  const longest = Math.max(0, ...(await tasks));
  const echo = percentile(await echoes, 95);
  return [
    {
      what: `streaming ${floor.updatesPerSecond} updates a second: longest task in the webview`,
      asked: '≤ 50 ms',
      measured: longest === 0 ? 'none over 50 ms' : `${Math.round(longest)} ms`,
      met: longest <= 50,
    },
    {
      what: '… extension host, share of one core over the floor’s',
      asked: '< 25 %',
      measured: `${(share - floor.share).toFixed(1)} % (${share.toFixed(1)} %, floor ${floor.share.toFixed(1)} %)`,
      met: share - floor.share < 25,
    },
    {
      what: '… keystroke to echo in the composer, 95 of 100',
      asked: '< 50 ms',
      measured: `${Math.round(echo)} ms`,
      met: echo < 50,
    },
  ];
}

/** Types and sends a prompt; resolves with the time of the Enter key, in ms since 1970. */
async function sendPrompt(frame: FrameLocator, text: string): Promise<number> {
  const box = composer(frame);
  await box.fill(text);
  const pressed = frame.locator(':root').evaluate(
    () =>
      new Promise<number>((resolve) => {
        const onKey = (event: KeyboardEvent): void => {
          if (event.key === 'Enter') {
            window.removeEventListener('keydown', onKey, true);
            resolve(performance.timeOrigin + event.timeStamp);
          }
        };
        window.addEventListener('keydown', onKey, true);
      }),
  );
  await box.press('Enter');
  return pressed;
}

/** When the agent touched the file, in ms since 1970; the file is gone afterwards. */
async function touched(folder: string, name: string): Promise<number> {
  const file = path.join(folder, name);
  for (;;) {
    const found = await stat(file).catch(() => undefined);
    if (found) {
      await rm(file);
      return found.mtimeMs;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until the turn has ended: the composer sends again. */
async function idle(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' });
}

/** In the page: when a button of that name is laid out, in ms since 1970. */
function whenButtonAppears(_root: Element, name: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const buttons = [...document.querySelectorAll('button')];
      const found = buttons.some((button) => button.textContent.includes(name));
      if (found) {
        observer.disconnect();
        resolve(performance.timeOrigin + performance.now());
      }
      return found;
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
  });
}

/** In the page: milliseconds of each task over 50 ms of its own within the time. */
function collectLongTasks(_root: Element, milliseconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      const own = list.getEntries().filter((entry) => entry.name === 'self');
      tasks.push(...own.map((entry) => entry.duration));
    });
    observer.observe({ type: 'longtask' });
    setTimeout(() => {
      observer.disconnect();
      resolve(tasks);
    }, milliseconds);
  });
}

/** In the page: milliseconds from each key to the next painting, within the time. */
function collectEchoes(_root: Element, milliseconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const echoes: number[] = [];
    const observer = new PerformanceObserver((list) => {
      const keys = list.getEntries().filter((entry) => entry.name === 'keydown');
      echoes.push(...keys.map((entry) => entry.duration));
    });
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    setTimeout(() => {
      observer.disconnect();
      resolve(echoes);
    }, milliseconds);
  });
}
