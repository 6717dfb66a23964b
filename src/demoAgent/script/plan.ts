import type { PlanEntry } from '@agentclientprotocol/sdk/unstable';
import type { Command } from './command';

const steps: readonly Pick<PlanEntry, 'content' | 'priority'>[] = [
  { content: 'Read how the cart adds up', priority: 'high' },
  { content: 'Write a test that shows the lost cent', priority: 'high' },
  { content: 'Round once, at the end of each line', priority: 'medium' },
  { content: 'Run all tests', priority: 'medium' },
  { content: 'Tell support which orders were off', priority: 'low' },
];

const discovered: Pick<PlanEntry, 'content' | 'priority'> = {
  content: 'Correct the invoices that are still drafts',
  priority: 'high',
};

export const plan: Command = {
  name: 'plan',
  description: 'A plan that is worked off, step by step, and grows on the way',
  run: async (turn) => {
    await turn.say('I will do this in five steps.');
    let known = steps;
    for (let done = 0; done <= known.length; done++) {
      if (done === 3) {
        // A step discovered on the way is added; each update contains the whole plan (PL-2).
        known = [...steps.slice(0, 4), discovered, ...steps.slice(4)];
      }
      await turn.send({
        sessionUpdate: 'plan',
        entries: known.map((step, index) => ({
          ...step,
          status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
        })),
      });
      await turn.wait(900);
    }
    await turn.say('All six steps are done: one came up on the way.');
    return undefined;
  },
};
