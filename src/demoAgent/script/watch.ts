import { testRun } from '../data/testRun';
import type { DemoTurn, ToolRun } from '../turns/turn';
import type { Command } from './command';
import { canShowNode, ownNode } from './ownNode';
import { isAllowed } from './permission';
import { keepForReplay } from './terminal';

/** Between the lines of the tests, in ms. */
const pace = 1500;

export const watch: Command = {
  name: 'watch',
  description: 'Ends the turn while a command goes on, and speaks up by itself when that is done',
  run: async (turn) => {
    if (!canShowNode(turn.capabilities)) {
      await turn.say('Your editor shows no commands that go on after a turn: try `/background`.');
      return undefined;
    }
    const tool = await turn.tool({
      title: 'npm test',
      kind: 'execute',
      name: 'shell',
      // The actual command, since that is what the user decides about.
      input: { command: process.execPath, args: ['-e', testRun(turn.paced(pace))] },
    });
    const { mode } = turn.session.meta.settings;
    if (mode !== 'act' && !(await isAllowed(turn, tool, 'tests'))) {
      await tool.fail('Not allowed');
      await turn.say('You did not allow it, so nothing was run.');
      return undefined;
    }
    await tool.start();
    await goOn(turn, tool);
    await turn.say('The tests go on. You can write to me meanwhile.');
    await turn.excuse('Your editor can’t tell that I am going to say something by myself.');
    return undefined;
  },
};

async function goOn(turn: DemoTurn, tool: ToolRun): Promise<void> {
  const { sessionId } = turn;
  const { terminals } = turn.client;
  const terminalId = await terminals.create(
    {
      sessionId,
      ...ownNode(testRun(turn.paced(pace)), turn.capabilities),
      cwd: turn.session.meta.cwd,
    },
    turn.cancellable,
  );
  await tool.complete({ content: [{ type: 'terminal', terminalId }] });
  const isOver = turn.session.activity.beside({ type: 'terminal', terminalId });
  const target = { sessionId, terminalId };
  turn.later(async (work) => {
    try {
      const exit = await terminals.exit(target, work.cancellable);
      const output = await terminals.output(target, work.cancellable);
      isOver();
      await keepForReplay(work, tool, { terminalId, output, exit });
      await work.say(
        exit.exitCode === 0 ? 'The tests have passed.' : 'The tests have ended without passing.',
      );
    } finally {
      isOver();
      terminals.release(target).catch(() => undefined);
    }
  }, true);
}
