import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ConfigOption } from '../../../../src/shared/transcript/config';
import type { SessionState } from '../../../../src/shared/transcript/webviewMessages';

export const running = { kind: 'running', cancelling: false, canForce: false } as const;

export const commands: SessionState['commands'] = [
  { name: 'compact', description: 'Fold the context' },
  { name: 'review', description: 'Review the changes of this branch', hint: 'what to look at' },
  { name: 'init', description: 'Write a guide for agents' },
];

const model: ConfigOption = {
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  value: 'opus',
  groups: [
    {
      name: 'Anthropic',
      choices: [
        { value: 'opus', name: 'Opus 5', description: 'For hard problems' },
        { value: 'haiku', name: 'Haiku 5', description: 'Quick' },
      ],
    },
    { name: 'Local', choices: [{ value: 'qwen', name: 'Qwen', description: 'On this machine' }] },
  ],
};

export const options: readonly ConfigOption[] = [
  {
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    value: 'ask',
    groups: [
      {
        choices: [
          { value: 'ask', name: 'Ask', description: 'Asks before it changes anything' },
          { value: 'code', name: 'Code' },
        ],
      },
    ],
  },
  model,
  {
    id: 'search',
    name: 'Web search',
    description: 'May look things up',
    type: 'boolean',
    value: true,
  },
  {
    id: 'effort',
    name: 'Effort',
    category: 'model_config',
    type: 'select',
    value: 'high',
    groups: [{ choices: [{ value: 'high', name: 'High' }] }],
  },
];

/** A single pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A page in a browser, or on a DOM in Node. */
interface AnyPage<Found> {
  getByRole(role: 'textbox' | 'option', options: { readonly name: string | RegExp }): Found;
}

export function prompt<Found>(page: AnyPage<Found>): Found {
  return page.getByRole('textbox', { name: 'Prompt' });
}

export function option<Found>(page: AnyPage<Found>, name: string | RegExp): Found {
  return page.getByRole('option', { name });
}

interface Dropped {
  readonly data?: Readonly<Record<string, string>>;
  readonly files?: readonly {
    readonly name: string;
    readonly type: string;
    readonly base64: string;
  }[];
}

/** Dispatches the browser's event when these items are dragged, dropped or pasted. */
export async function transfer(
  page: Page,
  kind: 'dragover' | 'drop' | 'paste',
  dropped: Dropped,
  shiftKey = true,
): Promise<void> {
  await prompt(page).evaluate(
    (target, { type, data, files, shift }) => {
      const content = new DataTransfer();
      for (const [format, value] of Object.entries(data)) {
        content.setData(format, value);
      }
      for (const file of files) {
        const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0));
        content.items.add(new File([bytes], file.name, { type: file.type }));
      }
      const init = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...init, clipboardData: content })
          : new DragEvent(type, { ...init, dataTransfer: content, shiftKey: shift }),
      );
    },
    { type: kind, data: dropped.data ?? {}, files: dropped.files ?? [], shift: shiftKey },
  );
}

/** How long a test waits for a condition, in ms. */
const patience = 30_000;

export async function until(
  check: () => boolean,
  page: { waitForTimeout(ms: number): Promise<void> },
): Promise<void> {
  const end = Date.now() + patience;
  while (!check()) {
    assert.ok(Date.now() < end, 'it comes in time or never');
    await page.waitForTimeout(25);
  }
}
