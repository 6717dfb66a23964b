import type { Locator } from 'playwright-core';
import { newSession, reloadWindow, transcriptFrame } from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** A window with a repository of Git, on the branch `trunk`. */
export function describeRepository(ui: Readonly<Workbench>): void {
  it('names Git’s branch in the status bar, whichever changes wait for review as it opens', async () => {
    const { page } = ui;
    await newSession(page);
    const frame = transcriptFrame(page);
    const prompt = frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('/work command ');
    await prompt.press('Enter');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByRole('group', { name: 'This turn changed 2 files' }).waitFor();
    await branch().waitFor();
    await reloadWindow(page);
    await frame.getByRole('group', { name: 'This turn changed 2 files' }).waitFor();
    // Of several source controls, VS Code also names the one whose commands follow.
    await page.locator('.statusbar-item', { hasText: /^\s*(?:fernway|ACP Sessions)/ }).waitFor();
    await branch().waitFor();
  });

  function branch(): Locator {
    return ui.page.locator('.statusbar-item', { hasText: /^\s*trunk/ });
  }
}
