import { checkedTitle } from '../sessions/title';
import type { Command } from './command';

export const title: Command = {
  name: 'title',
  description: 'The agent gives this session another title',
  hint: 'new title',
  run: async (turn, argument) => {
    const chosen = checkedTitle(argument === '' ? 'A session with a title of its own' : argument);
    await turn.session.patch({ title: chosen, titledByPerson: argument !== '' });
    await turn.send({ sessionUpdate: 'session_info_update', title: chosen });
    await turn.say('Look at the list: the title there has changed as well.');
    return undefined;
  },
};
