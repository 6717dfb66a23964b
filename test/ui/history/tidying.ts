import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chooseInMenu, menuItem, transcriptFrame, treeRow } from '../harness/window';
import type { Workbench } from '../harness/workbench';

const newest = 'Cart total is off by a cent or two with discounts';

function rows(page: Page): Locator {
  return page.locator('.sidebar').getByRole('treeitem');
}

/** Finds a row by position, because which sessions are listed under which date depends on the time of day. */
function sessionRow(page: Page, index: number): Locator {
  return page.locator('.sidebar').locator('[role="treeitem"][aria-level="2"]').nth(index);
}

/** The title of a session; its row may show a shortened one. */
async function titleOf(page: Page, index: number): Promise<string> {
  const shown = await sessionRow(page, index).locator('.label-name').innerText();
  return shown.replace(/…$/, '');
}

function quickPickRow(page: Page, name: string): Locator {
  return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
}

/** Presses a key until the element with this name has the keyboard focus. */
async function pressUntil(page: Page, key: string, focused: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused.count()) > 0) {
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${key} doesn't lead there`);
}

/** A button of the view's title, which appears while the mouse is over the view. */
function titleButton(page: Page, name: string | RegExp): Locator {
  return page.locator('.sidebar').getByRole('button', { name });
}

export function describeTidying(ui: Readonly<Workbench>): void {
  let earlierErrors: number;

  before(async () => {
    earlierErrors = ui.errors.length;
    await ui.page.setViewportSize({ width: 1280, height: 1400 });
    await ui.page.locator('.sidebar').getByRole('tree').first().focus();
    await ui.page.keyboard.press('Home');
    await treeRow(ui.page, newest).waitFor();
  });

  it('pins a session with the mouse: it stands above all dates', async () => {
    const { page } = ui;
    const name = await titleOf(page, 2);
    await treeRow(page, name).click({ button: 'right' });
    await chooseInMenu(page, 'Pin');
    await treeRow(page, /^Pinned/).waitFor();
    assert.match((await rows(page).nth(0).getAttribute('aria-label')) ?? '', /^Pinned/);
    assert.ok((await rows(page).nth(1).getAttribute('aria-label'))?.startsWith(name));
    assert.match((await treeRow(page, name).getAttribute('aria-label')) ?? '', /, pinned/);
  });

  it('names a session by keyboard alone', async () => {
    const { page } = ui;
    await treeRow(page, newest).click();
    await transcriptFrame(page).getByRole('article').last().waitFor();
    await page.locator('.sidebar').getByRole('tree').first().focus();
    await page.keyboard.press('Shift+F10');
    await menuItem(page, 'Rename…').waitFor();
    const focused = page.locator('.monaco-menu .action-item.focused', { hasText: 'Rename…' });
    await pressUntil(page, 'ArrowDown', focused);
    await page.keyboard.press('Enter');
    const locally = page.locator('.quick-input-list .monaco-list-row.focused', {
      hasText: 'Rename Locally',
    });
    await page.locator('.quick-input-list').waitFor();
    await pressUntil(page, 'ArrowDown', locally);
    await page.keyboard.press('Enter');
    const asked = page.locator('.quick-input-widget', { hasText: 'keeps its title' });
    await asked.locator('input:focus').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Cents');
    await page.keyboard.press('Enter');
    await treeRow(page, /^Cents, /).waitFor();
    assert.equal(await treeRow(page, newest).count(), 0);
  });

  it('filters by the button of the view, says so, and clears the filter', async () => {
    const { page } = ui;
    const before = await rows(page).count();
    await page.locator('.sidebar .composite.title').hover();
    await titleButton(page, /^Filter Sessions/).click();
    await quickPickRow(page, 'Pinned').click();
    await page.keyboard.press('Enter');
    await page.locator('.sidebar', { hasText: 'only pinned' }).waitFor();
    await treeRow(page, /^Cents, /).waitFor({ state: 'detached' });
    assert.equal(await treeRow(page, /, pinned/).count(), 1);
    await titleButton(page, /^Clear Filter/).click();
    await treeRow(page, /^Cents, /).waitFor();
    assert.equal(await rows(page).count(), before);
  });

  it('deletes several sessions after one question', async () => {
    const { page } = ui;
    const names = await Promise.all([3, 4].map((index) => titleOf(page, index)));
    const [first = '', second = ''] = names;
    await treeRow(page, first).click({ modifiers: ['Control'] });
    await treeRow(page, second).click({ modifiers: ['Control'] });
    await treeRow(page, second).click({ button: 'right' });
    await chooseInMenu(page, 'Delete…');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: /Delete [23] sessions\?/ }).waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await treeRow(page, first).waitFor({ state: 'detached' });
    await treeRow(page, second).waitFor({ state: 'detached' });
    assert.deepEqual(ui.errors.slice(earlierErrors), []);
  });
}
