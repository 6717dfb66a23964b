import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type FakeAgentCommand, fakeAgent, type Step } from '../fakeAgent/scenario';
import { closeAllEditors, transcriptFrame, treeRow } from '../ui/harness/window';
import { fileCount, fileNames, textAfter, textBefore } from './changedFiles';
import { inWindow } from './inWindow';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const rounds = 11;
const title = 'Session that changes files';
/** VS Code goes on opening files after it has painted the first one, and closes them later than their editor. */
const settleMs = 2_000;

/**
 * From the key to the first marked line, for ours and for the same files with left sides that are in memory. VS Code
 * paints nothing until it has both sides of all files.
 */
export async function reviewChangesRow(): Promise<TableRow> {
  return inWindow(changingAgent, async ({ page }) => {
    await treeRow(page, title).click();
    const frame = transcriptFrame(page);
    await frame.getByRole('textbox', { name: 'Prompt' }).fill('Change them');
    await frame.getByRole('textbox', { name: 'Prompt' }).press('Enter');
    await frame
      .getByRole('group', { name: `This turn changed ${fileCount} files` })
      .waitFor({ timeout: 120_000 });
    await closeAllEditors(page);
    const timePlain = () => timeToFirstDiff(page, 'Control+Alt+F10');
    const timeOwn = () => timeToFirstDiff(page, 'Control+Alt+F11');
    // The first ones include starting the other extension and compiling VS Code's own code.
    await timePlain();
    await timeOwn();
    const shown = await interleaved(rounds, timePlain, timeOwn);
    const [plain, own] = [median(shown.a), median(shown.b)];
    return {
      what: `Review Changes of ${fileCount} files: key to first diff painted`,
      limit: '≤ 1.3 × VS Code’s own editor with texts in memory',
      measured: `${(own / plain).toFixed(2)} × (${Math.round(own)} ms, that ${Math.round(plain)} ms)`,
      met: own <= 1.3 * plain,
    };
  });
}

/** An agent that changes all files by itself and reports nothing. */
function changingAgent(folder: string): FakeAgentCommand {
  const source = path.join(folder, 'src');
  mkdirSync(source);
  for (const name of fileNames) {
    writeFileSync(path.join(source, name), textBefore(name));
  }
  const changed = path.join(folder, 'changed.json');
  writeFileSync(changed, JSON.stringify(fileNames.map((name) => [name, textAfter(name)])));
  const program = `for (const [name, text] of require(${JSON.stringify(changed)})) require('fs').writeFileSync(name, text);`;
  const steps: readonly Step[] = [
    // The first checkpoint of a window may take longer than a prompt waits for it.
    { waitMs: 5_000 },
    { runNode: program, in: source },
    { result: { stopReason: 'end_turn' } },
  ];
  return fakeAgent({
    sessions: [{ sessionId: 'bench-changes', cwd: folder, title }],
    on: { 'session/prompt': steps },
  });
}

async function timeToFirstDiff(page: Page, key: string): Promise<number> {
  await page.evaluate(noteFirstDiff);
  await page.keyboard.press(key);
  await page.waitForFunction(() => document.body.dataset['diffShown'] !== undefined, undefined, {
    timeout: 120_000,
  });
  const took = Number(await page.evaluate(() => document.body.dataset['diffShown']));
  await delay(settleMs);
  await closeAllEditors(page);
  await delay(settleMs);
  return took;
}

/** Runs in the page: records the time from the next key until a changed line is marked and laid out. */
function noteFirstDiff(): void {
  delete document.body.dataset['diffShown'];
  const look = (pressed: number): void => {
    const marked = document.querySelector(
      '.multiDiffEntry .line-insert, .multiDiffEntry .char-insert',
    );
    if (marked !== null && marked.getBoundingClientRect().height > 0) {
      document.body.dataset['diffShown'] = String(performance.now() - pressed);
    } else {
      requestAnimationFrame(() => look(pressed));
    }
  };
  const heard = ({ key, timeStamp }: KeyboardEvent): void => {
    if (key === 'F10' || key === 'F11') {
      document.removeEventListener('keydown', heard, { capture: true });
      look(timeStamp);
    }
  };
  document.addEventListener('keydown', heard, { capture: true });
}
