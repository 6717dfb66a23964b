import type { DemoTurn } from '../turns/turn';
import { messageOf } from '../vocabulary/errors';
import type { Command } from './command';
import { ownNode } from './ownNode';

const file = 'unasked.md';

/** Demonstrates the behavior of an agent that doesn't ask first. */
export const unasked: Command = {
  name: 'unasked',
  description: 'A change and a command without asking first: your editor asks you instead',
  needs: ({ fs, terminal }) => fs?.writeTextFile === true && terminal === true,
  run: async (turn) => {
    await turn.say('I write a file and run a command, and ask nobody.');
    const written = await tried(turn, 'Write a file', 'edit', () => write(turn));
    const ran = await tried(turn, 'Run a command', 'execute', () => run(turn));
    const said = (done: boolean): string => (done ? 'was let through' : 'was not');
    await turn.say(`The change ${said(written)}, the command ${said(ran)}.`);
    return undefined;
  },
};

async function write(turn: DemoTurn): Promise<void> {
  const { sessionId } = turn;
  const content = '# Written without a question\n';
  await turn.client.writeText(sessionId, turn.path(file), content, turn.cancellable);
}

async function run(turn: DemoTurn): Promise<void> {
  const { sessionId } = turn;
  const { terminals } = turn.client;
  const program = ownNode("console.log('run without a question')", turn.capabilities);
  const terminalId = await terminals.create({ sessionId, ...program }, turn.cancellable);
  await terminals.exit({ sessionId, terminalId }, turn.cancellable);
  await terminals.release({ sessionId, terminalId });
}

/** Makes one tool call; resolves to whether the editor allowed it. */
async function tried(
  turn: DemoTurn,
  title: string,
  kind: 'edit' | 'execute',
  work: () => Promise<void>,
): Promise<boolean> {
  const tool = await turn.tool({ title, kind });
  await tool.start();
  try {
    await work();
  } catch (error) {
    turn.signal.throwIfAborted();
    await tool.fail(messageOf(error));
    return false;
  }
  await tool.complete();
  return true;
}
