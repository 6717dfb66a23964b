import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../harness/screenshot';
import { permission } from './harness/asking';
import { agent } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const answer = `The roots of $ax^2 + bx + c = 0$ are

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

and for a normal distribution, with \\(\\mu = 0\\):

\\[
f(x) = \\frac{1}{\\sigma\\sqrt{2\\pi}} \\int_{-\\infty}^{x} e^{-t^2 / 2\\sigma^2}\\,dt,
\\qquad A = \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}
\\]

It costs $5 and then $10 more.`;

describe('formulas in messages', () => {
  const open = useTranscripts();

  it('are typeset, with their source one click away', async () => {
    const { page, errors, requests } = await open({ entries: [agent(answer)] });
    await page.locator('math').nth(3).waitFor();
    assert.equal(await page.locator('math mfrac').count(), 2);
    assert.ok(await page.getByText('It costs $5 and then $10 more.').isVisible());
    await screenshot(page, 'formulas');
    const formula = page.getByRole('figure', { name: 'Formula' }).first();
    await formula.hover();
    await formula.getByRole('button', { name: 'Show Source' }).click();
    assert.match(await formula.locator('pre').innerText(), /\\frac\{-b \\pm/);
    await formula.getByRole('button', { name: 'Show Formula' }).click();
    await formula.locator('math').waitFor();
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });

  it('are copied as a picture that shows them', async () => {
    const { page, errors, requests } = await open({
      entries: [agent('$$\n\\frac{a^2}{\\sqrt{b}}\n$$')],
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const formula = page.getByRole('figure', { name: 'Formula' });
    await formula.hover();
    await formula.getByRole('button', { name: 'Copy Picture' }).click();
    const { width, height, colors } = await copied(page);
    assert.ok(width > 50 && width < 300 && height > 50 && height < 300, `${width} × ${height}`);
    assert.ok(colors > 2, `${colors} colors`);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });

  it('PE-9: draw nothing over what stands beside them, such as the buttons below a plan', async () => {
    const sources = [
      '\\smash{\\raisebox{-4em}{\\colorbox{red}{\\text{Cancel this}}}}',
      '\\smash{\\raisebox{6em}{\\text{It is safe}}}',
      '\\rlap{\\rule{30em}{1em}}',
      '\\llap{\\text{a long word before it}}',
    ];
    const text = sources.map((source) => `$x$ and $${source}$`).join('\n\n');
    const content = [{ type: 'content', block: { type: 'text', text } }] as const;
    const { page } = await open({
      entries: [permission(1, { content, toolKind: 'switch_mode' })],
      session: { waiting: [0] },
    });
    await page
      .locator('math')
      .nth(sources.length * 2 - 1)
      .waitFor();
    await screenshot(page, 'formulas-in-plan');
    const outside = await page.evaluate(() => {
      const hits: Element[] = [];
      for (const formula of document.querySelectorAll('.formula')) {
        const { left, right, top, bottom } = formula.getBoundingClientRect();
        for (const drawn of formula.querySelectorAll('*')) {
          const box = drawn.getBoundingClientRect();
          const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
          const isWithin = x >= left && x <= right && y >= top && y <= bottom;
          if (!isWithin && formula.contains(document.elementFromPoint(x, y))) {
            hits.push(formula);
          }
        }
      }
      return [...new Set(hits)].map(({ textContent }) => textContent);
    });
    assert.deepEqual(outside, []);
  });

  it('that are not LaTeX, too long or too large stay text', async () => {
    const large = `\\begin{matrix}${'x & '.repeat(2400)}\\end{matrix}`;
    const entries = [
      '\\frac{a',
      `${'a+'.repeat(2600)}b`,
      large,
      '\\href{javascript:alert(1)}{x}',
    ].map((source) => agent(`$$\n${source}\n$$`));
    const { page, errors, requests } = await open({
      entries: [...entries, agent('$$\nz\n$$')],
      viewport: { width: 900, height: 2500 },
    });
    await page.locator('math').waitFor();
    assert.equal(await page.locator('math').count(), 1);
    assert.equal(await page.locator('figure.code').count(), 4);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });
});

/** The picture in the clipboard, once there is one. */
async function copied(page: Page): Promise<{ width: number; height: number; colors: number }> {
  for (;;) {
    const picture = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read().catch(() => []);
      if (!item?.types.includes('image/png')) {
        return undefined;
      }
      const bitmap = await createImageBitmap(await item.getType('image/png'));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      const { data } = context!.getImageData(0, 0, bitmap.width, bitmap.height);
      const pixels = new Set(new Uint32Array(data.buffer));
      return { width: bitmap.width, height: bitmap.height, colors: pixels.size };
    });
    if (picture !== undefined) {
      return picture;
    }
  }
}
