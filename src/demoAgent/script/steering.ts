import { isSteeringOutcome } from '../turns/steering';
import type { Command } from './command';

export const steering: Command = {
  name: 'steering',
  description: 'A slow turn; send another prompt into it with Send Now',
  hint: 'injected, failed, promptRequired or startedNewTurn',
  run: async (turn, argument) => {
    const outcome = argument === '' ? 'injected' : argument;
    if (!isSteeringOutcome(outcome)) {
      await turn.say(`I don't know the outcome \`${outcome}\`.`);
      return undefined;
    }
    turn.session.steering.outcome = outcome;
    await turn.say(`A prompt that you send into this turn is answered with \`${outcome}\`.`);
    const tool = await turn.tool({ title: 'Wait for another prompt', kind: 'other' });
    await tool.start();
    for (let seconds = 0; seconds < 30 && !turn.session.steering.isAnswered; seconds++) {
      await turn.wait(1000);
    }
    await tool.complete();
    await turn.say('That was all.');
    return undefined;
  },
};
