import assert from 'node:assert/strict';
import { allFields, form, page as webPage } from '../../ui/webview/harness/asking';
import { until } from '../../ui/webview/harness/composing';
import { conversation, user } from '../../ui/webview/harness/entries';
import type { Page } from './harness/page';
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

  it('EL-1, EL-3, EL-13: agent and message are named, and no address in a text can be clicked', async () => {
    const message = 'See https://evil.example and [this](https://evil.example) <b>now</b>';
    const { page } = await open({
      entries: [form(1, allFields, { message })],
      session: { waiting: [0] },
    });
    await page.getByRole('heading', { name: 'Claude has a question' }).waitFor();
    assert.equal(await page.locator('.card-message').textContent(), message);
    assert.equal(await page.locator('.card a, .card b, .card [role="link"]').count(), 0);
  });

  it('EL-1, EL-10: declining and canceling are always there, and send no values', async () => {
    for (const [name, action] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      const opened = await open({ entries: [form(1, allFields)], session: { waiting: [0] } });
      await whenReady(opened.page);
      await opened.page.locator('.card').getByRole('button', { name }).click();
      assert.deepEqual(await contentOf(opened), {
        type: 'answerElicitation',
        requestId: 1,
        action,
        values: {},
      });
    }
  });

  it('EL-6: each error is shown at its field, and the first such field gets the focus', async () => {
    const opened = await open({ entries: [form(1, allFields)], session: { waiting: [0] } });
    const { page, host } = opened;
    await whenReady(page);
    await page.getByLabel('Copies').fill('many');
    await page.keyboard.press('Enter');
    const answer = await answerOf(opened);
    assert.equal(answer?.values['count'], 'many', 'for the host to judge');
    assert.ok(answer);
    await host.reply(answer, { count: 'Enter a whole number.', targets: 'Choose at least 2.' });
    const copies = page.getByLabel('Copies');
    await page.getByText('Enter a whole number.').waitFor();
    assert.ok(await copies.evaluate((input) => input === document.activeElement));
    assert.equal(await copies.getAttribute('aria-invalid'), 'true');
    const described = await copies.getAttribute('aria-describedby');
    assert.equal(await page.locator(`#${described}`).textContent(), 'Enter a whole number.');
    await copies.fill('4');
    await page.getByText('Enter a whole number.').waitFor({ state: 'detached' });
    await page.getByText('Choose at least 2.').waitFor();
  });

  it('EL-6, SEC-124: a value that is too long to be sent is kept, and its field says so', async () => {
    const opened = await open({ entries: [form(1, allFields)], session: { waiting: [0] } });
    const { page, host } = opened;
    await whenReady(page);
    await page.getByLabel('Price').fill('1');
    const name = page.getByLabel('Name');
    await name.fill('x'.repeat(200_000));
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Enter at most 100,000 characters.').waitFor();
    assert.ok(await name.evaluate((input) => input === document.activeElement));
    assert.equal((await name.inputValue()).length, 200_000);
    assert.deepEqual([host.intentsOf('answerElicitation'), host.refused], [[], []]);
    await name.fill('x'.repeat(100_000));
    await page.getByText('Enter at most 100,000 characters.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Submit' }).click();
    assert.equal(String((await answerOf(opened))?.values['name']).length, 100_000);
    assert.deepEqual(host.refused, []);
  });

  it('EL-7, EL-9, EL-16: unknown kinds are no inputs, unknown formats are texts, and a form may be empty', async () => {
    const opened = await open({
      entries: [
        form(1, [
          { type: 'unknown', name: 'color', title: 'Colour', required: false },
          { type: 'string', name: 'host', title: 'Host', format: 'hostname', required: false },
        ]),
      ],
      session: { waiting: [0] },
    });
    const { page, host } = opened;
    await page.getByText('can’t be filled in here').waitFor();
    assert.equal(await page.locator('.card input, .card select').count(), 1);
    assert.equal(await page.getByLabel('Host').getAttribute('type'), 'text');
    host.reset([form(2, [])]);
    await page.getByLabel('Host').waitFor({ state: 'detached' });
    await whenReady(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    assert.deepEqual((await answerOf(opened))?.values, {});
  });

  it('EL-17: a field that asks for a secret is masked, with a warning, and nothing of it is kept', async () => {
    const { page, host, state } = await open({
      entries: [form(1, allFields)],
      session: { waiting: [0] },
    });
    const token = page.getByLabel('Token');
    await token.fill('hunter2-secret');
    assert.equal(await token.getAttribute('type'), 'password');
    const described = await token.getAttribute('aria-describedby');
    assert.match((await page.locator(`#${described}`).textContent()) ?? '', /secret/);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A draft that is saved');
    await until(() => host.draft.text === 'A draft that is saved', page);
    const kept = JSON.stringify([await state(), host.draft]);
    assert.ok(!kept.includes('hunter2'), kept);
  });

  it('keeps the values of a form while its row is scrolled out of view', async () => {
    const { page, host } = await open({
      entries: [form(1, allFields), ...conversation(80)],
      session: { waiting: [0] },
    });
    await host.send({ type: 'reveal', index: 0 });
    await page.getByLabel('Name').fill('Kept');
    await page.getByLabel('The mac').check();
    await page.getByRole('button', { name: /Jump to latest/ }).click();
    await page.getByLabel('Name').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to Request' }).click();
    await page.getByLabel('Name').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Kept');
    assert.ok(await page.getByLabel('The mac').isChecked());
  });

  it('EL-13: suspicious addresses are warned of', async () => {
    const { page, host } = await open({ session: { waiting: [0] }, entries: [user('Go')] });
    for (const [url, warning] of [
      ['https://xn--pple-43d.com/', 'letters that look like others'],
      ['https://bank.example@evil.example/', 'leads to evil.example'],
      ['http://shop.example/', 'isn’t encrypted'],
    ] as const) {
      host.reset([webPage(1, url)]);
      await page.locator('.card-warning', { hasText: warning }).waitFor();
      assert.equal(await page.locator('.card-warning').count(), 1);
    }
    host.reset([webPage(1, 'http://localhost:4711/callback')]);
    await page.locator('.card-host', { hasText: 'localhost:4711' }).waitFor();
    assert.equal(await page.locator('.card-warning').count(), 0);
    host.reset([webPage(1, 'javascript:alert(1)')]);
    await page.getByText('can’t be opened').waitFor();
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    assert.ok(await page.getByRole('button', { name: 'Open', exact: true }).isDisabled());
  });

  it('EL-11, EL-13, SEC-124: an address that the host doesn’t open says why, and can only be declined', async () => {
    const opened = await open({ session: { waiting: [0] }, entries: [user('Go')] });
    const { page, host } = opened;
    const long = `https://shop.example/${'x'.repeat(8000)}`;
    for (const [url, reason] of [
      ['https://bank.example@evil.example/', 'with a user name isn’t opened'],
      [long, 'more than 4,000 characters'],
    ] as const) {
      host.reset([webPage(1, url)]);
      await page.locator('.card-warning', { hasText: reason }).waitFor();
      await whenReady(page);
      assert.ok(await page.getByRole('button', { name: /^Open \w+\.example/ }).isDisabled());
      assert.equal(await page.getByText('opens in your browser').count(), 0);
    }
    assert.equal(await page.locator('.card-host').textContent(), 'shop.example');
    await page.locator('.card').getByRole('button', { name: 'Decline' }).click();
    assert.equal((await answerOf(opened))?.action, 'decline');
    assert.deepEqual(host.refused, []);
  });

  it('EL-14, EL-15: after opening it waits, can be opened again, and is done when the agent says so', async () => {
    const url = 'https://login.shop.example/';
    const { page, host } = await open({
      entries: [webPage(1, url, { state: { kind: 'opened', completed: false } })],
    });
    await page.getByText('Waiting for you to finish in the browser').waitFor();
    await page.getByRole('button', { name: 'Open Again' }).click();
    await until(() => host.intentsOf('openLink').length === 1, page);
    assert.equal((await host.sent('openLink'))[0]?.href, url);
    host.replace(0, webPage(1, url, { state: { kind: 'opened', completed: true } }));
    await page.getByText('Finished in the browser').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open Again' }).count(), 0);
  });

  it('EL-17, EL-19: answered questions are one line, with the answers but no secrets', async () => {
    const { page } = await open({
      entries: [
        form(1, allFields, {
          state: { kind: 'accepted', values: { name: 'Summer', draft: false, targets: ['mac'] } },
        }),
        form(2, allFields, { state: { kind: 'declined' } }),
        form(3, allFields, { state: { kind: 'cancelled' } }),
      ],
    });
    await page.getByText('Declined by you').waitFor();
    await page.getByText('Canceled', { exact: true }).waitFor();
    await page.getByText('Answered by you').click();
    assert.deepEqual(
      await page.locator('.card-values > div').allTextContents(),
      ['Name (required)Summer', 'As a draftNo', 'TargetsThe mac'].map((text) =>
        text.replace(' (required)', ''),
      ),
    );
  });
});
