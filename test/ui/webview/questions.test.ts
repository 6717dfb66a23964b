import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allFields, form, page as webPage } from './harness/asking';
import { violations } from './harness/axe';
import { until } from './harness/composing';
import { user } from './harness/entries';
import { type TranscriptPage, useTranscripts } from './harness/transcriptPage';

async function whenReady(page: Page): Promise<void> {
  await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
}

async function answerOf({ page, host }: TranscriptPage) {
  await until(() => host.intentsOf('answerElicitation').length > 0, page);
  return (await host.sent('answerElicitation')).at(-1);
}

/** What was answered, whatever the number of the message. */
async function contentOf(opened: TranscriptPage) {
  const { id, ...content } = (await answerOf(opened)) ?? { id: undefined };
  assert.equal(typeof id, 'number');
  return content;
}

describe('questions of agents', () => {
  const open = useTranscripts();

  it('EL-2, EL-6, EL-18: defaults are filled in, values can be edited, and empty ones are left out', async () => {
    const opened = await open({ entries: [form(4, allFields)], session: { waiting: [0] } });
    const { page, host } = opened;
    await whenReady(page);
    assert.equal(await page.getByLabel('Name').inputValue(), 'Spring');
    await page.getByLabel('Name').fill('Summer');
    await page.getByLabel('Copies').fill('');
    await page.getByLabel('Price').fill('2.50');
    await page.getByLabel('As a draft').uncheck();
    await page.getByLabel('The stable').check();
    await page.getByLabel('Day').selectOption('wed');
    await page.getByLabel('The windows').check();
    await page.getByRole('button', { name: 'Submit' }).click();
    assert.deepEqual(await contentOf(opened), {
      type: 'answerElicitation',
      requestId: 4,
      action: 'accept',
      values: {
        name: 'Summer',
        price: 2.5,
        draft: false,
        channel: 'stable',
        day: 'wed',
        targets: ['linux', 'windows'],
      },
    });
    assert.deepEqual(host.refused, []);
  });

  it('EL-2, EL-11, EL-12: a page is shown in full and opened by the host only on consent', async () => {
    const url = 'https://login.shop.example/start?next=%2Fcart#top';
    const opened = await open({
      entries: [user('Go'), webPage(9, url)],
      session: { waiting: [1] },
    });
    const { page, host, requests } = opened;
    await page.getByRole('heading', { name: 'Claude asks you to open a web page' }).waitFor();
    assert.equal(await page.locator('.card-address').textContent(), url);
    assert.equal(await page.locator('.card-host').textContent(), 'login.shop.example');
    assert.equal(await page.locator('.card-warning').count(), 0);
    assert.deepEqual(await violations(page), []);
    await whenReady(page);
    assert.deepEqual([requests, await host.sent('answerElicitation')], [[], []]);
    await page.getByRole('button', { name: 'Open login.shop.example' }).click();
    assert.deepEqual(await contentOf(opened), {
      type: 'answerElicitation',
      requestId: 9,
      action: 'accept',
      values: {},
    });
    assert.deepEqual([requests, opened.errors], [[], []]);
  });
});
