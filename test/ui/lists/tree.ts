import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { ableInitialize, fakeAgent, update } from '../../fakeAgent/scenario';
import { screenshot } from '../harness/screenshot';
import {
  chooseInMenu,
  chooseViewOption,
  editorTab,
  menuItem,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

const cart = 'Cart total is off by a cent or two with discounts';
const move = 'Move all 150 templates from Handlebars to JSX';
const short = 'Short';

function tree(page: Page): Locator {
  return page.locator('.sidebar').getByRole('tree').first();
}

function selectedRows(page: Page): Promise<string[]> {
  return page
    .locator('.sidebar [role="treeitem"][aria-selected="true"] .label-name')
    .allInnerTexts();
}

async function open(page: Page, title: string): Promise<void> {
  await treeRow(page, new RegExp(`^${title}`)).dblclick();
  await transcriptFrame(page).getByText(`The end of ${title}`).waitFor();
}

async function menuLines(page: Page): Promise<string[]> {
  await page.locator('.monaco-menu').first().waitFor();
  return page.locator('.monaco-menu .action-label:not(.separator)').allInnerTexts();
}

/** Waits until the tree has these rows, by their first words. */
async function shows(page: Page, beginnings: readonly string[]): Promise<void> {
  await page.waitForFunction((expected) => {
    const labels = document.querySelectorAll('.sidebar [role="treeitem"] .label-name');
    const shown = [...labels].map(({ textContent }) => textContent);
    return (
      shown.length === expected.length &&
      expected.every((beginning, at) => shown[at]?.startsWith(beginning))
    );
  }, beginnings);
}

export function describeTree(ui: Readonly<Workbench>): void {
  let earlierErrors: number;

  // A tooltip would cover the rows below.
  const withoutTooltips = { 'workbench.hover.delay': 100_000 };
  useAgents(
    ui,
    ({ workspace }) => {
      const titles = [cart, move, short];
      const sessions = titles.map((title, at) => ({
        sessionId: `s${at}`,
        cwd: workspace,
        title,
        updatedAt: new Date(Date.now() - (at + 3) * 3_600_000).toISOString(),
      }));
      const said = (title: string) => [
        update.user('The first question', 'u1'),
        update.toolCall('edit', 'Edit it', {
          kind: 'edit',
          status: 'completed',
          content: [{ type: 'diff', path: `${workspace}/a.ts`, oldText: 'a', newText: 'b' }],
        }),
        update.agent('An answer\n\n'.repeat(60), 'a1'),
        update.user('The second question', 'u2'),
        update.agent(`${'Another answer\n\n'.repeat(60)}The end of ${title}`, 'a2'),
      ];
      const replays = Object.fromEntries(
        titles.map((title, at) => [`s${at}`, [{ updates: said(title) }, { result: {} }]]),
      );
      const scenario = { initialize: ableInitialize, sessions, replays };
      return { tree: { title: 'A', ...fakeAgent(scenario) } };
    },
    withoutTooltips,
  );

  before(async () => {
    await treeRow(ui.page, new RegExp(`^${short}`)).waitFor();
    earlierErrors = ui.errors.length;
  });

  it('follows the tab, and says how many files a session has changed', async () => {
    const { page } = ui;
    await open(page, cart);
    await open(page, short);
    assert.deepEqual(await selectedRows(page), [short]);
    await editorTab(page, new RegExp(`^${cart}`)).click();
    await page.waitForFunction(() =>
      document
        .querySelector('.sidebar [role="treeitem"][aria-selected="true"] .label-name')
        ?.textContent.startsWith('Cart'),
    );
    await treeRow(page, /^Cart.*, 1 file/).waitFor();
  });

  it('shows all of each row’s time in a side bar of the width that VS Code gives it', async () => {
    const { page } = ui;
    const bar = await page.locator('.sidebar').boundingBox();
    assert.ok(bar && bar.width <= 301, `${bar?.width}`);
    const times = await page.locator('.sidebar [role="treeitem"] .label-description').all();
    assert.equal(times.length, 3);
    for (const time of times) {
      assert.match(await time.innerText(), /\dh$/);
      const box = await time.boundingBox();
      const cell = await time
        .locator('xpath=ancestor::*[contains(@class,"monaco-icon-label-container")]')
        .boundingBox();
      assert.ok(
        box && cell && box.x + box.width <= cell.x + cell.width + 1,
        await time.innerText(),
      );
    }
    await screenshot(page, 'tree-narrow');
  });

  it('renames by F2 and asks to delete by Delete the row that has the focus', async () => {
    const { page } = ui;
    await open(page, cart);
    await tree(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await page.locator('.quick-input-widget', { hasText: 'Rename Session' }).waitFor();
    assert.equal(await input.inputValue(), move);
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    await tree(page).focus();
    await page.keyboard.press('Delete');
    const dialog = page.locator('.monaco-dialog-box', { hasText: `Delete the session “${move}”?` });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('offers for several rows what works on several', async () => {
    const { page } = ui;
    await open(page, cart);
    await treeRow(page, /^Short/).click({ modifiers: ['Control'] });
    await treeRow(page, /^Short/).click({ button: 'right' });
    const lines = await menuLines(page);
    await screenshot(page, 'tree-menu-of-several');
    await page.keyboard.press('Escape');
    assert.ok(lines.includes('Pin') && lines.includes('Delete…'), lines.join());
    for (const single of ['Open to the Side', 'Rename…', 'Continue or Compare', 'Copy or Export']) {
      assert.ok(!lines.includes(single), single);
    }
  });

  it('T-182: has rows dragged into a group of the user’s, and moved there by keys', async () => {
    const { page } = ui;
    const input = page.locator('.quick-input-widget input[type="text"]');
    // All selected rows are dragged.
    await open(page, cart);
    await treeRow(page, new RegExp(`^${move}`)).click({ button: 'right' });
    await menuItem(page, 'Group').hover();
    await chooseInMenu(page, 'Add to Group…');
    await page.locator('.quick-input-widget', { hasText: 'New Group' }).waitFor();
    await input.fill('Checkout');
    await input.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await chooseViewOption(page, 'My Groups');
    const group = treeRow(page, 'Checkout');
    await group.waitFor();
    await treeRow(page, new RegExp(`^${cart}`)).dragTo(group);
    await shows(page, ['Checkout', 'Move', 'Cart', 'Short']);
    await treeRow(page, new RegExp(`^${short}`)).dragTo(treeRow(page, new RegExp(`^${move}`)));
    await shows(page, ['Checkout', 'Short', 'Move', 'Cart']);
    await treeRow(page, new RegExp(`^${cart}`)).click();
    await tree(page).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await shows(page, ['Checkout', 'Short', 'Cart', 'Move']);
    await page.keyboard.press('Alt+ArrowUp');
    await shows(page, ['Checkout', 'Cart', 'Short', 'Move']);
    await screenshot(page, 'tree-groups');
    await group.click({ button: 'right' });
    await chooseInMenu(page, 'Edit Group…');
    await page.locator('.quick-input-list').getByText('Delete', { exact: true }).click();
    await shows(page, ['No groups', 'Cart', 'Move', 'Short']);
    await chooseViewOption(page, 'Date');
    await shows(page, ['Cart', 'Move', 'Short']);
  });

  it('has a short menu for one row', async () => {
    const { page } = ui;
    await open(page, short);
    await treeRow(page, /^Short/).click({ button: 'right' });
    const lines = await menuLines(page);
    await screenshot(page, 'tree-menu');
    await page.keyboard.press('Escape');
    assert.equal(lines[0], 'Open to the Side');
    assert.ok(lines.length <= 12, lines.join());
    assert.deepEqual(
      lines.filter((line) => /session/i.test(line)),
      ['Close Session'],
    );
  });

  it('begins its own menu with the search in conversations', async () => {
    const { page } = ui;
    await page.locator('.sidebar .composite.title').hover();
    await page
      .locator('.sidebar')
      .getByRole('button', { name: /^Views and More Actions|^More Actions/ })
      .first()
      .click();
    const lines = await menuLines(page);
    await screenshot(page, 'tree-view-menu');
    await page.keyboard.press('Escape');
    assert.equal(lines[0], 'Search in Conversations…');
  });

  it('finds “New Session” first', async () => {
    const { page } = ui;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input[type="text"]').fill('>New Session');
    const first = page.locator('.quick-input-list .monaco-list-row').first();
    await first.filter({ hasText: 'ACP Sessions: New Session' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('moves in a transcript by keys of VS Code, and leaves those alone that are typed there', async () => {
    const { page } = ui;
    await open(page, short);
    const transcript = transcriptFrame(page);
    const focused = (text: string): Promise<void> =>
      transcript.locator('[data-index]:focus', { hasText: text }).waitFor();
    await transcript.getByRole('article').last().click();
    await page.keyboard.press('Alt+ArrowUp');
    await focused('The second question');
    await page.keyboard.press('Alt+ArrowUp');
    await focused('The first question');
    await page.keyboard.press('Alt+PageDown');
    await focused('Edit it');
    await page.keyboard.press('Control+End');
    await transcript.getByText(`The end of ${short}`).waitFor();
    const prompt = transcript.locator('textarea.prompt-input');
    await prompt.click();
    await page.keyboard.type('two words');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Control+f');
    await transcript.locator('.find-input input:focus').waitFor();
    assert.equal(await prompt.inputValue(), 'two words');
    assert.equal(await transcript.locator('[data-index]:focus').count(), 0);
    await transcript.getByText(`The end of ${short}`).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(ui.errors.slice(earlierErrors), []);
  });
}
