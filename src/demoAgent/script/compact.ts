import { randomUUID } from 'node:crypto';
import type { Command } from './command';

const summary = [
  'The cart rounds once per line, at its end. ',
  'Invoices of last year stay as they are. ',
  'Open: tell support which orders were off by a cent.',
];

export const compact: Command = {
  name: 'compact',
  description: 'The agent compacts its context to a summary',
  needs: (client) => Boolean(client.session?.compaction),
  run: async (turn) => {
    const compactionId = randomUUID();
    await turn.send({ sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' });
    await turn.wait(900);
    for (const text of summary) {
      await turn.send({
        sessionUpdate: 'compaction_summary_chunk',
        compactionId,
        content: { type: 'text', text },
      });
      await turn.wait(300);
    }
    await turn.send({ sessionUpdate: 'compaction_update', compactionId, status: 'completed' });
    await turn.say('From here on I remember the summary. You can still read all that came before.');
    return undefined;
  },
};
