import assert from 'node:assert/strict';
import type { FormField } from '../../../src/shared/requests/agentQuestions';
import type { Entry } from '../../../src/shared/transcript/entries';
import { form, permission } from './harness/asking';
import { violations } from './harness/axe';
import { until } from './harness/composing';
import { toolCall, user } from './harness/entries';
import { allThemes, pictures, useTranscripts } from './harness/transcriptPage';

const where: FormField = {
  ...{
    type: 'select',
    name: 'Where should it round?',
    title: 'Where should it round?',
    required: true,
  },
  choices: [
    { value: 'line', title: 'At the end of each line' },
    { value: 'sum', title: 'Once, in the sum' },
  ],
};
const also: FormField = {
  ...{ type: 'multiselect', name: 'also', title: 'What else should change?', required: false },
  choices: [
    { value: 'drafts', title: 'Invoices that are drafts' },
    { value: 'report', title: 'The report of last night' },
  ],
};
const notes: FormField = {
  ...{ type: 'string', name: '0:notes', title: 'Another answer, or a note', required: false },
};
const text = '# Round once\n\n1. Write a test that shows the lost cent.\n2. Run **all** tests.';

/** A plan to decide about, as the readers of `cursor/create_plan` and `exit_plan_mode` make it. */
function plan(requestId: number, title: string, names: readonly string[]): Entry {
  return permission(
    requestId,
    {
      ...{ title, toolKind: 'switch_mode' },
      content: [{ type: 'content', block: { type: 'text', text } }],
    },
    {
      title: 'May the agent follow this plan?',
      options: names.map((name, at) => ({
        ...{ optionId: name, name },
        kind: at === 0 ? 'allow_once' : 'reject_once',
      })),
    },
  );
}

const scenes: Readonly<Record<string, readonly Entry[]>> = {
  cursor: [
    user('Find the lost cent'),
    form(1, [where, also], { message: 'How should the cart round?' }),
  ],
  'cursor-plan': [
    user('Find the lost cent'),
    toolCall({
      title: 'Explore the cart',
      content: [
        {
          type: 'content',
          block: {
            type: 'text',
            text: 'Subagent: Explore the cart, explore, 12 s\n\nFind all places that round.',
          },
        },
        {
          type: 'content',
          block: {
            ...{ type: 'resource_link', uri: 'file:///tmp/icon.png', name: 'icon.png' },
            description: 'An icon of a cart',
          },
        },
      ],
    }),
    plan(2, 'Find the lost cent', ['Approve', 'Reject']),
  ],
  grok: [
    user('Find the lost cent'),
    { kind: 'unknown', what: 'update', name: 'weather_update', raw: '{"sun": true}', count: 3 },
    { kind: 'unknown', what: 'request', name: 'acme/ask', raw: '{"why": null}', count: 1 },
    form(3, [{ ...where, required: false }, notes], { message: where.title }),
  ],
  'grok-plan': [
    user('Find the lost cent'),
    plan(4, 'Plan', ['Approve', 'Keep Planning', 'Reject']),
  ],
};

describe('how questions and plans of Cursor and Grok look', () => {
  const open = useTranscripts();

  for (const [name, entries] of Object.entries(scenes)) {
    const waiting = entries.flatMap((entry, at) => ('requestId' in entry ? [at] : []));
    const view = { entries, session: { waiting }, viewport: { width: 800, height: 700 } };

    it(`axe objects to nothing, in any theme: ${name}`, async () => {
      const { page } = await open(view);
      await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
      for (const head of await page.locator('.unknown .fold-head').all()) {
        await head.click();
      }
      assert.deepEqual(await violations(page), []);
      await pictures(page, `own-${name}`, allThemes);
    });
  }

  it('a plan is headed as one, and a mode without a plan is not', async () => {
    const { page } = await open({
      entries: [
        plan(1, 'Find the lost cent', ['Approve', 'Reject']),
        permission(2, { title: 'Code', toolKind: 'switch_mode', rawInput: { mode: 'code' } }),
      ],
      session: { waiting: [0, 1] },
    });
    await page.getByRole('heading', { name: 'Claude has a plan' }).waitFor();
    await page.getByRole('heading', { name: 'Claude wants to switch its mode' }).waitFor();
  });

  it('Grok’s question is answered with the keyboard alone, in words of the user’s own', async () => {
    const { page, host } = await open({ entries: scenes['grok'] ?? [], session: { waiting: [3] } });
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    assert.equal(await page.locator('.card-message').count(), 0, 'the field says it');
    await page.getByLabel('Another answer, or a note').focus();
    await page.keyboard.type('Each item');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('answerElicitation').length > 0, page);
    const [answer] = await host.sent('answerElicitation');
    assert.deepEqual(answer?.values, { '0:notes': 'Each item' });
  });

  it('Grok’s plan is answered with the keyboard alone', async () => {
    const entries = scenes['grok-plan'] ?? [];
    const { page, host } = await open({ entries, session: { waiting: [1] } });
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('answerPermission').length > 0, page);
    const [decision] = await host.sent('answerPermission');
    assert.equal(decision?.optionId, 'Keep Planning');
  });
});
