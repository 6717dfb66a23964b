import type { Page } from 'playwright-core';
import { composer } from './demoAgent/composing';
import { sampleWorkspace } from './harness/sample';
import { screenshot, screenshotsAreAsked } from './harness/screenshot';
import { closeAllEditors, newSession, transcriptFrame, treeRow } from './harness/window';
import { changeSettings, useAgents, useWorkbench } from './harness/workbench';
import { actor, sessionRow } from './pictures/tasks';

const names = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Finn'];
const titles = [
  'Cart total is off by a cent or two with discounts',
  'Move all 150 templates from Handlebars to JSX',
  'Tax',
  'Write release notes for 4.12',
];
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
const activityBar = 48;

// Only takes pictures, and opens no window for nothing.
(screenshotsAreAsked ? describe : describe.skip)('the list of sessions in its widths', () => {
  const ui = useWorkbench('tree', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: { 'acpSessions.registry': '', 'window.commandCenter': false },
    viewport: { width: 900, height: 620 },
  }));

  // Agents that were used before start by themselves, as does a single one.
  for (const { count, used } of [
    { count: 1, used: 1 },
    { count: 2, used: 1 },
    { count: 6, used: 2 },
  ]) {
    describe(`of ${count}`, () => {
      useAgents(ui, ({ workspace }) =>
        Object.fromEntries(
          names.slice(0, count).map((title, at) => {
            const rows = titles.map((name, age) =>
              sessionRow(workspace, name, 1 + 7 * at + 20 * age, `${name} ${at}`),
            );
            return [title.toLowerCase(), { title, ...actor(workspace, rows) }];
          }),
        ),
      );
      afterEach(() => closeAllEditors(ui.page));

      it('is kept as pictures', async () => {
        const { page } = ui;
        for (const name of names.slice(used, count)) {
          await treeRow(page, new RegExp(`^${name}.*not started`)).click();
        }
        await begin(page, 'Deploy version 4.12 to staging, please.', 'Deploy to staging');
        await begin(page, 'Upgrade to Node 24.', 'Upgrade to Node');
        for (const width of [300, 220]) {
          await widen(page, width);
          for (const [theme, id] of Object.entries(themes)) {
            await changeSettings(ui, { 'workbench.colorTheme': id });
            const name = theme === 'dark' ? 'vs-dark' : 'vs';
            await page.locator(`.monaco-workbench.${name}`).waitFor();
            // A spinner turns, so that the window never stands still.
            await page.mouse.move(700, 600);
            await screenshot(page, `tree-${count}-${width}-${theme}`);
          }
        }
      });
    });
  }

  async function begin(page: Page, prompt: string, title: string): Promise<void> {
    await newSession(page);
    const frame = transcriptFrame(page);
    await frame.getByText('Oak').first().waitFor();
    await composer(frame).fill(prompt);
    await composer(frame).press('Enter');
    await treeRow(page, new RegExp(`^${title}`))
      .first()
      .waitFor();
  }

  /** Drags the border of the side bar. */
  async function widen(page: Page, width: number): Promise<void> {
    const bar = await page.locator('.part.sidebar').boundingBox();
    await page.mouse.move((bar?.x ?? 0) + (bar?.width ?? 0), 300);
    await page.mouse.down();
    await page.mouse.move(activityBar + width, 300, { steps: 5 });
    await page.mouse.up();
  }
});
