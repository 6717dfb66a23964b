import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allFields, form, permission } from './harness/asking';
import { agent, conversation } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

/** Waits until the question itself, not only its buttons, is below everything that covers the list. */
async function waitForQuestion(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const question = [...document.querySelectorAll('.card h3, .card p')].find(
      (element) => element.textContent === wanted,
    );
    const list = document.querySelector('.scroller')?.getBoundingClientRect();
    const sticky = document.querySelector('.sticky')?.getBoundingClientRect().height ?? 0;
    const box = question?.getBoundingClientRect();
    return box && list && box.top >= list.top + sticky && box.bottom <= list.bottom;
  }, text);
}

const question = 'How should the release be made?';
const submit = { name: 'Submit' };

describe('a request in view', () => {
  const open = useTranscripts();

  it('is a form that opens at its question, is read on to its end, and is followed on when answered', async () => {
    const { page, host } = await open({
      entries: conversation(30),
      viewport: { width: 600, height: 420 },
    });
    await page.getByText('Answer 29').waitFor();
    host.append(form(1, allFields));
    host.setSession({ waiting: [30] });
    await waitForQuestion(page, question);
    host.append(agent('Something that comes later'));
    await waitForQuestion(page, question);
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, 5000);
    await page.getByText('Something that comes later').waitFor();
    await page.getByRole('button', submit).waitFor();
    host.replace(30, form(1, allFields, { state: { kind: 'declined' } }));
    host.setSession({ waiting: [] });
    host.append(agent('The newest words\n\n'.repeat(40)));
    await page.waitForFunction(() => {
      const list = document.querySelector('.scroller');
      return list && list.scrollHeight - list.clientHeight - list.scrollTop <= 2;
    });
  });

  it('stays where it is while it is filled in, whatever comes below it', async () => {
    const { page, host } = await open({
      entries: [...conversation(30), form(1, allFields.slice(0, 1))],
      session: { waiting: [30] },
      viewport: { width: 900, height: 600 },
    });
    const field = page.getByRole('textbox', { name: /^Name/ });
    await field.click();
    const before = await field.boundingBox();
    host.append(agent('Many words\n\n'.repeat(60)));
    await page.keyboard.type('x');
    await page.waitForFunction(() => document.querySelectorAll('.row').length > 0);
    await page.locator('[data-index="31"]').waitFor({ state: 'attached' });
    assert.deepEqual(await field.boundingBox(), before);
    await page.keyboard.press('Escape');
  });

  it('has no field below the line of the turn that gets the focus', async () => {
    const { page } = await open({
      entries: [...conversation(30), form(1, allFields)],
      session: { waiting: [30] },
      viewport: { width: 600, height: 420 },
    });
    await page.getByRole('button', submit).focus();
    await page.locator('.sticky').waitFor();
    for (let at = 0; at < 14; at++) {
      await page.keyboard.press('Shift+Tab');
      const covered = await page.evaluate(
        () =>
          new Promise<boolean>((resolve) => {
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                const line = document.querySelector('.sticky')?.getBoundingClientRect();
                const focused = document.activeElement;
                const box = focused?.closest('.card-form') && focused.getBoundingClientRect();
                resolve(Boolean(box && line && box.top < line.bottom));
              }),
            );
          }),
      );
      assert.equal(covered, false, `after ${at + 1} times Shift+Tab`);
    }
  });

  it("has buttons with the theme's own borders", async () => {
    const { page } = await open({
      entries: [permission(1)],
      session: { waiting: [0] },
      theme: 'Light 2026',
    });
    const border = (name: RegExp) =>
      page
        .locator('.card-choices .button', { hasText: name })
        .evaluate((element) => getComputedStyle(element).borderTopColor);
    assert.equal(await border(/^Allow/), 'rgb(0, 105, 204)');
    assert.equal(await border(/^Reject/), 'rgb(234, 234, 234)');
  });
});
