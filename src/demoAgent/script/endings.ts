import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { Command } from './command';

export const refuse: Command = {
  name: 'refuse',
  description: 'The agent declines to answer (stop reason "refusal")',
  run: async (turn) => {
    await turn.say('I would rather not, so I stop here.');
    return 'refusal';
  },
};

export const limit: Command = {
  name: 'limit',
  description: 'An answer that is cut off (stop reason "max_tokens" or "max_turn_requests")',
  hint: 'tokens or requests',
  run: async (turn, argument) => {
    await turn.say('This answer goes on and on until there is no room left for the rest of the');
    return argument === 'requests' ? 'max_turn_requests' : 'max_tokens';
  },
};

export const error: Command = {
  name: 'error',
  description: 'The prompt is answered with an error',
  run: async (turn) => {
    await turn.say('I start as usual, and then something breaks.');
    await turn.wait(500);
    throw new RequestError(-32603, 'The demo agent failed, as it was asked to', {
      command: '/error',
      hint: 'Nothing is lost: send another prompt.',
    });
  },
};
