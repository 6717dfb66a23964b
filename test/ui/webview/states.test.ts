import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { allFields, form, permission } from './harness/asking';
import { violations } from './harness/axe';
import { commands, options, prompt, running } from './harness/composing';
import { conversation, failedTurn, user } from './harness/entries';
import { openFind } from './harness/keybindings';
import { sample } from './harness/sample';
import {
  setTheme,
  type TranscriptOptions,
  type TranscriptPage,
  useTranscripts,
} from './harness/transcriptPage';

interface Scene {
  readonly options: TranscriptOptions;
  /** The user's actions that lead to the scene's state. */
  readonly act?: (opened: TranscriptPage) => Promise<void>;
  /** The state doesn't last, so it is brought about for each look. */
  readonly passes?: true;
}

const began = new Date(2025, 10, 22, 14, 32, 5).getTime();
const session = {
  commands,
  configOptions: options,
  usage: { used: 157_000, size: 200_000, cost: { amount: 1.27, currency: 'USD' } },
  changedFiles: [
    { path: '/project/shop/src/cart.ts', label: 'src/cart.ts', added: 120, removed: 44 },
    { path: '/project/shop/src/cents.ts', label: 'src/cents.ts', added: 2, removed: 0 },
  ],
} as const;
const timed = sample.map((entry) =>
  entry.kind === 'user' ? { ...entry, turn: { began, ended: began + 72_000 } } : entry,
);
const command = {
  title: 'Run the tests of the cart',
  toolKind: 'execute',
  rawInput: { command: 'npm test -- --grep cart && git status' },
} as const;

const scenes: Readonly<Record<string, Scene>> = {
  empty: { options: { session } },
  running: {
    options: {
      entries: timed,
      session: { ...session, turn: { ...running, began: Date.now() - 72_000 } },
    },
    act: async ({ page }) => {
      await page.locator('.turn-armed').waitFor({ state: 'detached' });
      await page.locator('.scroller').focus();
      await page.keyboard.press('Escape');
      await page.locator('.turn-armed').waitFor();
    },
    passes: true,
  },
  background: {
    options: {
      entries: timed,
      session: {
        ...session,
        tasks: {
          count: 2,
          listed: [
            {
              ...{ id: 'a', kind: 'terminal', title: 'npm test -- --watch', canStop: true },
              ...{ output: 'Watching…\n12 passed, 1 failed\n', index: 0 },
            },
            { id: 'b', kind: 'subagent', title: 'Review the prices', canStop: true, stop: 'asked' },
          ],
        },
      },
    },
    act: ({ page }) => page.getByRole('button', { name: '2 tasks are still running' }).click(),
  },
  waits: {
    options: {
      entries: timed,
      session: { ...session, turn: { ...running, began: Date.now() - 72_000, waits: true } },
    },
  },
  permission: {
    options: {
      entries: [user('Fix the cart'), permission(1, command), permission(2)],
      session: { ...session, turn: running, waiting: [1, 2] },
    },
  },
  form: {
    options: {
      entries: [user('Make a release'), form(1, allFields)],
      session: { ...session, turn: running, waiting: [1] },
    },
  },
  failed: { options: { entries: [user('Fix the cart'), failedTurn], session } },
  queue: {
    options: {
      entries: timed,
      session: {
        ...session,
        turn: { ...running, cancelling: true, canForce: true },
        queue: Array.from({ length: 12 }, (_, id) => ({
          id,
          draft: {
            text: `Then do the next thing, number ${id}, and say how it went`,
            attachments: [],
          },
        })),
      },
    },
  },
  notices: {
    options: { entries: timed, session: { ...session, wentOn: { canReload: true } } },
    act: async ({ page, host }) => {
      for (const severity of ['info', 'warning', 'error']) {
        const description = 'Answers may take longer than usual, for an hour or two.';
        await host.send({ type: 'notice', severity, title: 'The model is busy', description });
      }
      await page.locator('.banner').nth(2).waitFor();
    },
  },
  fallenMode: {
    options: {
      entries: timed,
      session: {
        ...session,
        fallenMode: {
          from: { value: 'plan', name: 'Plan, and ask before anything else' },
          now: 'Accept edits, ask before commands',
        },
        queue: [{ id: 1, draft: { text: 'Now do it', attachments: [] } }],
      },
    },
  },
  find: {
    options: { entries: conversation(200), session },
    act: async ({ page }) => {
      await openFind(page);
      await page.keyboard.type('Answer 1');
      await page.locator('.find-count', { hasText: 'of' }).waitFor();
    },
  },
  readOnly: {
    options: {
      entries: timed,
      session: { writable: { kind: 'no', reason: "Codex can't go on with past sessions." } },
    },
  },
  orphan: {
    options: {
      phase: {
        kind: 'failed',
        failure: {
          code: 'config',
          title: 'The agent of this session is not set up any more',
          detail: 'Add “claude” in the settings to open its sessions.',
          actions: ['editAgents'],
        },
      },
      session: { writable: { kind: 'no', reason: 'The agent is not set up any more.' } },
    },
  },
};

/** Each width and each kind of theme once; all combinations would take minutes. */
const looks = [
  { theme: 'Dark 2026', widths: [1280, 360] },
  { theme: 'Default High Contrast', widths: [600] },
] as const;

describe('every state of a transcript', () => {
  const open = useTranscripts();

  for (const [name, scene] of Object.entries(scenes)) {
    it(`is kept as pictures: ${name}; nothing is out of reach`, async () => {
      const viewport = { width: 1280, height: 800 };
      const opened = await open({ ...scene.options, viewport });
      const { page } = opened;
      await page.locator('header').waitFor();
      if (scene.options.session?.writable === undefined) {
        await prompt(page).waitFor();
      }
      for (const [at, { theme, widths }] of looks.entries()) {
        if (at === 0 || scene.passes) {
          await scene.act?.(opened);
        }
        await setTheme(page, theme);
        for (const width of widths) {
          await page.setViewportSize({ width, height: width === 360 ? 640 : 800 });
          await screenshot(page, `state-${name}-${width}`, theme);
          const beyond = await page.evaluate(() => {
            const rows = document.querySelectorAll(
              'header, .list, .composer, .composer-row, .notice-actions .button',
            );
            return [...rows].filter((element) => {
              const { right, bottom } = element.getBoundingClientRect();
              return right > innerWidth || bottom > innerHeight;
            }).length;
          });
          assert.equal(beyond, 0, `${theme}, ${width}`);
        }
        if (!theme.includes('2026')) {
          assert.deepEqual(await violations(page), [], theme);
        }
      }
    });
  }
});
