import { randomUUID } from 'node:crypto';
import type { ClientCapabilities, PlanEntry } from '@agentclientprotocol/sdk/unstable';
import { type DemoTurn, type Step, type Steps, textContent } from '../turns/turn';
import type { DemoUpdate } from '../vocabulary/demoUpdates';

const deploy = 'npm run deploy -- --env staging';

export const permission = (cwd: string): Steps => [
  { say: 'To put this on the staging server I would have to run a command.' },
  {
    call: { title: deploy, kind: 'execute', name: 'shell', input: { command: deploy, cwd } },
    asks: 'shell',
    output: 'Nothing was deployed: this is only a demo.',
    then: [{ say: 'You allowed it, so I "ran" it.' }],
    refused: [{ say: 'You did not allow it, so I left it.' }],
  },
];

const planned: readonly Pick<PlanEntry, 'content' | 'priority'>[] = [
  { content: 'Read how the cart adds up', priority: 'high' },
  { content: 'Write a test that shows the lost cent', priority: 'high' },
  { content: 'Round once, at the end of each line', priority: 'medium' },
  { content: 'Run all tests', priority: 'medium' },
  { content: 'Correct the invoices that are still drafts', priority: 'high' },
  { content: 'Tell support which orders were off', priority: 'low' },
];

/** Each update has the whole plan (PL-2); the fifth step is found on the way. */
function planAt(done: number): Step {
  const known = planned.filter((_, index) => index !== 4 || done > 2);
  const entries = known.map((step, index): PlanEntry => {
    const status = index < done ? 'completed' : index === done ? 'in_progress' : 'pending';
    return { ...step, status };
  });
  return { updates: [{ sessionUpdate: 'plan', entries }] };
}

const written = `# Find the lost cent

The cart rounds every item, so the sum of a line may be a cent off.

1. Read \`src/cart/total.ts\`, and write a test that shows it.
2. Round once, at the end of each line.
3. Correct the invoices that are still **drafts**, and tell support which orders were off.
`;

/** A client that takes no plans of their own gets the text as a message. */
export const plan = ({ plan: takesPlans }: ClientCapabilities): Steps => [
  ...(takesPlans
    ? [
        { say: 'I have written a plan.' },
        {
          updates: [
            {
              sessionUpdate: 'plan_update' as const,
              plan: { type: 'markdown' as const, planId: 'plan-mode', content: written },
            },
          ],
        },
      ]
    : [{ say: written }]),
  { say: 'I will do this in five steps.' },
  ...[0, 1, 2, 3, 4, 5, 6].flatMap((done) => [planAt(done), { wait: 900 }]),
  { say: 'All six steps are done: one came up on the way.' },
];

export function slow(argument: string): Steps {
  const seconds = boundedNumber(argument, 60, 600);
  return [
    {
      call: { title: `Wait ${seconds} seconds`, kind: 'other' },
      during: [
        ...Array.from({ length: seconds }, (_, past): Step[] => [
          { retitle: `Wait ${seconds - past} seconds more` },
          { wait: 1000 },
        ]).flat(),
        { retitle: `Waited ${seconds} seconds` },
      ],
    },
    { say: 'Done. Next time, try to cancel me.' },
  ];
}

export function steering(turn: DemoTurn): Steps {
  function* waiting(): Steps {
    for (let seconds = 0; seconds < 30 && !turn.hasAnswered; seconds++) {
      yield { wait: 1000 };
    }
  }
  return [
    { say: 'I take a prompt that you send now into this turn.' },
    { call: { title: 'Wait for another prompt', kind: 'other' }, during: waiting() },
    { say: 'That was all.' },
  ];
}

/** Steps per write and notification, of four updates each: one write for each would make a long turn slow. */
const batch = 25;

const parts = ['cart', 'checkout', 'catalog', 'search', 'stock', 'invoice', 'email', 'account'];

export function* long(argument: string, turn: DemoTurn): Steps {
  const count = boundedNumber(argument, 2000, 100_000);
  for (let step = 0; step < count / 4; step += batch) {
    const updates = Array.from({ length: batch }, (_, index) => stepAt(turn, step + index)).flat();
    yield { updates: updates.slice(0, count - step * 4) };
    yield { wait: 20 };
  }
  yield { say: `Those were ${count.toLocaleString('en')} updates.` };
}

/** A mix like that of real agents: mostly tool calls, with text in between. */
function stepAt(turn: DemoTurn, step: number): DemoUpdate[] {
  const part = parts[step % parts.length] ?? 'shop';
  const file = `src/${part}/step${step}.ts`;
  const toolCallId = `long-${turn.id}-${step}`;
  const message = (text: string) =>
    ({ messageId: randomUUID(), content: { type: 'text', text } }) as const;
  return [
    {
      sessionUpdate: 'agent_message_chunk',
      ...message(`Step ${step + 1}: look at the **${part}**.`),
    },
    {
      sessionUpdate: 'agent_thought_chunk',
      ...message(`The ${part} may depend on the last step.`),
    },
    {
      ...{ sessionUpdate: 'tool_call', toolCallId, title: `Read ${file}`, kind: 'read' },
      status: 'in_progress',
      locations: [{ path: turn.path(file), line: (step % 120) + 1 }],
    },
    {
      ...{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' },
      content: [textContent(`export const step = ${step};`)],
    },
  ];
}

/** The whole number that the user typed, or `usual` if there is none; at most `most`. */
function boundedNumber(argument: string, usual: number, most: number): number {
  const number = Math.trunc(Number(argument));
  return argument === '' || !Number.isFinite(number) || number < 1 ? usual : Math.min(number, most);
}
