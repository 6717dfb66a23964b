import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { editorTab, transcriptFrame, treeRow } from '../ui/harness/window';
import { lastReadEntry, otherEntry, otherTitle, readAgent, readId, readTitle } from './agent';
import { inWindow, type MeasuredWindow } from './inWindow';
import { arrivalOf } from './painting';
import { jumpTo, scrollAlong, searchFor } from './readingInPage';
import { median, percentile } from './statistics';
import type { TableRow } from './table';

const rounds = 5;
/** Pixels per second, and the duration at each place in ms. */
const speed = 3000;
const scrollMs = 8000;

/** The latency of reading 100,000 entries in a real window. */
export async function readingRows(): Promise<readonly TableRow[]> {
  const measure = async (window: MeasuredWindow): Promise<readonly TableRow[]> => {
    const { page } = window;
    // A double click keeps the tab: as a preview it would be replaced by a click on another row.
    await treeRow(page, readTitle).dblclick();
    await transcriptFrame(page).getByText(lastReadEntry).last().waitFor();
    return [
      ...(await findRows(page)),
      ...(await jumpRows(page)),
      ...(await scrollRows(page)),
      await reopenRow(window),
    ];
  };
  return inWindow(readAgent, measure, [lastReadEntry, otherEntry]);
}

function list(page: Page): Locator {
  return transcriptFrame(page).locator('.scroller');
}

/** Measures from entering the text to the first match's mark, and to the total count. */
async function findRows(page: Page): Promise<readonly TableRow[]> {
  await transcriptFrame(page).getByRole('article').last().click();
  await page.keyboard.press('Control+f');
  await transcriptFrame(page).getByRole('textbox', { name: /Find/ }).waitFor();
  const rows: TableRow[] = [];
  for (const [what, text] of [
    ['a word of most entries', 'message'],
    ['a text of one entry far away', 'Message 34567.'],
  ] as const) {
    const times: { readonly first: number; readonly all: number; readonly label: string }[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(await list(page).evaluate(searchFor, text));
    }
    const first = median(times.map((time) => time.first));
    const all = median(times.map((time) => time.all));
    rows.push(
      {
        what: `find ${what} in 100,000 entries: text to first match marked`,
        limit: '< 100 ms',
        measured: `${Math.round(first)} ms`,
        met: first < 100,
      },
      {
        what: `find ${what} in 100,000 entries: text to all counted`,
        limit: '< 500 ms',
        measured: `${Math.round(all)} ms (${times[0]?.label ?? ''})`,
        met: all < 500,
      },
    );
  }
  await page.keyboard.press('Escape');
  return rows;
}

async function jumpRows(page: Page): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const [what, place] of [
    ['from the end to the start', 0],
    ['from the start to the middle', 0.5],
    ['from the middle to the end', 1],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await list(page).evaluate(jumpTo, place === 0 ? 1 : place - 0.5);
      times.push(await list(page).evaluate(jumpTo, place));
    }
    const time = median(times);
    rows.push({
      what: `jump ${what} of 100,000 entries, to painted`,
      limit: '< 100 ms',
      measured: `${Math.round(time)} ms`,
      met: time < 100,
    });
  }
  return rows;
}

async function scrollRows(page: Page): Promise<readonly TableRow[]> {
  const frames: number[] = [];
  let blank = 0;
  for (const place of [0, 0.4, 0.8]) {
    await list(page).evaluate(jumpTo, place);
    const seen = await list(page).evaluate(scrollAlong, { speed, ms: scrollMs });
    frames.push(...seen.frames);
    blank = Math.max(blank, seen.longestBlank);
  }
  const frame = percentile(frames, 95);
  return [
    {
      what: `scrolling 100,000 entries at ${speed} px a second: 95 % of frames`,
      limit: '< 20 ms',
      measured: `${frame.toFixed(1)} ms (median ${median(frames).toFixed(1)}, ${frames.length} frames)`,
      met: frame < 20,
    },
    {
      what: `scrolling 100,000 entries at ${speed} px a second: longest time with a missing row`,
      limit: '≤ 100 ms',
      measured: `${Math.round(blank)} ms`,
      met: blank <= 100,
    },
  ];
}

/** Measures from the click on its tab to the text, after another tab was shown. */
async function reopenRow({ page, folder, painting }: MeasuredWindow): Promise<TableRow> {
  await list(page).press('End');
  await transcriptFrame(page).getByText(lastReadEntry).last().waitFor();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await treeRow(page, otherTitle).click();
    await transcriptFrame(page).getByText(otherEntry).waitFor();
    const started = await arrivalOf('mousedown', page, () => editorTab(page, readTitle).click());
    times.push((await painting.shownSince(started, lastReadEntry)) - started);
  }
  const received = (await readFile(path.join(folder, 'received'), 'utf8')).split('\n');
  const isLoad = (line: string): boolean =>
    line.includes('"session/load"') && line.includes(readId);
  const loads = received.filter(isLoad).length;
  const time = median(times);
  return {
    what: 'a hidden tab of 100,000 entries shown again',
    limit: '< 500 ms, no second load',
    measured: `${Math.round(time)} ms, ${loads} load`,
    met: time < 500 && loads === 1,
  };
}
