import { randomUUID } from 'node:crypto';
import type { Command } from './command';

const texts = [
  'The question sounds like one about the search, but the slow part may be the page that shows the ' +
    'results. I should find out which before I change anything.',
  'Two things would tell me: how long the query takes by itself, and how many products the page ' +
    'draws. The query has an index on the name; the page draws **all** of them.',
  'So the query is innocent. A list of what is visible would do, and needs no change to the database.',
];

export const thoughts: Command = {
  name: 'thoughts',
  description: 'Several thoughts, then a short answer',
  run: async (turn) => {
    // Shown regardless of the thinking level, because the user asked for them explicitly.
    for (const text of texts) {
      await turn.send({
        sessionUpdate: 'agent_thought_chunk',
        messageId: randomUUID(),
        content: { type: 'text', text },
      });
      await turn.wait(700);
    }
    await turn.say(
      'The search itself is fast. The page is slow because it draws every product that was found; ' +
        'drawing only the visible ones is enough.',
    );
    return undefined;
  },
};
