import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { agent, conversation, toolCall } from './harness/entries';
import { openFind } from './harness/keybindings';
import { sample } from './harness/sample';
import { setTheme, useTranscripts } from './harness/transcriptPage';

describe('around the transcript', () => {
  const open = useTranscripts();

  it('keeps the keys working when the row that had the focus is scrolled away', async () => {
    const { page } = await open({ entries: conversation(300) });
    await page.getByText('Answer 299').waitFor();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '0');
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, 6000);
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Conversation',
    );
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(() => {
      const index = Number(document.activeElement?.getAttribute('data-index') ?? 'NaN');
      return index > 20 && index % 10 === 0;
    });
  });

  it('lets text be selected and copied', async () => {
    const { page } = await open({ entries: [agent('Some words to copy')] });
    await page.getByText('Some words to copy').click({ clickCount: 3 });
    assert.equal(
      (await page.evaluate(() => getSelection()?.toString() ?? '')).trim(),
      'Some words to copy',
    );
  });

  it('moves nothing by itself when less motion is asked for', async () => {
    const { page } = await open({
      entries: [toolCall({ status: 'in_progress' })],
      phase: { kind: 'loading', received: 1 },
      reducedMotion: 'reduce',
    });
    await page.getByText('Running').waitFor();
    const moving = await page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
  });

  it('keeps the agent and the branch in the header of a narrow tab; the folder of a worktree is in the tooltip', async () => {
    const header = {
      title: 'Make the totals of the shopping cart right, with tests for all currencies',
      agentTitle: 'Claude Agent',
      folder: 'project/packages/shopping/checkout',
      cwd: '/invented/project.worktrees/fix-totals',
      branch: 'fix-totals',
      facts: [{ icon: 'warning' as const, text: '2 MCP servers are missing', title: 'Two' }],
    };
    const { page } = await open({ entries: sample, header, viewport: { width: 620, height: 500 } });
    const isWhole = (name: string): Promise<boolean> =>
      page
        .locator(`.header-${name} .one-line`)
        .evaluate((text) => text.scrollWidth <= text.clientWidth);
    const branch = page.locator('.header-branch');
    await branch.waitFor();
    assert.match((await branch.getAttribute('title')) ?? '', /project.worktrees\/fix-totals$/);
    assert.equal(await page.locator('.header-folder').count(), 0);
    assert.deepEqual([await isWhole('agent'), await isWhole('branch')], [true, true]);
    await screenshot(page, 'header-half');
    for (const theme of ['Dark Modern', 'Light Modern'] as const) {
      await setTheme(page, theme);
      await page.setViewportSize({ width: 400, height: 500 });
      assert.deepEqual([await isWhole('agent'), await isWhole('branch')], [true, true]);
      await screenshot(page, `header-narrow-${theme.replace(' ', '-')}`);
    }
  });

  it('cuts nothing in the header but the branch, which gives way down to some letters; then a line breaks', async () => {
    const fact = (text: string, opens: 'check' | 'comparison' | 'finish') => ({
      ...{ icon: 'git-branch' as const, text, title: text, opens },
    });
    const header = {
      title: 'Addresses without a domain',
      agentTitle: 'Ada',
      folder: 'shop',
      cwd: '/invented/shop.worktrees/refuse-ada',
      branch: 'refuse-addresses-without-a-domain/ada',
      facts: [
        fact('Check passed', 'check'),
        fact('Compare with 2 others', 'comparison'),
        fact('1 uncommitted', 'finish'),
      ],
    };
    const { page } = await open({ entries: sample, header, viewport: { width: 740, height: 500 } });
    const cut = (): Promise<readonly string[]> =>
      page
        .locator('.header-fact .one-line')
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth ? [one.textContent] : [])),
        );
    const height = async () => (await page.locator('.header-facts').boundingBox())?.height ?? 0;
    await page.getByText('1 uncommitted').waitFor();
    assert.deepEqual(await cut(), [header.branch]);
    const line = await height();
    await page.setViewportSize({ width: 560, height: 500 });
    assert.ok((await height()) > line);
    assert.deepEqual(await cut(), []);
    await screenshot(page, 'header-facts');
  });

  it('has nothing that axe objects to', async () => {
    const { page } = await open({ entries: sample, viewport: { width: 900, height: 4000 } });
    await page.getByText('All 7 tests pass').waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) {
        fold.click();
      }
    });
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-expanded="false"]').length <= 4,
    );
    await openFind(page);
    await page.getByRole('textbox', { name: /Find/ }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('has nothing that axe objects to while it is empty or has failed', async () => {
    const { page, host } = await open({ phase: { kind: 'empty' } });
    await page.getByText('Claude sent no history').first().waitFor();
    assert.deepEqual(await violations(page), []);
    host.setPhase({ kind: 'loading', received: 3 });
    await page.getByRole('progressbar').waitFor();
    assert.deepEqual(await violations(page), []);
  });
});
