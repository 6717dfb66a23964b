import type { ToolCallContent } from '@agentclientprotocol/sdk/unstable';
import { changeMode, configUpdate, type DemoSettings } from '../store/settings';
import { type DemoTurn, type ToolStart, textContent } from '../turns/turn';
import type { Command } from './command';

interface Step extends ToolStart {
  /** What the call finds, told one by one. */
  readonly finds?: readonly string[];
  /** The content shown once the call has ended. */
  readonly shows?: (turn: DemoTurn) => ToolCallContent[];
  readonly output?: unknown;
  /** Why the call fails; omitted if it succeeds. */
  readonly fails?: string;
}

const before = `export function lineTotal(line: CartLine): number {
  return Math.round(line.price * line.count * (1 - line.discount));
}
`;

const after = `export function lineTotal(line: CartLine): number {
  const full = line.priceCents * line.count;
  return full - Math.round(full * line.discount);
}
`;

/** One call of each kind (TO-3), one of which fails. */
const steps: readonly Step[] = [
  {
    title: 'Search for "lineTotal"',
    kind: 'search',
    name: 'grep',
    input: { pattern: 'lineTotal', path: 'src' },
    output: { matches: 3 },
    locations: [
      { path: 'src/cart/total.ts', line: 12 },
      { path: 'src/cart/cart.ts', line: 41 },
      { path: 'src/email/orderConfirmation.tsx', line: 58 },
    ],
    finds: [
      'src/cart/total.ts:12: export function lineTotal(line: CartLine): number {',
      'src/cart/cart.ts:41: const total = lines.map(lineTotal).reduce(add, 0);',
      'src/email/orderConfirmation.tsx:58: <td>{money(lineTotal(line))}</td>',
    ],
  },
  {
    title: 'Read src/cart/total.ts',
    kind: 'read',
    name: 'read_file',
    input: { path: 'src/cart/total.ts', line: 12, limit: 3 },
    locations: [{ path: 'src/cart/total.ts', line: 12 }],
    shows: () => [textContent(`\`\`\`ts\n${before}\`\`\``)],
  },
  {
    title: 'Work out where the cent goes',
    kind: 'think',
    shows: () => [textContent('The discount is applied before the rounding, once per piece.')],
  },
  {
    title: 'Edit src/cart/total.ts',
    kind: 'edit',
    name: 'edit_file',
    locations: [{ path: 'src/cart/total.ts', line: 12 }],
    shows: (turn) => [
      { type: 'diff', path: turn.path('src/cart/total.ts'), oldText: before, newText: after },
    ],
  },
  {
    title: 'Move src/cart/round.ts to src/money/round.ts',
    kind: 'move',
    name: 'move_file',
    locations: [{ path: 'src/money/round.ts' }],
  },
  {
    title: 'Delete src/cart/legacyTotal.ts',
    kind: 'delete',
    name: 'delete_file',
    locations: [{ path: 'src/cart/legacyTotal.ts' }],
  },
  {
    title: 'npx mocha cart',
    kind: 'execute',
    name: 'shell',
    input: { command: 'npx mocha cart' },
    output: { exitCode: 1 },
    fails: '1 of 14 tests failed: the total of an empty cart is NaN',
  },
  {
    title: 'Fetch https://example.com/tax-rates.json',
    kind: 'fetch',
    name: 'web_fetch',
    input: { url: 'https://example.com/tax-rates.json' },
    shows: () => [textContent('```json\n{ "standard": 0.19, "reduced": 0.07 }\n```')],
  },
  { title: 'Ask the shop for its opening hours', kind: 'other', output: { open: true } },
];

export const tools: Command = {
  name: 'tools',
  description: 'A tool call of every kind, with files, a diff, a failure; none does anything',
  run: async (turn) => {
    await turn.say('One tool call of every kind. I only act: no file of yours is touched.');
    for (const step of steps) {
      await runStep(turn, step);
    }
    await switchThereAndBack(turn);
    await turn.say('Every kind was there once; one of them failed, as some do.');
    return undefined;
  },
};

async function runStep(turn: DemoTurn, step: Step): Promise<void> {
  const tool = await turn.tool(step);
  await tool.start();
  if (step.fails !== undefined) {
    await tool.update({
      status: 'failed',
      content: [textContent(step.fails)],
      rawOutput: step.output,
    });
    return;
  }
  for (const found of step.finds ?? []) {
    await tool.add(textContent(found));
    await turn.wait(400);
  }
  const content = step.shows?.(turn);
  await tool.complete({
    ...(content !== undefined && { content }),
    ...(step.output !== undefined && { rawOutput: step.output }),
  });
}

/**
 * The `switch_mode` call really switches the mode, so that the pickers can be seen to follow (MO-4,
 * CF-9).
 */
async function switchThereAndBack(turn: DemoTurn): Promise<void> {
  const { mode } = turn.session.meta.settings;
  const other: DemoSettings['mode'] = mode === 'plan' ? 'ask' : 'plan';
  const tool = await turn.tool({
    title: `Switch to the mode "${other}" and back`,
    kind: 'switch_mode',
    name: 'switch_mode',
  });
  await tool.start();
  for (const modeId of [other, mode]) {
    await turn.session.patch({ settings: changeMode(turn.session.meta.settings, modeId) });
    await turn.send(
      { sessionUpdate: 'current_mode_update', currentModeId: modeId },
      configUpdate(turn.session.meta.settings, turn.capabilities),
    );
    await turn.wait(900);
  }
  await tool.complete();
}
