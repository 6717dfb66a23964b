import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { FrameLocator, Locator, PageScreenshotOptions } from 'playwright-core';
import type { Json } from '../fakeAgent/scenario';
import { composer } from './demoAgent/composing';
import { sampleWorkspace } from './harness/sample';
import { docsPicture, screenshotsAreAsked } from './harness/screenshot';
import {
  closeAllEditors,
  editorTab,
  runCommand,
  transcriptFrame,
  treeRow,
  webviewWith,
} from './harness/window';
import { useAgents, useWorkbench } from './harness/workbench';
import { actor } from './pictures/tasks';

const branch = 'free-shipping';
const toggleSideBar = 'View: Toggle Primary Side Bar Visibility';
const viewport = { width: 1200, height: 750 };
/** The place of its right border. */
const sideBar = { narrow: 350, wide: 400 };

const shipping = {
  ada: `/** In cents, after discounts. */
const freeFrom = 5000;

export function shippingCents(totalCents: number): number {
  return totalCents >= freeFrom ? 0 : 490;
}
`,
  ben: `export const shippingCents = (total: number): number => (total >= 5000 ? 0 : 490);
`,
};

// Only takes pictures, and opens no window for nothing.
(screenshotsAreAsked ? describe : describe.skip)('the pictures of README.md and the guide', () => {
  const ui = useWorkbench('pictures', async (folder) => {
    const planned = await sampleWorkspace(folder, 'history');
    for (const args of [
      ['init', '--quiet', '--initial-branch=main'],
      ['add', '-A'],
      ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'First'],
    ]) {
      execFileSync('git', args, { cwd: planned.workspace });
    }
    return {
      ...planned,
      settings: {
        'acpSessions.registry': '',
        'editor.cursorBlinking': 'solid',
        'editor.minimap.enabled': false,
        'window.commandCenter': false,
        'workbench.colorTheme': 'Default Light Modern',
        'workbench.editor.enablePreview': false,
        'workbench.layoutControl.enabled': false,
      },
      viewport,
    };
  });

  const frame = (): FrameLocator => transcriptFrame(ui.page);
  const quick = (): Locator => ui.page.locator('.quick-input-widget:visible');
  const choose = (label: string | RegExp): Promise<void> =>
    quick().locator('.monaco-list-row', { hasText: label }).first().click();

  before(async () => {
    const { page } = ui;
    // What only VS Code in a browser has.
    const others = '.statusbar-item:is([aria-label^="Layout:"], [id="status.forwardedPorts"])';
    await page.addStyleTag({ content: `${others}, .menubar { display: none !important }` });
    await page.mouse.move(sideBar.narrow, 400);
    await page.mouse.down();
    await page.mouse.move(sideBar.wide, 400, { steps: 5 });
    await page.mouse.up();
  });

  afterEach(() => closeAllEditors(ui.page));

  /** Nothing is below the mouse, and the window looks the same twice. */
  async function take(name: string, clip?: PageScreenshotOptions['clip']): Promise<void> {
    await ui.page.mouse.move(viewport.width - 20, viewport.height - 2);
    let before: Buffer | undefined;
    for (let attempt = 0; attempt < 50; attempt++) {
      const now = await ui.page.screenshot();
      if (before?.equals(now)) break;
      before = now;
      await ui.page.waitForTimeout(250);
    }
    await docsPicture(ui.page, name, clip === undefined ? {} : { clip });
  }

  /** Takes a picture of the list that is open, and of nothing else. */
  async function takeList(name: string): Promise<void> {
    await quick().locator('.monaco-list-row').first().waitFor();
    const { x, y, width, height } = (await quick().boundingBox()) ?? { x: 0, y: 0, ...viewport };
    await take(name, { x, y, width, height });
  }

  async function ask(agent: string, prompt: string): Promise<void> {
    await runCommand(ui.page, 'ACP Sessions: New Session');
    await choose(agent);
    await composer(frame()).fill(prompt);
    await composer(frame()).press('Enter');
  }

  async function answer(question: string, text: string): Promise<void> {
    await quick().getByText(question).waitFor();
    const field = quick().getByRole('textbox');
    await field.fill(text);
    await field.press('Enter');
  }

  describe('of sessions of the last days', () => {
    useAgents(
      ui,
      ({ workspace }) => ({
        ada: { title: 'Ada', command: '${demoAgent}', args: ['--page-size', '9'] },
        ben: { title: 'Ben', ...actor(workspace, workspace, '', earlier(workspace)) },
      }),
      { 'acpSessions.transcripts.cacheSizeLimit': 300 },
    );

    it('are of the list and a transcript', async () => {
      const { page } = ui;
      await treeRow(page, /^Ben/).click();
      await treeRow(page, /^Limit discounts/).waitFor();
      await treeRow(page, /^Cart total is off/).click();
      await frame().getByRole('article').last().waitFor();
      await take('transcript');
      await take('tree', { x: 0, y: 0, width: sideBar.wide, height: 530 });
    });

    it('are of agents to add', async () => {
      await runCommand(ui.page, 'ACP Sessions: Add Agent…');
      await takeList('agents');
      await ui.page.keyboard.press('Escape');
    });

    it('are of an agent that is shared', async () => {
      const { page } = ui;
      await runCommand(page, 'ACP Sessions: Share Agent…');
      await choose('Ada');
      await choose('This Machine Only');
      for (const name of ['Share', 'Copy Token']) {
        await page.locator('.monaco-dialog-box').getByRole('button', { name, exact: true }).click();
      }
      await page.locator('.statusbar-item', { hasText: /Ada: \d/ }).click();
      await takeList('remote');
      await page.keyboard.press('Escape');
    });

    it('are of keys and settings', async () => {
      const { page } = ui;
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+s');
      await page.locator('.keybindings-editor').waitFor();
      await page.keyboard.type('ACP Sessions');
      await take('keys', { x: 120, y: 75, width: 960, height: 590 });
      await closeAllEditors(page);
      for (const [name, ids] of Object.entries({
        settings: ['search', 'transcripts', 'review'],
        'agent-settings': ['agents', 'protocol', 'insecureHosts'],
      })) {
        await page.keyboard.press('Control+,');
        await page.locator('.settings-editor').waitFor();
        await page.keyboard.type(`@id:${ids.map((id) => `acpSessions.${id}*`).join(',')}`);
        await page.locator('.settings-tabs-widget .action-label', { hasText: 'Remote' }).click();
        await take(name, { x: 610, y: 125, width: 580, height: 570 });
        await closeAllEditors(page);
      }
    });
  });

  describe('of an agent that isn’t there', () => {
    useAgents(ui, () => ({ ada: { title: 'Ada', command: 'ada-agent', args: ['--acp'] } }));

    it('are of its diagnosis', async () => {
      await runCommand(ui.page, 'ACP Sessions: Diagnose Agent…');
      await editorTab(ui.page, /diagnosis/).waitFor();
      await take('diagnosis', { x: sideBar.wide + 4, y: 145, width: 770, height: 345 });
    });
  });

  describe('of agents at work', () => {
    useAgents(ui, ({ workspace }) => {
      const tree = (name: string): string =>
        path.join(`${workspace}.worktrees`, `${branch}-${name}`);
      return {
        ada: { title: 'Ada', ...actor(workspace, tree('ada'), shipping.ada) },
        ben: { title: 'Ben', ...actor(workspace, tree('ben'), shipping.ben) },
      };
    });

    it('are of a permission, a prompt, a review, and all at a glance', async () => {
      const { page } = ui;
      await ask('Ada', 'Coupons that have expired still lower the total. Can you fix that?');
      await frame().locator('.card-choices .button[aria-disabled="false"]').first().waitFor();
      await take('permission');
      await frame().getByRole('button', { name: 'Allow once' }).click();
      await frame().getByText('valid now').first().waitFor();

      await runCommand(page, toggleSideBar);
      await composer(frame()).fill('Does anything else use the discount?');
      await frame().getByRole('button', { name: 'Edit Prompt in Editor' }).click();
      await page.locator('.view-line', { hasText: 'Does anything else' }).waitFor();
      await page.locator('.codelens-decoration', { hasText: 'Send to' }).waitFor();
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.type('/rev');
      await page.locator('.suggest-widget.visible').waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type('what changed in @cart');
      await page.locator('.suggest-widget.visible').waitFor();
      await take('prompt');
      await page.keyboard.press('Escape');
      await runCommand(page, 'View: Revert and Close Editor');
      await runCommand(page, toggleSideBar);

      await ask('Ben', 'Discounts above 80 % are mistakes. Please limit them, with a test.');
      const end = frame().getByRole('group', { name: 'This turn changed 2 files' });
      await end.getByRole('button', { name: 'Review' }).click();
      await page.locator('.multiDiffEntry:visible').first().waitFor();
      await runCommand(page, 'View: Move Editor into Right Group');
      await runCommand(page, toggleSideBar);
      await take('review', { x: 0, y: 0, width: viewport.width, height: 628 });
      await runCommand(page, toggleSideBar);
      await page
        .getByRole('tab', { name: /^Review:/ })
        .getByRole('button', { name: /^Close/ })
        .click();

      await ask('Ada', 'Upgrade to Node 24, please.');
      await frame().getByText('npm test').first().waitFor();
      await ask('Ada', 'Deploy 4.12 to staging, please.');
      await frame().getByRole('button', { name: 'Allow once' }).waitFor();
      await ask('Ben', 'How does the search rank products?');
      await frame().getByText('by sales').first().waitFor();
      await runCommand(page, 'ACP Sessions: Show Sessions at a Glance');
      await webviewWith(page, '.glance-list');
      await runCommand(page, 'View: Toggle Maximized Panel');
      await take('glance', { x: 0, y: 0, ...viewport, height: 640 });
      await runCommand(page, 'View: Hide Panel');
    });

    it('are of several agents with the same prompt', async () => {
      const { page } = ui;
      await runCommand(page, 'ACP Sessions: Ask Several Agents…');
      await choose('Ada');
      await choose('Ben');
      await quick().getByRole('textbox').press('Enter');
      await answer(
        'The prompt, which is sent to each of them.',
        'Ship orders of 50 and more for free.',
      );
      await answer('Name of the branch', branch);
      await choose(/^main/);
      await treeRow(page, /Free shipping from 50/)
        .nth(1)
        .waitFor();
      const transcripts = page.locator('iframe.webview:visible');
      for (const at of [0, 1]) {
        const transcript = transcripts.nth(at).contentFrame().frameLocator('#active-frame');
        await transcript.getByRole('group', { name: 'This turn changed 1 file' }).waitFor();
      }
      await take('worktrees');
    });
  });
});

/** Rows of a list that has some of everything. */
function earlier(cwd: string): readonly Json[] {
  const titles = [
    'Limit discounts to 80 %',
    'How does the search rank products?',
    'Expired coupons still lower the total',
    'Free shipping from 50',
  ];
  return titles.map((title, index) => ({
    sessionId: `ben-${index}`,
    ...{ cwd, title },
    updatedAt: new Date(Date.now() - (index * 19 + 2) * 3_000_000).toISOString(),
  }));
}
