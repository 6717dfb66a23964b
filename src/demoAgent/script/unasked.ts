import process from 'node:process';
import {
  type CreateTerminalRequest,
  methods,
  type WaitForTerminalExitRequest,
} from '@agentclientprotocol/sdk/unstable';
import type { Command } from '../command';
import { messageOf } from '../errors';
import type { Turn } from '../turn';

const file = 'unasked.md';

/** What no good agent does. */
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

async function write(turn: Turn): Promise<void> {
  const { sessionId } = turn;
  const content = '# Written without a question\n';
  const change = { sessionId, path: turn.path(file), content };
  await turn.client.request(methods.client.fs.writeTextFile, change, turn.cancellable);
}

async function run(turn: Turn): Promise<void> {
  const { sessionId } = turn;
  const args = ['-e', "console.log('run without a question')"];
  const env = [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }];
  const command: CreateTerminalRequest = { sessionId, command: process.execPath, args, env };
  const { terminalId } = await turn.client.request(
    methods.client.terminal.create,
    command,
    turn.cancellable,
  );
  const terminal: WaitForTerminalExitRequest = { sessionId, terminalId };
  await turn.client.request(methods.client.terminal.waitForExit, terminal, turn.cancellable);
  await turn.client.request(methods.client.terminal.release, terminal, turn.cancellable);
}

/** One tool call; whether the editor let it through. */
async function tried(
  turn: Turn,
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
