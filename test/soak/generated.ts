import type { Check } from './check';
import { HostileLines } from './hostileLines';
import { SoakWorld } from './world';

/** Sessions per run; each starts from scratch. */
const worlds = { whole: 10, small: 2 };
const batches = { whole: 10, small: 2 };
const lines = { whole: 300, small: 150 };
const largest = { whole: 4_000_000, small: 100_000 };

/**
 * Checks that after any input, the next ordinary update still arrives and nothing sent to the page exceeds its bounds.
 */
export const generated: Check = {
  name: 'generated lines',
  repeats: true,
  seconds: 120,
  run: async ({ random, size }) => {
    const of = ({ whole, small }: { whole: number; small: number }) => size(whole, small);
    const hostile = new HostileLines(random, of(largest));
    let sent = 0;
    let largestMessage = 0;
    for (let opened = 0; opened < of(worlds); opened++) {
      const world = await SoakWorld.open(opened % 2 === 0 ? '1' : '2');
      for (let batch = 0; batch < of(batches); batch++) {
        for (let index = 0; index < of(lines); index++) {
          world.line(hostile.next());
          sent += 1;
        }
        world.tab.show(random.chance(0.8));
        world.tab.show(true);
        await world.settled();
      }
      largestMessage = Math.max(largestMessage, world.tab.largest);
      await world.close();
    }
    return `${sent} lines, largest message ${Math.ceil(largestMessage / 1000)} KB`;
  },
};
