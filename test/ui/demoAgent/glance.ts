import assert from 'node:assert/strict';
import { chooseInMenu, runCommand, webviewWith } from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** Describes a window in which nothing has gone on yet. */
export function describeGlance(ui: Readonly<Workbench>): void {
  after(() => runCommand(ui.page, 'View: Hide Panel'));

  it('opens from the view’s menu alone, in the panel, and says what it is for until something goes on', async () => {
    const { page } = ui;
    assert.equal(await page.locator('.part.auxiliarybar').isVisible(), false);
    assert.equal(await page.locator('.part.panel').isVisible(), false);
    await page
      .locator('.sidebar')
      .getByRole('button', { name: /^Views and More Actions|^More Actions/ })
      .first()
      .click();
    await chooseInMenu(page, 'Show Sessions at a Glance');
    const glance = await webviewWith(page, '.glance-list');
    await glance.getByText('Nothing needs you.', { exact: false }).waitFor();
    assert.equal(await page.locator('.part.panel').isVisible(), true);
  });
}
