import { workKinds } from '../changes/workKinds';
import type { Command } from './command';
import { done } from './work';

export const background: Command = {
  name: 'background',
  description: 'Ends the turn, and goes on working afterward, as background tasks do',
  hint: `${[...workKinds.keys()].join(', ')}, as /work (or nothing)`,
  run: async (turn, argument) => {
    const kind = workKinds.get(argument);
    await turn.say('I go on in the background: you’ll see me work in a few seconds.');
    turn.later(async (work) => {
      await work.wait(4000);
      if (kind !== undefined) {
        await work.say(await done(work, kind.run));
        return;
      }
      const tool = await work.tool({ title: 'Watch the tests in the background', kind: 'execute' });
      await tool.start();
      await work.wait(5000);
      await tool.complete();
      await work.say('The tests that I watched have passed.');
    });
    return undefined;
  },
};
