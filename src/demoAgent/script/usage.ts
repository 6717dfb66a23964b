import type { Command } from './command';

const size = 200_000;
const levels = [0.12, 0.4, 0.76, 0.91, 0.97];

export const usage: Command = {
  name: 'usage',
  description: 'The context fills up to 97 %, and the cost with it',
  run: async (turn) => {
    await turn.say('Watch the context fill up. The numbers are made up; the updates are real.');
    for (const level of levels) {
      const cost = { amount: Math.round(level * 250) / 100, currency: 'USD' };
      turn.session.cost = cost;
      await turn.send({
        sessionUpdate: 'usage_update',
        used: Math.round(size * level),
        size,
        cost,
      });
      await turn.wait(900);
    }
    await turn.say('Nearly full. The end of this turn reports what this session really takes.');
    return undefined;
  },
};
