import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript/entries';
import { pictureTest, screenshot } from '../harness/screenshot';
import { allFields, form, permission, page as webPage } from './harness/asking';
import { violations } from './harness/axe';
import { failedTurn, toolCall, user } from './harness/entries';
import { allThemes, pictures, useTranscripts } from './harness/transcriptPage';

const edit = permission(1, {
  title: 'Edit src/cart.ts',
  toolKind: 'edit',
  locations: [{ path: '/project/shop/src/cart.ts' }],
  content: [
    {
      type: 'diff',
      path: '/project/shop/src/cart.ts',
      oldText: 'const rate = 0.19;\nconst sum = total(items);\n',
      newText: 'const rate = taxRate();\nconst sum = total(items);\n',
    },
  ],
});
const run = permission(2, {
  title: 'Run the tests of the cart',
  toolKind: 'execute',
  rawInput: { command: 'npm test -- --grep cart && git status', description: 'Run tests' },
});
const titled = permission(
  10,
  {
    title: 'npm publish --access public',
    toolKind: 'execute',
    rawInput: { command: 'npm publish --access public', cwd: '/project/shop/packages/cart' },
  },
  {
    title: 'Publish the cart’s package?',
    description: 'The version 2.0.0 can’t be taken back once it is published.',
  },
);
const decided: readonly Entry[] = [
  permission(
    3,
    { title: 'npm ci' },
    {
      state: { kind: 'selected', optionId: 'once', by: 'person' },
    },
  ),
  permission(
    4,
    { title: 'rm -rf build' },
    {
      state: { kind: 'selected', optionId: 'no', by: 'rule' },
    },
  ),
  webPage(5, 'https://login.shop.example/', { state: { kind: 'opened', completed: false } }),
  form(6, allFields, { state: { kind: 'declined' } }),
];
const ends: readonly Entry[] = [
  { kind: 'user', blocks: [{ type: 'text', text: 'Something the agent refuses' }], dropped: true },
  toolCall({ title: 'A call that was dropped', dropped: true }),
  { kind: 'turn', outcome: { type: 'stopped', stopReason: 'refusal' } },
  toolCall({
    title: 'npm run watch',
    toolKind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 't1' }],
    terminalOutput: new Map([['t1', '\u001b[32m✓\u001b[0m built in 40 ms\nwatching…']]),
    terminals: new Map([['t1', { kind: 'running' }]]),
  }),
  failedTurn,
];

const scenes: Readonly<Record<string, readonly Entry[]>> = {
  titled: [user('Publish the cart'), titled],
  requests: [
    user('Fix the cart'),
    run,
    edit,
    webPage(7, 'http://user@xn--pple-43d.example/start?next=%2Fcart'),
    form(8, allFields),
  ],
  ends: [...decided, ...ends],
};

describe('how cards look', () => {
  const open = useTranscripts();

  for (const [name, entries] of Object.entries(scenes)) {
    it(`axe objects to nothing, in any theme: ${name}`, async () => {
      const waiting = entries.flatMap((entry, index) =>
        'state' in entry && entry.state.kind === 'waiting' ? [index] : [],
      );
      const { page, host } = await open({
        entries,
        session: { waiting },
        viewport: { width: 900, height: 2200 },
      });
      await page.locator('article').last().waitFor();
      if (waiting.length > 0) {
        await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
      } else {
        await host.send({
          type: 'notice',
          severity: 'warning',
          title: 'The model is busy',
          description: 'Answers may take longer than usual.',
        });
        await page.locator('.banner').waitFor();
      }
      assert.deepEqual(await violations(page), []);
      await pictures(page, `card-${name}`, allThemes);
    });
  }

  pictureTest('is kept as pictures in a narrow tab', async () => {
    for (const [name, entries] of Object.entries(scenes)) {
      const { page } = await open({
        entries,
        session: { waiting: name === 'ends' ? [] : [entries.length - 1] },
        viewport: { width: 300, height: 2600 },
      });
      await page.locator('article').last().waitFor();
      await screenshot(page, `card-${name}-narrow`);
    }
  });
});
