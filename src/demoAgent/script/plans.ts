import type { PlanEntry } from '@agentclientprotocol/sdk/unstable';
import type { DemoTurn } from '../turns/turn';
import type { Command } from './command';

/** The first `done` steps are completed; one that isn't needed any more is canceled. */
function entriesOf(steps: readonly string[], done: number, dropped?: string): PlanEntry[] {
  return steps.map((content, index) => {
    const status = index < done ? 'completed' : index === done ? 'in_progress' : 'pending';
    return {
      content,
      priority: 'medium',
      status: content === dropped ? ('cancelled' as PlanEntry['status']) : status,
    };
  });
}

const shop = ['Count the pots', 'Order soil', 'Paint the door'];
const release = ['Run all tests', 'Tag the release', 'Tell support'];

const idea = `## Later

A catalog for **next spring**:

1. Ask what sells.
2. Take the pictures while it is green.
`;

export const plans: Command = {
  name: 'plans',
  description: 'Two plans at a time, one of which goes away, and one that is written in Markdown',
  run: async (turn) => {
    await turn.say('I plan two things at once.');
    await tell(turn, 'shop', entriesOf(shop, 0));
    await tell(turn, 'release', entriesOf(release, 0));
    await turn.wait(1500);
    await tell(turn, 'release', entriesOf(release, 2));
    await turn.wait(1500);
    await turn.send({ sessionUpdate: 'plan_removed', planId: 'release' });
    await tell(turn, 'shop', entriesOf(shop, 3, 'Paint the door'));
    await turn.send({
      sessionUpdate: 'plan_update',
      plan: { type: 'markdown', planId: 'spring', content: idea },
    });
    await turn.excuse(
      'Your editor has room for one plan, so each took the place of the one before. The third is a text:\n\n' +
        idea,
    );
    await turn.say('One plan is done, one is gone, and one is for later.');
    return undefined;
  },
};

function tell(turn: DemoTurn, planId: string, entries: PlanEntry[]): Promise<void> {
  return turn.send({ sessionUpdate: 'plan_update', plan: { type: 'items', planId, entries } });
}
