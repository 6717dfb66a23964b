import assert from 'node:assert/strict';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import { editorTab, newSession, runCommand, transcriptFrame, webviewWith } from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { branchOf, names, prompt, stem } from './crew';

type Name = (typeof names)[number];

/** Takes a picture of a step, for the recording. */
export type Take = (step: string) => Promise<void>;

/** What somebody does on a day with three agents. Each step waits for what they would see. */
export class DayOfWork {
  readonly #ui: Readonly<Workbench>;
  readonly #take: Take;

  constructor(ui: Readonly<Workbench>, take: Take) {
    this.#ui = ui;
    this.#take = take;
  }

  get #quick(): Locator {
    return this.#ui.page.locator('.quick-input-widget:visible');
  }

  get #frame(): FrameLocator {
    return transcriptFrame(this.#ui.page);
  }

  #comparison(): Promise<Frame> {
    return webviewWith(this.#ui.page, '.comparison');
  }

  /** The column of an agent on the page that compares. */
  async #column(name: Name): Promise<Locator> {
    const compared = await this.#comparison();
    return compared.locator('.comparison-column', { hasText: branchOf(name) });
  }

  /** The new-session page, three agents, a worktree for each, and one prompt. */
  async asksThree(): Promise<void> {
    const { page } = this.#ui;
    await newSession(page);
    const frame = this.#frame;
    const [first, ...others] = names;
    await frame.getByRole('button', { name: /^Agent: / }).click();
    await frame.getByRole('option', { name: first }).click();
    await frame.getByRole('button', { name: `Agent: ${first}` }).waitFor();
    const field = frame.getByRole('textbox', { name: 'Prompt' });
    await field.fill(prompt);
    await frame.getByRole('button', { name: /^Where: / }).click();
    await this.#take('prompt');
    await frame.getByRole('option', { name: 'New worktree' }).click();
    await frame.getByRole('button', { name: `Branch: ${stem}` }).waitFor();
    for (const name of others) {
      await frame.getByRole('button', { name: 'Another Agent' }).click();
      await frame.getByRole('button', { name: `Don’t Ask ${name}` }).waitFor();
    }
    await frame.getByRole('button', { name: `Branch: ${stem}/…` }).waitFor();
    // The last one has started.
    await frame.getByRole('button', { name: /Auto Edit/ }).waitFor();
    await this.#take('agents');
    await field.press('Enter');
  }

  /** One request with the mouse, in the list of what needs an answer. */
  async answersAtGlance(): Promise<void> {
    const { page } = this.#ui;
    const compared = await this.#comparison();
    await compared
      .locator('.comparison-column')
      .nth(names.length - 1)
      .waitFor();
    await page.getByRole('button', { name: 'Show Sessions at a Glance' }).click();
    const glance = await webviewWith(page, '.glance-list');
    const answers = glance.locator('.glance-answers');
    await answers.nth(1).waitFor();
    // Both are seen at once.
    await runCommand(page, 'View: Toggle Maximized Panel');
    assert.equal(await answers.count(), 2, 'two of the three ask');
    await this.#take('glance');
    await glance.getByRole('button', { name: 'Yes', exact: true }).click();
    await answers.nth(1).waitFor({ state: 'detached' });
    await runCommand(page, 'View: Hide Panel');
  }

  /** The other one by keys alone. */
  async answersByKeyboard(): Promise<void> {
    const { page } = this.#ui;
    await page.keyboard.press('Control+Alt+Shift+N');
    const frame = this.#frame;
    await frame.locator('.card-choices [aria-disabled="false"]').first().waitFor();
    await this.#take('permission');
    await page.keyboard.press('1');
    await frame.getByText('There are tests for it').first().waitFor();
  }

  async compares(): Promise<void> {
    const { page } = this.#ui;
    await editorTab(page, /^Comparison of Sessions/).click();
    const compared = await this.#comparison();
    for (const name of names) {
      const column = await this.#column(name);
      await column.getByText('At rest').waitFor();
      await column.locator('.comparison-lines').waitFor();
    }
    assert.equal(await compared.locator('.comparison-column').count(), names.length);
    await this.#take('comparison');
  }

  /** Two hunks of another agent for the one whose work is kept. */
  async appliesHunks(): Promise<void> {
    const { page } = this.#ui;
    const column = await this.#column('Ben');
    await column.getByRole('button', { name: 'Apply Hunks…' }).click();
    await this.#choose(branchOf('Ada'));
    const rows = this.#quick.locator('.monaco-list-row');
    await rows.filter({ hasText: 'email.test.js, line' }).nth(1).waitFor();
    const wanted = rows.filter({ hasText: 'email.test.js, line' });
    assert.equal(await wanted.count(), 2);
    for (const at of [0, 1]) await wanted.nth(at).click();
    await editorTab(page, /^email\.test\.js \(/).waitFor();
    await this.#take('hunks');
    await this.#quick.getByRole('button', { name: 'OK' }).click();
    await this.isNotified('Applied hunks of', `to “${branchOf('Ada')}”: 1 file`);
  }

  async checks(command: string): Promise<void> {
    const { page } = this.#ui;
    await editorTab(page, /^Comparison of Sessions/).click();
    const column = await this.#column('Ada');
    await column.getByRole('button', { name: 'Check', exact: true }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText(command).waitFor();
    await this.#take('check');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await column.getByText('Passed').waitFor();
    await this.#take('passed');
  }

  async commits(message: string): Promise<void> {
    const column = await this.#column('Ada');
    await column.getByRole('button', { name: 'Open', exact: true }).click();
    const frame = this.#frame;
    await frame
      .locator('.header-facts')
      .getByRole('button', { name: /uncommitted/ })
      .click();
    await this.#choose('Commit…');
    await this.#quick.getByText('Commit All Changes…').waitFor();
    await this.#take('commit');
    await this.#choose('Commit All Changes…');
    const field = this.#quick.getByRole('textbox');
    await this.#quick.getByText('Message of the commit').waitFor();
    await field.fill(message);
    await field.press('Enter');
    await this.isNotified(`Committed 2 files in “${branchOf('Ada')}”`);
  }

  async cleansUp(): Promise<void> {
    const { page } = this.#ui;
    await runCommand(page, 'ACP Sessions: Clean Up Worktrees…');
    const row = (name: Name) =>
      this.#quick.locator('.monaco-list-row', { hasText: branchOf(name) }).first();
    // The rows are made anew as long as something is found out about them.
    for (const name of ['Ben', 'Cleo'] as const) await row(name).getByText('uncommitted').waitFor();
    await row('Ada').getByText('merged').waitFor();
    await this.#quick.getByText('size…').waitFor({ state: 'detached' });
    await row('Ada').locator('[aria-checked="true"]').waitFor();
    for (const name of ['Ben', 'Cleo'] as const) await row(name).click();
    await this.#take('clean-up');
    await this.#quick.getByRole('button', { name: 'OK' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Remove 3 worktrees?').waitFor();
    await dialog.getByRole('button', { name: 'Remove with Branches' }).click();
    await this.#quick.getByText('Lost is what only these have').waitFor();
    const field = this.#quick.getByRole('textbox');
    await field.fill('2 worktrees');
    await field.press('Enter');
    await this.isNotified('Worktrees removed: 3 of 3');
  }

  async #choose(label: string): Promise<void> {
    await this.#quick.locator('.monaco-list-row', { hasText: label }).first().click();
  }

  /** A message, which windows under test keep in the list of messages alone. */
  async isNotified(...texts: readonly string[]): Promise<void> {
    const { page } = this.#ui;
    const bell = page.locator('.statusbar [id="status.notifications"]');
    let said = page.locator('.notification-list-item');
    for (const hasText of texts) said = said.filter({ hasText });
    for (let attempt = 0; attempt < 20 && !(await said.first().isVisible()); attempt++) {
      if (!(await page.locator('.notifications-center').isVisible())) await bell.click();
      await said
        .first()
        .waitFor({ timeout: 3_000 })
        .catch(() => undefined);
    }
    await said.first().waitFor({ timeout: 1_000 });
    // In a full list the next one could be out of sight.
    await page.getByRole('button', { name: /^Clear All Notifications/ }).click();
  }
}
