import { randomUUID } from 'node:crypto';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import type { DemoTurn } from '../turns/turn';
import type { Command } from './command';
import { isAllowed } from './permission';

export const strange: Command = {
  name: 'strange',
  description: 'Updates, content and questions of kinds that no editor knows yet',
  run: async (turn) => {
    await turn.say('From here on I speak of things that nobody has heard of.');
    await turn.send({ sessionUpdate: 'strange', kind: 'hologram' });
    // Meant for other programs: nothing of it is shown.
    await turn.send({ sessionUpdate: 'strange', kind: '_demo/aside' });
    await showScent(turn);
    const tool = await turn.tool({ title: 'Make a sculpture', kind: 'other' });
    const allowed = await isAllowed(turn, tool, 'strange', true);
    if (allowed) {
      await tool.start();
      await tool.complete({ content: [{ type: 'strange', kind: 'sculpture' }] });
    } else {
      await tool.fail('Not allowed');
    }
    await turn.excuse('Your editor would drop most of it, so I told it in words or left it out.');
    await turn.say(
      `A hologram, a scent and ${allowed ? 'a sculpture: whoever can show them will.' : 'no sculpture, as you wish.'}`,
    );
    return undefined;
  },
};

function showScent(turn: DemoTurn): Promise<void> {
  const content = { type: 'scent', of: 'a fern after rain' } as unknown as ContentBlock;
  return turn.send({ sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content });
}
