import assert from 'node:assert/strict';
import { ableInitialize2, fakeAgent, type Json, update2 } from '../../fakeAgent/scenario';
import { prompt } from '../../ui/webview/harness/composing';
import { waitFor } from '../../vscode/harness/support';
import { send, useWhole } from './harness/whole';

const { session } = ableInitialize2.capabilities;
const initialize: Json = {
  ...ableInitialize2,
  capabilities: {
    session: { ...session, options: {}, prompt: { ...session.prompt, skill: { inline: {} } } },
  },
};
const setup: { readonly [key: string]: Json } = {
  configOptions: [
    { configId: 'temperature', name: 'Temperature', type: 'number', currentValue: 7 },
    {
      ...{ configId: 'model', name: 'Model', category: 'model', type: 'select' },
      ...{ currentValue: 'oak', options: ['oak', 'fern'].map((value) => ({ value, name: value })) },
    },
  ],
  availableCommands: [{ type: 'skill', name: 'review', description: 'Reviews a change' }],
};
const text = (words: string): Json => ({ type: 'text', text: words });
const suggestions: Json = [{ prompt: [text('Run the tests')] }, { prompt: [text('Commit')] }];

describe('what agents of version 2 say and take by drafts, without VS Code', () => {
  const whole = useWhole(({ folder }) => ({
    drafts: {
      ...{ title: 'Drafts', protocol: '2' },
      ...fakeAgent({
        ...{ version: 2, initialize, setup, record: `${folder}/drafts.log` },
        on: {
          'session/prompt': [
            { result: { messageId: 'm' } },
            { update: { sessionUpdate: 'user_message', messageId: 'm', content: '$prompt' } },
            { update: update2.running },
            { update: { sessionUpdate: 'prompt_suggestions_update', suggestions } },
            { update: update2.idle('end_turn') },
          ],
        },
      }),
    },
  }));

  it('T-91, T-93, T-99, T-140: from New Session to the prompt that it suggests', async () => {
    const { bench } = whole.current;
    const first = await whole.current.newPage();
    await first.getByRole('button', { name: 'Model: oak' }).click();
    await first.getByRole('option', { name: 'fern' }).click();
    await first.getByRole('button', { name: 'Model: fern' }).waitFor();
    assert.deepEqual(bench.api.sessions.all, [], 'nothing has begun');
    await send(first, 'Hello');
    await waitFor(() => bench.api.panels.active?.session.first === undefined, 'the session’s tab');
    const page = await whole.current.page();
    await page.getByRole('article').first().waitFor();
    const made = await waitFor(() => bench.api.sessions.all[0], 'the session');
    assert.deepEqual(
      made.facts.configOptions.map(({ value }) => value),
      ['fern'],
    );
    await page
      .getByText('The agent offers options that can’t be shown here: Temperature (number)')
      .waitFor();
    await prompt(page).fill('/rev');
    await page.getByText('Reviews a change').first().waitFor();
    await prompt(page).fill('');
    await send(page, 'first /review the cart');
    const list = page.getByRole('list', { name: 'Suggested Prompts' });
    await list.getByText('Commit').waitFor();
    const sent = await waitFor(
      async () =>
        (await bench.received('drafts.log')).filter(({ method }) => method === 'session/prompt')[1],
      'the second prompt',
    );
    assert.deepEqual('params' in sent && (sent.params as { prompt?: Json }).prompt, [
      text('first'),
      { type: 'skill', name: 'review' },
      text('the cart'),
    ]);
    await page.keyboard.press('Tab');
    await waitFor(async () => (await prompt(page).inputValue()) === 'Run the tests', 'the prompt');
  });
});
