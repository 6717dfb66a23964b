import { execFile } from 'node:child_process';
import type { WaitForTerminalExitResponse } from '@agentclientprotocol/sdk/unstable';
import { testRun } from '../data/testRun';
import { type DemoTurn, type ToolRun, textContent } from '../turns/turn';
import { messageOf } from '../vocabulary/errors';
import type { Command } from './command';
import { canShowNode, ownNode } from './ownNode';
import { isAllowed } from './permission';

/** Between the lines of the tests, in ms. */
const pace = 250;

export const terminal: Command = {
  name: 'terminal',
  description: 'A command in your editor’s terminal, or the agent’s own, with its output',
  run: async (turn) => {
    await turn.say('I run a few tests.');
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
    const passed = canShowNode(turn.capabilities)
      ? await runShown(turn, tool)
      : await runHere(turn, tool);
    await turn.say(passed ? 'All of them passed.' : 'That did not work; the output says why.');
    return undefined;
  },
};

/**
 * TE-1 to TE-8: create, show, wait, store the output, release. Resolves to whether the command
 * succeeded.
 */
async function runShown(turn: DemoTurn, tool: ToolRun): Promise<boolean> {
  const { sessionId } = turn;
  const { terminals } = turn.client;
  const command = {
    sessionId,
    ...ownNode(testRun(turn.paced(pace)), turn.capabilities),
    cwd: turn.session.meta.cwd,
    outputByteLimit: 64 * 1024,
  };
  try {
    const terminalId = await terminals.create(command, turn.cancellable);
    try {
      await tool.update({ content: [{ type: 'terminal', terminalId }] });
      const target = { sessionId, terminalId };
      const exit = await terminals.exit(target, turn.cancellable);
      const output = await terminals.output(target, turn.cancellable);
      await keepForReplay(turn, tool, { terminalId, output, exit });
      return await finish(tool, exit.exitCode ?? null);
    } finally {
      // Also ends the command of a canceled turn (TE-6), which doesn't wait for the response.
      terminals.release({ sessionId, terminalId }).catch(() => undefined);
    }
  } catch (error) {
    turn.signal.throwIfAborted();
    const who = turn.capabilities.ownWork ? 'I' : 'Your editor';
    await tool.fail(`${who} could not run the command: ${messageOf(error)}`);
    return false;
  }
}

async function finish(tool: ToolRun, exitCode: number | null): Promise<boolean> {
  const passed = exitCode === 0;
  await tool.update({ status: passed ? 'completed' : 'failed', rawOutput: { exitCode } });
  return passed;
}

/**
 * At the time of a replay the terminal no longer exists, so its output is stored in the form that
 * agents use for their own terminals. The client already has it and isn't notified.
 */
export async function keepForReplay(
  turn: DemoTurn,
  tool: ToolRun,
  ran: { terminalId: string; output: string; exit: WaitForTerminalExitResponse },
): Promise<void> {
  const terminal_id = ran.terminalId;
  await turn.session.record({
    sessionUpdate: 'tool_call_update',
    toolCallId: tool.id,
    _meta: {
      terminal_info: { terminal_id, cwd: turn.session.meta.cwd },
      terminal_output: { terminal_id, data: ran.output },
      terminal_exit: {
        terminal_id,
        exit_code: ran.exit.exitCode ?? null,
        signal: ran.exit.signal ?? null,
      },
    },
  });
}

/** For clients without terminals: the agent runs the command itself and shows its output. */
async function runHere(turn: DemoTurn, tool: ToolRun): Promise<boolean> {
  const result = await new Promise<{ output: string; exitCode: number | null }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['-e', testRun(turn.paced(pace))],
      {
        env: { ...process.env, NO_COLOR: '1' },
        signal: turn.signal,
      },
      (error, stdout, stderr) => {
        resolve({ output: stdout + stderr + (error?.message ?? ''), exitCode: child.exitCode });
      },
    );
  });
  turn.signal.throwIfAborted();
  await tool.update({ content: [textContent(`\`\`\`console\n${result.output}\`\`\``)] });
  return finish(tool, result.exitCode);
}
