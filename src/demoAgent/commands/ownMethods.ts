import { randomUUID } from 'node:crypto';
import type { ToolKind } from '@agentclientprotocol/sdk/unstable';
import type { DemoTurn, Steps } from '../turns/turn';
import type { Json } from '../wire/message';

/** What Cursor and Grok ask and tell with methods of their own, which clients need not know. */

const writtenPlan = `# Round once

1. Write a test that shows the lost cent.
2. Round at the end of each line of the cart.
3. Run **all** tests.
`;

const todos = ['Write a test', 'Round once', 'Run all tests'].map((content, at) => ({
  ...{ id: String(at + 1), content },
  status: at === 0 ? 'in_progress' : 'pending',
}));

export const cursor: Steps = [
  { say: 'I ask, plan and tell as Cursor’s program does. First, two questions.' },
  {
    act: async (turn) => {
      const toolCallId = await called(turn, 'Ask which way to round', 'think');
      const answer = await turn.askOwn('cursor/ask_question', {
        toolCallId,
        title: 'How should the cart round?',
        questions: [
          {
            ...{ id: 'where', prompt: 'Where should it round?' },
            options: [
              { id: 'line', label: 'At the end of each line' },
              { id: 'sum', label: 'Once, in the sum' },
            ],
          },
          {
            ...{ id: 'also', prompt: 'What else should change?', allowMultiple: true },
            options: [
              { id: 'drafts', label: 'Invoices that are drafts' },
              { id: 'report', label: 'The report of last night' },
            ],
          },
        ],
      });
      return answered(answer);
    },
  },
  { say: 'Now a plan.' },
  {
    act: async (turn) => {
      const toolCallId = await called(turn, 'Make a plan', 'switch_mode');
      const answer = await turn.askOwn('cursor/create_plan', {
        ...{ toolCallId, name: 'Find the lost cent', overview: 'Rounds each line only once.' },
        ...{ plan: writtenPlan, todos, isProject: false },
      });
      return answered(answer);
    },
  },
  {
    act: async (turn) => {
      const toolCallId = await called(turn, 'Explore the cart', 'other');
      await turn.client.tellOwn('cursor/update_todos', { toolCallId, todos, merge: false });
      await turn.client.tellOwn('cursor/task', {
        ...{ toolCallId, description: 'Explore the cart', subagentType: 'explore' },
        ...{ prompt: 'Find all places that round.', durationMs: 12_000 },
      });
      const changed = [
        { ...todos[0], status: 'completed' },
        { ...todos[1], status: 'in_progress' },
      ];
      await turn.client.tellOwn('cursor/update_todos', { toolCallId, todos: changed, merge: true });
      return [{ say: 'The first of the three steps is done. That is all.' }];
    },
  },
];

export const grok: Steps = [
  {
    say: 'I ask and plan as Grok’s program does. First, a question, which takes your own words too.',
  },
  {
    act: async (turn) => {
      const { sessionId } = turn;
      const toolCallId = await called(turn, 'Ask which way to round', 'think');
      const answer = await turn.askOwn('_x.ai/ask_user_question', {
        ...{ sessionId, toolCallId, mode: 'default' },
        questions: [
          {
            question: 'Where should it round?',
            options: [
              { label: 'Each line', description: 'As the tax office does it' },
              { label: 'The sum', description: 'One cent less, at times' },
            ],
            multiSelect: null,
          },
        ],
      });
      return answered(answer);
    },
  },
  { say: 'Now a plan.' },
  {
    act: async (turn) => {
      const { sessionId } = turn;
      const toolCallId = await called(turn, 'Leave plan mode', 'switch_mode');
      const answer = await turn.askOwn('_x.ai/exit_plan_mode', {
        ...{ sessionId, toolCallId, planContent: writtenPlan },
      });
      return answered(answer);
    },
  },
];

/** A call that the question belongs to; resolves to its id. */
async function called(turn: DemoTurn, title: string, kind: ToolKind): Promise<string> {
  const toolCallId = randomUUID();
  await turn.send({ sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'completed' });
  return toolCallId;
}

function answered(answer: Json | undefined): Steps {
  return answer === undefined
    ? [{ say: 'Your editor doesn’t know this question, so I go on without an answer.' }]
    : [{ say: `You answered:\n\n\`\`\`json\n${JSON.stringify(answer, undefined, 2)}\n\`\`\`` }];
}
