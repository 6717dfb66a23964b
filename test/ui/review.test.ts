import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { sampleWorkspace } from './harness/sample';
import { screenshot } from './harness/screenshot';
import { closeAllEditors, newSession, runCommand, transcriptFrame } from './harness/window';
import { useWorkbench } from './harness/workbench';

describe('reviewing what an agent changed, in a window of VS Code', () => {
  const ui = useWorkbench('review', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    viewport: { width: 1400, height: 1000 },
  }));
  let page: Page;
  let frame: FrameLocator;

  before(() => {
    page = ui.page;
  });

  beforeEach(async () => {
    await newSession(page);
    frame = transcriptFrame(page);
    await frame.getByRole('textbox', { name: 'Prompt' }).waitFor();
  });

  afterEach(async () => {
    await closeAllEditors(page);
  });

  const at = (name: string): string => path.join(ui.workspace, 'demo-agent', name);

  async function work(kind: string): Promise<void> {
    const prompt = frame.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill(`/work ${kind} `);
    await prompt.press('Enter');
    await frame.getByRole('button', { name: 'Allow once' }).click();
  }

  function end(files: string) {
    return frame.getByRole('group', { name: `This turn changed ${files}` });
  }

  it('a turn that reported nothing is listed, opened, and taken back', async () => {
    mkdirSync(path.dirname(at('prices.txt')), { recursive: true });
    writeFileSync(at('prices.txt'), 'Bread 3\nMilk 2\n');
    await work('start');
    await end('12 files')
      .or(end('13 files'))
      .or(end('14 files'))
      .or(end('15 files'))
      .or(end('16 files'))
      .waitFor();
    await frame.getByRole('button', { name: 'Keep', exact: true }).last().click();
    await frame.getByText('Kept', { exact: true }).waitFor();
    const prices = readFileSync(at('prices.txt'), 'utf8');
    await work('command');
    await end('2 files').waitFor();
    await screenshot(page, 'review-turn');
    assert.notEqual(readFileSync(at('prices.txt'), 'utf8'), prices);
    await end('2 files').getByRole('button', { name: 'Review' }).click();
    await page.locator('.multiDiffEntry').first().waitFor();
    await screenshot(page, 'review-changes');
    await page
      .getByRole('tab', { name: /^Review:/ })
      .getByRole('button', { name: /^Close/ })
      .click();
    await end('2 files').getByRole('button', { name: 'Undo' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot(page, 'review-undo');
    await dialog.getByRole('button', { name: /Undo All/ }).click();
    await end('2 files').getByText('Undone', { exact: true }).waitFor();
    assert.equal(readFileSync(at('prices.txt'), 'utf8'), prices);
    assert.equal(existsSync(at('report.txt')), false);
  });

  it('the files go back to before a turn, and forward again', async () => {
    await work('again');
    await frame
      .getByRole('group', { name: /This turn changed/ })
      .first()
      .waitFor();
    const first = readFileSync(at('todo.md'), 'utf8');
    await work('again');
    await frame
      .getByRole('group', { name: /This turn changed/ })
      .nth(1)
      .waitFor();
    const second = readFileSync(at('todo.md'), 'utf8');
    assert.notEqual(second, first);
    await frame.getByRole('button', { name: 'Restore to Before This Turn…' }).last().click();
    const question = page.locator('.quick-input-widget');
    await question.locator('.monaco-list-row').first().waitFor();
    await screenshot(page, 'review-restore');
    await question.locator('.monaco-list-row', { hasText: /^Restore/ }).click();
    await page.getByText('Restored. Files: 1.').first().waitFor();
    assert.equal(readFileSync(at('todo.md'), 'utf8'), first);
    await runCommand(page, 'ACP Sessions: Undo Restore');
    await page
      .getByText(/The restore is undone/)
      .first()
      .waitFor();
    assert.equal(readFileSync(at('todo.md'), 'utf8'), second);
  });
});
