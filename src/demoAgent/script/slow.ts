import type { Command } from './command';

export const slow: Command = {
  name: 'slow',
  description: 'A turn that takes its time; cancel it to see what happens',
  hint: 'seconds (60)',
  run: async (turn, argument) => {
    const seconds = boundedNumber(argument, 60, 600);
    const tool = await turn.tool({ title: `Wait ${seconds} seconds`, kind: 'other' });
    await tool.start();
    for (let left = seconds; left > 0; left--) {
      await tool.update({ title: `Wait ${left} seconds more` });
      await turn.wait(1000);
    }
    await tool.complete({ title: `Waited ${seconds} seconds` });
    await turn.say('Done. Next time, try to cancel me.');
    return undefined;
  },
};

/** The whole number that the user typed, or `usual` if there is none; at most `most`. */
export function boundedNumber(argument: string, usual: number, most: number): number {
  const number = Math.trunc(Number(argument));
  return argument === '' || !Number.isFinite(number) || number < 1 ? usual : Math.min(number, most);
}
