import type { FrameLocator, Page } from 'playwright-core';
import { closeAllEditors, newSession, transcriptFrame, treeRow } from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { send } from './composing';

/** Unfolds the row of the session, below which its subagents have theirs. */
async function unfoldSession(page: Page, title: RegExp): Promise<void> {
  const row = treeRow(page, title).and(page.locator('[aria-expanded="false"]'));
  await row.locator('.monaco-tl-twistie').click();
}

/** VS Code's menus ignore a click that comes within 100 ms of their opening. */
async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  const isChosen = (): Promise<boolean> =>
    item.waitFor({ state: 'detached', timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  do {
    await item.click();
  } while (!(await isChosen()));
}

/** The line of a subagent, folded or not, once it is in this state. */
function folded(frame: FrameLocator, title: string, state: string, open: boolean) {
  return frame
    .locator(`.subagent-line button[aria-expanded="${open}"]`)
    .filter({ hasText: title })
    .filter({ hasText: state })
    .first();
}

export function describeSubagents(ui: Readonly<Workbench>): void {
  let page: Page;
  let frame: FrameLocator;

  before(() => {
    page = ui.page;
  });

  beforeEach(async () => {
    await newSession(page);
    frame = transcriptFrame(page);
  });

  afterEach(() => closeAllEditors(page));

  it('SUB-6: one is stopped alone, in the transcript and in its row’s menu', async () => {
    await send(frame, '/subagents');
    await frame.getByRole('button', { name: 'Stop Find the callers' }).click();
    await folded(frame, 'Find the callers', 'Stopped', false).waitFor();
    await unfoldSession(page, /^\/subagents/);
    // It moves up when the row of the other one goes.
    await treeRow(page, /Find the callers/).waitFor({ state: 'detached' });
    await treeRow(page, /Check the tests/).click({ button: 'right' });
    await chooseItem(page, 'Stop Subagent');
    await folded(frame, 'Check the tests', 'Stopped', false).waitFor();
    await frame.getByText('Both are done').first().waitFor();
  });
}
