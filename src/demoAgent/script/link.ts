import { randomUUID } from 'node:crypto';
import { CreateElicitationResponse } from '@agentclientprotocol/sdk/unstable';
import type { Command } from './command';

const url = 'https://agentclientprotocol.com/protocol/overview';

export const link: Command = {
  name: 'link',
  description: 'The agent asks you to open a web page, as for a login',
  needs: (client) => Boolean(client.elicitation?.url),
  run: async (turn) => {
    const elicitationId = randomUUID();
    const response = await turn.elicit({
      mode: 'url',
      sessionId: turn.sessionId,
      elicitationId,
      url,
      message: 'A login would happen on a page like this one. It only explains the protocol.',
    });
    if (CreateElicitationResponse.isAccept(response)) {
      await turn.say('Thank you. I wait as if you were logging in there.');
      await turn.wait(3000);
      await turn.client.elicited(elicitationId);
      await turn.say('The page has told me that you are done.');
    } else {
      await turn.say('Then not. Nothing was opened.');
    }
    return undefined;
  },
};
