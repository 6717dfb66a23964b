import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { ConfigOption } from '../../../src/shared/transcript/config';
import { prompt, until } from './harness/composing';
import { useTranscripts } from './harness/transcriptPage';

describe('the pickers of the composer', () => {
  const open = useTranscripts();

  function picker(page: Page, name: string | RegExp): Locator {
    return page.locator('.pickers').getByRole('button', { name });
  }

  it('have a filter when there are many choices, and close when the focus goes', async () => {
    const choices = Array.from({ length: 60 }, (_, at) => ({
      value: `m${at}`,
      name: `Model number ${at}`,
    }));
    const many: ConfigOption = {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      value: 'm3',
      groups: [{ choices }],
    };
    const { page, host } = await open({ session: { configOptions: [many] } });
    await picker(page, 'Model').click();
    await page.getByRole('combobox', { name: 'Filter Model' }).waitFor();
    await page.keyboard.type('number 42');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.equal((await host.sent('setConfigOption'))[0]?.value, 'm42');
    await picker(page, 'Model').click();
    await page.keyboard.type('nothing like it');
    await page.getByText('No matches').waitFor();
    await prompt(page).click();
    await page.getByText('No matches').waitFor({ state: 'detached' });
  });
});
