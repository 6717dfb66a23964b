import assert from 'node:assert/strict';
import { ableInitialize, fakeAgent, update } from '../../fakeAgent/scenario';
import { screenshot, screenshotsAreAsked } from '../harness/screenshot';
import {
  closeAllEditors,
  editorTab,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import { changeSettings, useAgents, type Workbench } from '../harness/workbench';

const prompt = 'Find the leak in the parser';

/** Sessions of an agent that lists them without titles. */
export function describeUntitled(ui: Readonly<Workbench>): void {
  useAgents(ui, ({ workspace }) => {
    const sessions = ['a', 'b'].map((sessionId) => ({ sessionId, cwd: workspace }));
    const said = [
      update.user(`${prompt}\nIt grows by 1 MB per run.`, 'u1'),
      update.agent('Found it.', 'a1'),
    ];
    const replays = { a: [{ updates: said }, { result: {} }] };
    const scenario = { initialize: ableInitialize, sessions, replays };
    return { untitled: { title: 'Untitled Agent', ...fakeAgent(scenario) } };
  });

  const titled = new RegExp(`^${prompt}`);
  const row = () => treeRow(ui.page, titled);

  after(() => closeAllEditors(ui.page));

  it('gives a session the first words of its prompt, in the tree and in the tab, and says so', async () => {
    const { page } = ui;
    await treeRow(page, /^Untitled session/)
      .first()
      .dblclick();
    await transcriptFrame(page).getByText('Found it.').waitFor();
    await row().waitFor();
    await editorTab(page, titled).waitFor();
    assert.equal(await treeRow(page, /^Untitled session/).count(), 1);
    await runCommand(page, 'ACP Sessions: Go to Session…');
    const picked = page.locator('.quick-input-list .monaco-list-row', { hasText: prompt });
    await picked.filter({ hasText: 'from your first prompt' }).waitFor();
    await page.keyboard.press('Escape');
    const tooltip = page.locator('.monaco-hover', { hasText: 'Title from your first prompt' });
    for (const theme of screenshotsAreAsked ? themes : []) {
      await page.mouse.move(900, 500);
      await changeSettings(ui, { 'workbench.colorTheme': theme });
      // A row that is drawn anew below the mouse has no tooltip until the mouse comes again.
      for (let attempt = 0; attempt < 10 && !(await tooltip.isVisible()); attempt++) {
        await page.mouse.move(900, 500);
        await row().hover();
        await tooltip.waitFor({ timeout: 5_000 }).catch(() => undefined);
      }
      await screenshot(page, 'untitled', theme);
    }
  });
}

const themes = ['Default Light Modern', 'Default High Contrast', 'Default High Contrast Light'];
