import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Entry, PermissionEntry } from '../../../src/shared/transcript/entries';
import type { SessionState } from '../../../src/shared/transcript/webviewMessages';
import { screenshot } from '../harness/screenshot';
import { allFields, form, permission, page as webPage } from './harness/asking';
import { violations } from './harness/axe';
import { running } from './harness/composing';
import { agent, toolCall, user } from './harness/entries';
import { openFind } from './harness/keybindings';
import { sample } from './harness/sample';
import { pictures, type TranscriptPage, useTranscripts } from './harness/transcriptPage';

/** What the page shows in tests without a browser (`test/unit/page`), for axe, which needs one. */
interface Scene {
  readonly entries?: readonly Entry[];
  readonly session?: Partial<SessionState>;
  readonly act: (opened: TranscriptPage) => Promise<void>;
}

const text = (page: Page, words: string): Promise<void> =>
  page.getByText(words).first().waitFor({ state: 'attached' });

const selected = (optionId: string, by: 'person' | 'rule'): Partial<PermissionEntry> => ({
  state: { kind: 'selected', optionId, by },
});

const edit = {
  toolCallId: 'edit-1',
  title: 'Edit src/cart.ts',
  toolKind: 'edit',
  locations: [{ path: '/project/shop/src/cart.ts' }],
  rawInput: { old_string: 'a', new_string: 'b' },
  content: [{ type: 'diff', path: '/project/shop/src/cart.ts', oldText: 'a\n', newText: 'b\n' }],
} as const;

const failure = {
  code: 'exited',
  title: 'Claude has stopped',
  detail: 'Its process ended in the middle of the turn.',
  actions: ['retry', 'showLog'],
} as const;

const otherError = {
  code: 'protocol',
  title: 'Codex reported an error',
  detail: 'It couldn’t complete the request. It said: “Your session has ended”.',
  actions: ['retry', 'signIn', 'showLog'],
} as const;

const scenes: Readonly<Record<string, Scene>> = {
  'suggested prompts': {
    entries: [user('Hi'), agent('Hello')],
    session: { suggestedPrompts: ['Run the tests', 'Commit'] },
    act: async ({ page }) => text(page, 'Run the tests'),
  },
  'what became of questions': {
    entries: [
      permission(1, { rawInput: { command: 'make all' } }, selected('always', 'person')),
      permission(2, {}, selected('no', 'rule')),
      permission(3, {}, { state: { kind: 'cancelled' } }),
      permission(4, { title: '/etc' }, { own: { act: 'folder' }, ...selected('always', 'person') }),
      toolCall(edit),
      permission(5, edit, { call: 4, ...selected('once', 'person') }),
      form(6, allFields, {
        state: { kind: 'accepted', values: { name: 'Summer', draft: false, targets: ['mac'] } },
      }),
      form(7, allFields, { state: { kind: 'declined' } }),
    ],
    act: async ({ page }) => {
      for (const words of ['Always allowed by you', 'Allowed once by you', 'Answered by you']) {
        await page.getByText(words, { exact: true }).click();
      }
      for (const words of ['make all', 'Answer: Allow', 'Summer', 'Allowed for this session']) {
        await text(page, words);
      }
    },
  },
  'the ends of turns': {
    entries: [
      { kind: 'user', blocks: [{ type: 'text', text: 'Something bad' }], dropped: true },
      toolCall({ title: 'A dropped call', dropped: true }),
      ...['refusal', 'max_tokens', 'cancelled', 'end_turn'].map(
        (stopReason) => ({ kind: 'turn', outcome: { type: 'stopped', stopReason } }) as const,
      ),
      { kind: 'turn', outcome: { type: 'stopped', stopReason: 'end_turn', canResend: true } },
      agent('More'),
      { kind: 'turn', outcome: { type: 'failed', failure, canResend: true } },
      { kind: 'turn', outcome: { type: 'failed', failure: otherError, canResend: true } },
    ],
    act: async ({ page, host }) => {
      for (const severity of ['warning', 'error', 'other']) {
        await host.send({ type: 'notice', severity, title: `A notice: ${severity}` });
      }
      await text(page, 'A notice: other');
      await text(page, failure.detail);
      await pictures(page, 'turn-ends');
    },
  },
  'a mode that fell back': {
    entries: [user('Plan it')],
    session: { fallenMode: { from: { value: 'plan', name: 'Plan' }, now: 'Default' } },
    act: async ({ page }) => {
      await text(page, 'This session was in “Plan” and is now in “Default”');
      await pictures(page, 'fallen-mode');
    },
  },
  'a form with errors, asked in words that look like a link': {
    entries: [form(1, allFields, { message: 'See [this](https://evil.example) <b>now</b>' })],
    session: { waiting: [0] },
    act: async ({ page, host }) => {
      await page.locator('.card-choices [aria-disabled=false]').first().waitFor();
      await page.getByLabel('Copies').fill('many');
      await page.keyboard.press('Enter');
      const [answer] = await host.sent('answerElicitation');
      assert.ok(answer);
      await host.reply(answer, { count: 'Enter a whole number.', targets: 'Choose at least 2.' });
      await text(page, 'Enter a whole number.');
    },
  },
  'an address that isn’t opened': {
    entries: [webPage(1, `https://shop.example/${'x'.repeat(8000)}`)],
    session: { waiting: [0] },
    act: ({ page }) => text(page, 'more than 4,000 characters'),
  },
  'a question in the row of its call': {
    entries: [
      user('Go'),
      toolCall({ ...edit, status: 'pending' }),
      permission(1, edit, { call: 1, title: 'May I round?', description: 'Only this once.' }),
    ],
    session: { waiting: [2] },
    act: async ({ page }) => {
      await text(page, 'May I round?');
      await screenshot(page, 'card-titled-in-call');
    },
  },
  'an edit of several files by a tool of the editor': {
    entries: [
      user('Rename it'),
      toolCall({ title: 'Rename `total` to `sum`', toolKind: 'other', status: 'in_progress' }),
      permission(
        9,
        {
          title: 'Rename “total” to “sum” in 2 files',
          toolKind: 'edit',
          content: ['cart', 'page'].map((name) => ({
            type: 'diff',
            path: `/project/shop/src/${name}.ts`,
            oldText: `// ${name}\nshow(total);\n`,
            newText: `// ${name}\nshow(sum);\n`,
          })),
        },
        { own: { act: 'edit' } },
      ),
    ],
    session: { waiting: [2], turn: running },
    act: async ({ page }) => {
      await text(page, 'show(sum);');
      await pictures(page, 'edit-card');
    },
  },
  'a rule that is offered': {
    entries: [
      user('Go'),
      permission(
        7,
        { toolKind: 'execute', rawInput: { command: 'git status' } },
        { rule: { command: ['git', 'status'] } },
      ),
    ],
    session: { waiting: [1], turn: running },
    act: async ({ page }) => {
      await page.locator('.card-rule [aria-disabled=false]').waitFor();
      await screenshot(page, 'permission-rule');
    },
  },
  'calls, plans and reviews of turns': {
    entries: [
      user('Look'),
      ...['a', 'b', 'c'].map((name) =>
        toolCall({
          toolCallId: name,
          title: `Read ${name}.ts`,
          locations: [{ path: `/project/shop/src/${name}.ts` }],
        }),
      ),
      toolCall({
        toolKind: 'execute',
        title: 'npm test',
        content: [{ type: 'content', block: { type: 'text', text: 'not ok 2 tax' } }],
        rawOutput: { output: 'not ok 2 tax', metadata: { exit: 3 } },
      }),
      {
        kind: 'plan',
        items: [
          { content: 'Read the cart', priority: 'medium', status: 'completed' },
          { content: 'Ask the bank', priority: 'medium', status: 'cancelled' },
          { content: 'Run the tests', priority: 'low', status: 'pending' },
        ],
      },
    ],
    session: {
      turn: { ...running, began: 1 },
      canSteer: true,
      queue: [
        { id: 1, draft: { text: 'first', attachments: [] }, held: true },
        { id: 2, draft: { text: 'then', attachments: [] }, held: true },
        { id: 3, draft: { text: 'last', attachments: [] } },
      ],
      review: {
        turns: [
          { turn: 1, prompt: 0, last: 4, files: 3, added: 12, removed: 4, state: 'kept' },
          {
            ...{ turn: 2, prompt: 0, last: 4, files: 2, added: 1, removed: 1, state: 'pending' },
            ...{ isUnprompted: true, isLate: true },
          },
        ],
        unrecorded: [],
        uncertain: [{ turn: 1, last: 4, files: 2 }],
        diffs: [],
      },
    },
    act: async ({ page }) => {
      await text(page, 'began this turn by itself');
      await text(page, 'while other sessions were at work here');
      await text(page, '2 prompts not sent');
      await screenshot(page, 'calls-and-reviews');
      assert.deepEqual(await violations(page), [], 'while the calls are one line');
      await page.getByRole('button', { name: /^Read 3 files/ }).click();
      await page.getByRole('button', { name: 'src/b.ts' }).click();
    },
  },
  'the files that a session has changed': {
    entries: sample,
    session: {
      changedFiles: [
        { path: '/project/shop/src/cart.ts', label: 'src/cart.ts', added: 12, removed: 4 },
        {
          ...{ path: '/project/shop/src/cents.ts', label: 'src/cents.ts', added: 2, removed: 0 },
          state: 'changedSince',
        },
        {
          ...{ path: '/project/shop/old.ts', label: 'old.ts', added: 0, removed: 3 },
          state: 'missing',
        },
      ],
    },
    act: async ({ page }) => {
      await page.getByRole('button', { name: /3 files.*14 lines added, 7 lines removed/ }).click();
      await text(page, 'no longer there');
      await screenshot(page, 'changed-files');
    },
  },
  'a search by an expression': {
    entries: [agent('Some 12 and 345')],
    act: async ({ page }) => {
      await openFind(page);
      await page.keyboard.press('Alt+r');
      await page.keyboard.type(String.raw`\d+`);
      await page.locator('.find-count', { hasText: '1 of 2' }).waitFor();
    },
  },
  'a new session': {
    act: ({ page }) => text(page, 'Tell Claude below what to do'),
  },
};

describe('what the page shows', () => {
  const open = useTranscripts();

  it('has nothing that axe objects to', async () => {
    const opened = await open({ viewport: { width: 900, height: 1600 } });
    const { page, host } = opened;
    const first = host.session;
    for (const [name, { entries = [], session, act }] of Object.entries(scenes)) {
      host.reset([...entries]);
      host.session = { ...first, ...session };
      host.setSession({});
      await act(opened);
      assert.deepEqual(await violations(page), [], name);
    }
  });
});
