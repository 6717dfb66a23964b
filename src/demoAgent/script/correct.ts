import { randomUUID } from 'node:crypto';
import type { DemoTurn } from '../turns/turn';
import type { Command } from './command';

export const correct: Command = {
  name: 'correct',
  description: 'Messages that are corrected and withdrawn after they were written',
  run: async (turn) => {
    const wrong = await write(turn, 'The parcel costs **4.90** to send.');
    const secret = await write(turn, 'The code for the till is 1234. I should not have said that.');
    const fine = await write(turn, 'Parcels leave at noon.');
    const text = 'The parcel costs **5.90** to send; I had an old list.';
    await turn.send({
      sessionUpdate: 'agent_message',
      messageId: wrong,
      content: [{ type: 'text', text }],
    });
    await turn.wait(900);
    await turn.send({ sessionUpdate: 'agent_message', messageId: secret, content: [] });
    await turn.wait(900);
    // Its text stays as it is.
    await turn.send({
      sessionUpdate: 'agent_message',
      messageId: fine,
      _meta: { demoAgent: { checked: true } },
    });
    await turn.excuse(
      'Your editor keeps messages as they were first written: the corrected one came once more, and the one that I ' +
        'wanted to withdraw is still there.',
    );
    await turn.say('One message was corrected, one was withdrawn, and one only looked at again.');
    return undefined;
  },
};

async function write(turn: DemoTurn, text: string): Promise<string> {
  const messageId = randomUUID();
  const content = { type: 'text', text } as const;
  await turn.send({ sessionUpdate: 'agent_message_chunk', messageId, content });
  await turn.wait(900);
  return messageId;
}
