import {
  runSubagent,
  type SubagentScript,
  type SubagentShape,
  subagentShapes,
} from '../turns/subagents';
import { type DemoTurn, textContent } from '../turns/turn';
import type { Command } from './command';
import { isAllowed } from './permission';
import { boundedNumber } from './slow';

export const subagents: Command = {
  name: 'subagents',
  description: 'Lets subagents work, one of which asks you and starts another one',
  hint: 'sessions, earlier or calls: how they are told of; background and seconds (8): they outlive the turn',
  run: async (turn, argument) => {
    const shape = subagentShapes.find((known) => known === argument) ?? ownShape(turn);
    const [word, seconds = ''] = argument.split(' ');
    if (word === 'background') {
      await turn.say('A subagent goes on in the background.');
      const watcher = watcherFor(boundedNumber(seconds, 8, 600));
      turn.alongside((work) => runSubagent(work, shape, watcher));
      return undefined;
    }
    await turn.say('I let two subagents look into this.');
    await Promise.all([
      runSubagent(turn, shape, searcher),
      runSubagent(turn, shape, testerOf(shape)),
    ]);
    await turn.say('Both are done: **the price is rounded twice**, and one test misses that.');
    return undefined;
  },
};

/** Clients that don't know subagents get the calls alone, as from real agents. */
function ownShape({ capabilities }: DemoTurn): SubagentShape {
  return capabilities.subagents ? 'sessions' : 'calls';
}

const searcher: SubagentScript = {
  title: 'Find the callers',
  task: 'Find everything that calls `roundPrice`, and say what it passes.',
  run: async (turn) => {
    await look(turn, 'Search for `roundPrice`', 'search', 'src/cart.ts:41\nsrc/invoice.ts:17');
    await look(turn, 'Read src/cart.ts', 'read', 'const total = roundPrice(roundPrice(sum));');
    await turn.wait(1500);
    await turn.say('Two callers. `src/cart.ts` rounds a price that is **already rounded**.');
  },
};

function testerOf(shape: SubagentShape): SubagentScript {
  return {
    title: 'Check the tests',
    task: 'Run the tests of the cart, and say which of them would notice a price rounded twice.',
    run: async (turn) => {
      const command = 'npm test -- cart';
      const tool = await turn.tool({ title: command, kind: 'execute', input: { command } });
      if (!(await isAllowed(turn, tool, 'tests'))) {
        await tool.fail('Not allowed');
        await turn.say('I wasn’t allowed to run the tests.');
        return;
      }
      await tool.start();
      await tool.complete({ content: [textContent('12 passing')] });
      await runSubagent(turn, shape, reader);
      await turn.say('All 12 tests pass, so none of them notices it.');
    },
  };
}

const reader: SubagentScript = {
  title: 'Read the oldest test',
  task: 'Read `test/cart.test.ts`.',
  run: async (turn) => {
    await look(
      turn,
      'Read test/cart.test.ts',
      'read',
      "it('rounds', () => equal(price(1.005), 1.01));",
    );
    await turn.say('It has one price, and that has two digits only.');
  },
};

function watcherFor(seconds: number): SubagentScript {
  return {
    title: 'Watch the build',
    task: 'Watch the build, and say when it is done.',
    run: async (turn) => {
      const tool = await turn.tool({ title: 'Watch the build', kind: 'execute' });
      await tool.start();
      await turn.wait(1000 * seconds);
      await tool.complete();
      await turn.say('The build is done.');
    },
  };
}

async function look(
  turn: DemoTurn,
  title: string,
  kind: 'read' | 'search',
  found: string,
): Promise<void> {
  const tool = await turn.tool({ title, kind });
  await tool.start();
  await tool.complete({ content: [textContent(found)] });
}
