import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { FrameLocator, Locator, PageScreenshotOptions } from 'playwright-core';
import type { Json } from '../fakeAgent/scenario';
import { composer } from './demoAgent/composing';
import { sampleWorkspace } from './harness/sample';
import {
  docsPicture,
  hideBrowserParts,
  screenshotsAreAsked,
  standStill,
} from './harness/screenshot';
import {
  closeAllEditors,
  editorTab,
  runCommand,
  transcriptFrame,
  treeRow,
  webviewWith,
} from './harness/window';
import { changeSettings, useAgents, useWorkbench } from './harness/workbench';
import { actor, sessionRow, unreadable } from './pictures/tasks';

const branch = 'check-emails';
const toggleSideBar = 'View: Toggle Primary Side Bar Visibility';
const viewport = { width: 1200, height: 750 };
/** The place of its right border. */
const sideBar = { narrow: 350, wide: 400 };

const checks = {
  ada: {
    newText: '  if (!/^\\S+@\\S+\\.\\S+$/.test(form.email)) {\n',
    says: 'An address needs a domain with a dot now. One pattern checks both sides of the `@`.',
  },
  ben: {
    newText:
      "  const [name, domain = ''] = form.email.split('@');\n  if (!name || !domain.includes('.')) {\n",
    says: 'Addresses are split at the `@`: the name can’t be empty, and the domain has a dot.',
  },
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
    await hideBrowserParts(page);
    // The buttons of the row that was clicked last.
    const buttons = '.sidebar .monaco-list-row.focused:not(.selected) .actions';
    await page.addStyleTag({ content: `${buttons} { display: none !important }` });
    await page.mouse.move(sideBar.narrow, 400);
    await page.mouse.down();
    await page.mouse.move(sideBar.wide, 400, { steps: 5 });
    await page.mouse.up();
  });

  afterEach(() => closeAllEditors(ui.page));

  async function take(name: string, clip?: PageScreenshotOptions['clip']): Promise<void> {
    await standStill(ui.page);
    await docsPicture(ui.page, name, clip === undefined ? {} : { clip });
  }

  /** Takes a picture of the list that is open, and of nothing else. */
  async function takeList(name: string): Promise<void> {
    await quick().locator('.monaco-list-row').first().waitFor();
    const { x, y, width, height } = (await quick().boundingBox()) ?? { x: 0, y: 0, ...viewport };
    const rows = await quick().locator('.monaco-list-row').all();
    const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
    const ends = boxes.flatMap((box) => (box === null ? [] : [box.y + box.height]));
    // No row is cut.
    const end = Math.max(...ends.filter((bottom) => bottom <= y + height));
    await take(name, { x, y, width, height: end - y + 4 });
  }

  async function ask(agent: string, prompt: string): Promise<void> {
    await runCommand(ui.page, 'ACP Sessions: New Session');
    await frame()
      .getByRole('button', { name: /^Agent: / })
      .click();
    await frame().getByRole('option', { name: agent }).click();
    await frame()
      .getByRole('button', { name: `Agent: ${agent}` })
      .waitFor();
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
        ben: { title: 'Ben', ...actor(workspace, earlierOfBen(workspace)) },
      }),
      { 'acpSessions.transcripts.cacheSizeLimit': 300 },
    );

    it('are of the list and a transcript', async () => {
      const { page } = ui;
      await treeRow(page, /^Ada.*not started/).click();
      await treeRow(page, /^Cart total is off/).waitFor();
      await treeRow(page, /^Ben.*not started/).click();
      await treeRow(page, /^Explain the tax/).waitFor();
      await treeRow(page, /^Cart total is off/).click();
      await frame().getByRole('article').last().waitFor();
      // So that the uppermost line is whole.
      await page.setViewportSize({ ...viewport, height: viewport.height + 12 });
      await take('transcript');
      await page.setViewportSize(viewport);
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
      await take('keys', { x: 120, y: 75, width: 960, height: 557 });
      await closeAllEditors(page);
      for (const { name, ids, height } of [
        { name: 'settings', ids: ['search', 'transcripts', 'review'], height: 545 },
        { name: 'agent-settings', ids: ['agents', 'protocol', 'insecureHosts'], height: 485 },
      ]) {
        await page.keyboard.press('Control+,');
        await page.locator('.settings-editor').waitFor();
        await page.keyboard.type(`@id:${ids.map((id) => `acpSessions.${id}*`).join(',')}`);
        await page.locator('.settings-tabs-widget .action-label', { hasText: 'Remote' }).click();
        await take(name, { x: 610, y: 125, width: 580, height });
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
      const worktree = (name: string): string =>
        path.join(`${workspace}.worktrees`, `${branch}-${name}`);
      const ada = { ...checks.ada, worktree: worktree('ada') };
      const ben = { ...checks.ben, worktree: worktree('ben') };
      return {
        ada: { title: 'Ada', ...actor(workspace, earlierOfAda(workspace), ada) },
        ben: { title: 'Ben', ...actor(workspace, earlierOfBen(workspace), ben) },
      };
    });

    it('are of a permission, a prompt, a review, all at a glance, and the list', async () => {
      const { page } = ui;
      for (const name of [/^Ada/, /^Ben/]) await treeRow(page, name).click();
      await treeRow(page, /^Explain the tax/).waitFor();
      await ask('Ada', 'Coupons that have expired still lower the total. Can you fix that?');
      await frame().locator('.card-rule [aria-disabled="false"]').waitFor();
      await take('permission');
      await frame().getByRole('button', { name: 'Allow once' }).click();
      await frame().getByText('valid now').first().waitFor();

      await runCommand(page, toggleSideBar);
      await composer(frame()).fill('/review Does anything else use the discount?');
      await frame().getByRole('button', { name: 'Edit Prompt in Editor' }).click();
      await page.locator('.view-line', { hasText: 'Does anything else' }).waitFor();
      await page.locator('.codelens-decoration', { hasText: 'Send to' }).waitFor();
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Begin with @cart');
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
      await changeSettings(ui, { 'workbench.colorTheme': 'Default Dark Modern' });
      await page.locator('.monaco-workbench.vs-dark').waitFor();
      await take('review', { x: 0, y: 0, width: viewport.width, height: 628 });
      await changeSettings(ui, { 'workbench.colorTheme': 'Default Light Modern' });
      await page.locator('.monaco-workbench.vs').waitFor();
      await runCommand(page, toggleSideBar);
      await page
        .getByRole('tab', { name: /^Review:/ })
        .getByRole('button', { name: /^Close/ })
        .click();

      await ask('Ben', 'How does the search rank products?');
      await frame().getByText('By the weight').first().waitFor();
      await ask('Ada', 'Upgrade to Node 24, please.');
      await frame().getByText('npm test').first().waitFor();
      await ask('Ada', 'Deploy version 4.12 to staging, please.');
      await frame().getByRole('button', { name: 'Allow once' }).waitFor();
      await treeRow(page, /^How search ranks.*not read yet/).waitFor();
      await page.getByRole('button', { name: 'Show Sessions at a Glance' }).click();
      await webviewWith(page, '.glance-list');
      await runCommand(page, 'View: Toggle Maximized Panel');
      await take('glance', { x: 0, y: 0, ...viewport, height: 640 });
      await runCommand(page, 'View: Hide Panel');

      await treeRow(page, /^Move to Postgres/).click();
      await treeRow(page, /^Move to Postgres.*couldn’t be opened/).waitFor();
      await editorTab(page, /^Expired coupons/).click();
      await take('tree', { x: 0, y: 0, width: sideBar.wide, height: 430 });
    });

    it('are of several agents with the same prompt', async () => {
      const { page } = ui;
      await runCommand(page, 'ACP Sessions: New Session');
      await frame().getByRole('button', { name: 'Another Agent' }).click();
      await frame()
        .getByRole('button', { name: /^Branch: / })
        .click();
      await answer('Name of the branch', branch);
      await composer(frame()).fill('Refuse e-mail addresses without a name or a domain.');
      await composer(frame()).press('Enter');
      await treeRow(page, /Check e-mails/)
        .nth(1)
        .waitFor();
      const compared = await webviewWith(page, '.comparison');
      for (const at of [0, 1]) {
        await compared.locator('.comparison-lines').nth(at).waitFor();
      }
      await take('worktrees');
    });
  });
});

/** As those of the demo agent, which has the same name in other pictures. */
function earlierOfAda(cwd: string): readonly Json[] {
  return [
    sessionRow(cwd, 'Cart total is off by a cent or two with discounts', 0.5),
    sessionRow(cwd, 'Name for the new loyalty programme', 0.9),
    sessionRow(cwd, 'Write release notes for 4.12', 1.2),
    sessionRow(cwd, 'Make the product page faster on phones', 26),
    sessionRow(cwd, 'Explain this regular expression', 50),
  ];
}

function earlierOfBen(cwd: string): readonly Json[] {
  return [
    sessionRow(cwd, 'Explain the tax table', 2),
    sessionRow(cwd, 'Move to Postgres 18', 25, unreadable),
    sessionRow(cwd, 'Split the search module', 49),
    sessionRow(cwd, 'Update the API docs', 75),
  ];
}
