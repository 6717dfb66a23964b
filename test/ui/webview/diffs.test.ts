import assert from 'node:assert/strict';
import type { ToolCallEntry } from '../../../src/shared/transcript/entries';
import { pictureTest } from '../harness/screenshot';
import { permission } from './harness/asking';
import { violations } from './harness/axe';
import { until } from './harness/composing';
import { agent, toolCall, user } from './harness/entries';
import { pictures, useTranscripts } from './harness/transcriptPage';

const path = '/project/shop/src/cart.ts';
const before = `/** What a customer pays. */
export function total(items: readonly Item[]): number {
  const sum = items.reduce((all, item) => all + item.price, 0);
  return sum * 1.19; // with taxes
}
`;
const edit: Partial<ToolCallEntry> = {
  toolCallId: 'edit',
  title: 'Edit src/cart.ts',
  toolKind: 'edit',
  locations: [{ path, line: 41 }],
  content: [
    {
      type: 'diff',
      path,
      oldText: before,
      newText: before
        .replace('item.price', 'item.cents * item.count')
        .replace('sum * 1.19;', 'withTaxes(sum);'),
    },
  ],
};
const made: Partial<ToolCallEntry> = {
  title: 'Write src/cents.ts',
  toolKind: 'edit',
  content: [
    {
      type: 'diff',
      path: '/project/shop/src/cents.ts',
      oldText: null,
      newText: 'export type Cents = number;\n',
    },
  ],
};
const fragment: Partial<ToolCallEntry> = {
  ...edit,
  locations: [],
};

describe('changes and code', () => {
  const open = useTranscripts();

  it('TO-5: a change has the language’s colors, marks within its lines, and numbers where they are certain', async () => {
    const { page, errors } = await open({
      entries: [user('Go'), toolCall(edit), toolCall(fragment)],
    });
    const first = page.locator('.diff').first();
    await first
      .locator('.diff-line-added .hljs-number, .diff-line-added .hljs-params')
      .first()
      .waitFor();
    await first.locator('.diff-line-removed .hljs-number', { hasText: '1.19' }).waitFor();
    const words = await first.locator('.diff-word').allTextContents();
    assert.ok(
      words.join('|').includes('cents') && words.join('|').includes('1.19'),
      words.join('|'),
    );
    const numbers = await first
      .locator('.diff-line')
      .evaluateAll((lines) =>
        lines.map((line) =>
          [...line.querySelectorAll('.diff-number')]
            .map((each) => each.getAttribute('data-number') ?? '')
            .join(','),
        ),
      );
    assert.deepEqual(numbers, ['41,41', '42,42', '43,', '44,', ',43', ',44', '45,45']);
    assert.equal(
      await first.locator('.diff-line-added').first().textContent(),
      '+Added:   const sum = items.reduce((all, item) => all + item.cents * item.count, 0);\n',
      'all of its text, once',
    );
    const second = page.locator('.diff').last();
    await second.locator('.hljs-number').first().waitFor();
    assert.equal(await second.locator('.diff-number').count(), 0);
    assert.deepEqual(errors, []);
    assert.deepEqual(await violations(page), []);
  });

  it('CO-1: text that was read is highlighted like its file', async () => {
    const { page } = await open({
      entries: [
        toolCall({
          locations: [{ path }],
          content: [{ type: 'content', block: { type: 'text', text: before } }],
        }),
      ],
    });
    await page.getByRole('button', { name: /Read src/ }).click();
    await page.locator('.printed .hljs-keyword').first().waitFor();
  });

  it('CO-1: code is inserted at the cursor and opened by the host, from the mouse and the keyboard', async () => {
    const { page, host } = await open({
      entries: [user('Go'), agent('One:\n\n```ts\nlet a = 1;\n```\n\nTwo:\n\n```py\nb = 2\n```')],
    });
    const code = page.locator('figure.code').nth(1);
    await code.hover();
    const insert = code.getByRole('button', { name: /^Insert at Cursor/ });
    await code.getByRole('button', { name: 'Insert at Cursor: no text editor is open' }).click({
      force: true,
    });
    host.setSession({ insertInto: 'cart.ts' });
    await code.getByRole('button', { name: 'Insert at Cursor in cart.ts' }).waitFor();
    assert.deepEqual(await host.sent('useCode'), [], 'there was none to insert it into');
    await insert.click();
    await insert.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(() => host.intentsOf('useCode').length === 2, page);
    const place = { language: 'py', index: 1, part: 'blocks', item: 0, at: 1 } as const;
    assert.deepEqual(await host.sent('useCode'), [
      { type: 'useCode', how: 'insert', ...place },
      { type: 'useCode', how: 'open', ...place },
    ]);
    assert.deepEqual(await violations(page), []);
  });

  pictureTest('are kept as pictures', async () => {
    const { page } = await open({
      entries: [
        toolCall(edit),
        toolCall(made),
        agent('So:\n\n```ts\nconst a = total([]);\n```\n\nor\n\n```\nplain\n```'),
        toolCall({ ...fragment, toolCallId: 'asked', status: 'pending' }),
        permission(1, fragment, { call: 3 }),
      ],
      session: { waiting: [4], insertInto: 'cart.ts' },
      viewport: { width: 900, height: 1150 },
    });
    await page.locator('.diff-line .hljs-keyword').first().waitFor();
    await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
    await page.locator('figure.code').first().hover();
    await pictures(page, 'diffs');
    await page.setViewportSize({ width: 360, height: 1300 });
    await pictures(page, 'diffs-narrow');
  });
});
