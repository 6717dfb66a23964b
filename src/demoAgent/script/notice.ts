import type { Command } from './command';

export const notice: Command = {
  name: 'notice',
  description: 'Notices of each severity, which are no part of the conversation',
  needs: (client) => Boolean(client.session?.notices),
  run: async (turn) => {
    await turn.send({
      sessionUpdate: 'notice',
      severity: 'info',
      title: 'The demo agent is up to date',
    });
    await turn.wait(700);
    await turn.send({
      sessionUpdate: 'notice',
      severity: 'warning',
      title: 'This folder has no tests',
      description: 'Changes can still be made, but nothing will tell when they break something.',
    });
    await turn.wait(700);
    await turn.send({
      sessionUpdate: 'notice',
      severity: 'error',
      title: 'A tool server did not start',
      description: 'It is made up, like everything here. The turn goes on without it.',
    });
    await turn.say('Three notices. They come once, and a reload of this session leaves them out.');
    return undefined;
  },
};
