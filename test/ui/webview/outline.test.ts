import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Entry } from '../../../src/shared/transcript/entries';
import { violations } from './harness/axe';
import { contrastOf } from './harness/contrastOf';
import { agent, conversation } from './harness/entries';
import { openFind } from './harness/keybindings';
import { eventful } from './harness/scenes/outline';
import {
  allThemes,
  pictures,
  setTheme,
  type ThemeName,
  useTranscripts,
} from './harness/transcriptPage';

const themes: readonly ThemeName[] = ['Dark 2026', 'Light 2026', 'Default High Contrast'];

function row(page: Page, index: number) {
  return page.locator(`[data-index="${index}"]`);
}

async function waitForTop(page: Page, index: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const element = document.querySelector(`[data-index="${wanted}"]`);
    const top = document.querySelector('.scroller')?.getBoundingClientRect().top ?? 0;
    return element !== null && Math.abs(element.getBoundingClientRect().top - top) < 40;
  }, index);
}

/** The contrast of the ruler's marks with their background, as defined by WCAG, by their classes. */
async function contrastsOfMarks(page: Page): Promise<Record<string, number>> {
  const readings = await page.evaluate(() => {
    const layers = [{ ground: getComputedStyle(document.body).backgroundColor, opacity: 1 }];
    return [...document.querySelectorAll('.ruler path')].map((mark) => ({
      ...{ name: mark.getAttribute('class') ?? '', layers },
      color: getComputedStyle(mark).fill,
    }));
  });
  return Object.fromEntries(readings.map((reading) => [reading.name, contrastOf(reading)]));
}

describe('the outline of a transcript', () => {
  const open = useTranscripts();

  async function openAt(entries: readonly Entry[], index: number) {
    const opened = await open({ entries });
    await row(opened.page, entries.length - 1).waitFor();
    await opened.host.send({ type: 'reveal', index });
    await row(opened.page, index).waitFor();
    await waitForTop(opened.page, index);
    return opened;
  }

  it('says which turn is being read once its prompt is scrolled out, and goes to it', async () => {
    const { page, errors } = await openAt(conversation(2000), 555);
    const turn = page.getByRole('button', { name: /^Turn 56\b/ });
    await turn.waitFor();
    assert.match(await turn.innerText(), /^Turn 56\b.*Question 550$/s);
    await turn.click();
    await waitForTop(page, 550);
    await turn.waitFor({ state: 'detached' });
    assert.equal(await row(page, 550).evaluate((e) => e === document.activeElement), true);
    assert.deepEqual(errors, []);
  });

  it('goes to the prompt by keyboard, and covers nothing that has the focus', async () => {
    const { page } = await openAt(conversation(400), 205);
    const turn = page.getByRole('button', { name: /^Turn 21\b/ });
    await turn.waitFor();
    await turn.focus();
    await page.keyboard.press('Enter');
    await waitForTop(page, 200);
    await page.keyboard.press('Alt+PageDown');
    await waitForTop(page, 201);
    const covered = await row(page, 201).evaluate((element) => {
      const line = document.querySelector('.sticky')?.getBoundingClientRect();
      return line !== undefined && line.bottom > element.getBoundingClientRect().top;
    });
    assert.equal(covered, false);
  });

  it('follows the turn as it is scrolled, and has none before the first', async () => {
    const entries = [agent('Before everything'), ...conversation(300)];
    const { page } = await openAt(entries, 150);
    await page.getByRole('button', { name: /^Turn 15\b/ }).waitFor();
    await page.locator('.scroller').evaluate((element) => {
      element.scrollTop = 0;
    });
    await page.getByText('Before everything').waitFor();
    await page.locator('.sticky').waitFor({ state: 'detached' });
  });

  it('shows a turn while it is being chosen, and goes back to the place where that began', async () => {
    const { page, host } = await openAt(conversation(1000), 505);
    for (const index of [900, 20, 700]) {
      await host.send({ type: 'preview', index });
      await waitForTop(page, index);
    }
    await host.send({ type: 'preview' });
    await waitForTop(page, 505);
    assert.equal(await page.locator('.row-shown').count(), 0);
  });

  it('goes back to the newest entry when choosing began there', async () => {
    const { page, host } = await open({ entries: conversation(1000) });
    await row(page, 999).waitFor();
    await host.send({ type: 'preview', index: 20 });
    await waitForTop(page, 20);
    await host.send({ type: 'preview' });
    await row(page, 999).waitFor();
    host.append(agent('Something new'));
    await page.getByText('Something new').waitFor();
  });

  it('marks where things are beside the scroll bar; a click goes there', async () => {
    const { page } = await openAt(eventful(1000), 0);
    const ruler = page.locator('.ruler');
    await page.waitForFunction(
      () => (document.querySelector('.ruler-error')?.getAttribute('d') ?? '').split('M').length > 7,
    );
    const y = await page.locator('.ruler-error').evaluate((element) => {
      const starts = [...(element.getAttribute('d') ?? '').matchAll(/M[\d.]+ (\d+)/g)];
      return Number(starts[3]?.[1]);
    });
    await ruler.click({ position: { x: 4, y: y + 1 } });
    await waitForTop(page, 431);
    assert.equal(await row(page, 431).evaluate((e) => e === document.activeElement), true);
  });

  it('marks so that it can be seen on the ground of every theme', async () => {
    const { page } = await openAt(eventful(300), 0);
    await page.locator('.ruler-error').waitFor({ state: 'attached' });
    for (const theme of allThemes) {
      await setTheme(page, theme);
      const contrasts = await contrastsOfMarks(page);
      assert.equal(Object.keys(contrasts).length, 4);
      for (const [mark, contrast] of Object.entries(contrasts)) {
        assert.ok(contrast >= 3, `${theme}, ${mark}: ${contrast}`);
      }
    }
  });

  it('is used with the mouse without frames, and by keyboard with them', async () => {
    const { page } = await openAt(conversation(400), 205);
    const outlines = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(element);
            return outlineStyle === 'solid' && outlineWidth !== '0px';
          }).length,
      );
    await page.mouse.move(400, 300);
    await page.getByRole('button', { name: /^Turn 21\b/ }).click();
    await page.locator('[data-index="200"]:focus').waitFor();
    assert.equal(await outlines(), 0);
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-index="201"]:focus').waitFor();
    assert.equal(await outlines(), 1);
  });

  it('has nothing that axe objects to, with the find widget open', async () => {
    const { page } = await openAt(eventful(1000), 505);
    await page.locator('.sticky').waitFor();
    await openFind(page);
    await page.keyboard.type('Question 4');
    await page.waitForFunction(
      () => (document.querySelector('.ruler-found')?.getAttribute('d') ?? '').length > 0,
    );
    await page.keyboard.press('Escape');
    await openFind(page);
    await page.locator('.find-count', { hasText: 'of' }).waitFor();
    assert.deepEqual(await violations(page, themes), []);
    await pictures(page, 'outline', themes);
  });
});
