import type { PermissionOption } from '@agentclientprotocol/sdk/unstable';
import { type DemoTurn, type ToolRun, textContent } from '../turns/turn';
import type { Command } from './command';

const options: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'never', name: 'Never in this session', kind: 'reject_always' },
];

const command = 'npm run deploy -- --env staging';

export const permission: Command = {
  name: 'permission',
  description: 'The agent asks before it runs a command; your answer counts',
  run: async (turn) => {
    await turn.say('To put this on the staging server I would have to run a command.');
    const tool = await turn.tool({
      title: command,
      kind: 'execute',
      name: 'shell',
      input: { command, cwd: turn.session.meta.cwd },
    });
    if (await isAllowed(turn, tool, 'shell')) {
      await tool.start();
      await tool.complete({ content: [textContent('Nothing was deployed: this is only a demo.')] });
      await turn.say('You allowed it, so I "ran" it.');
    } else {
      await tool.fail('Not allowed');
      await turn.say('You did not allow it, so I left it.');
    }
    return undefined;
  },
};

/**
 * Asks whether a tool call may proceed, unless the user has given a permanent answer before.
 * Anything but one of the offered "allow" options counts as a refusal (PE-3, PE-7).
 */
export async function isAllowed(
  turn: DemoTurn,
  tool: ToolRun,
  about: string,
  isStrange = false,
): Promise<boolean> {
  const answered = turn.session.answers.get(about);
  if (answered !== undefined) {
    return answered;
  }
  const { title, kind } = tool.announced;
  const answer = await turn.ask({
    sessionId: turn.sessionId,
    title: kind === 'execute' ? 'Run this command?' : `Go on with “${title}”?`,
    description: 'I only do it if you allow it.',
    toolCallId: tool.id,
    isStrange,
    ...(kind === 'execute' && { command: { command: title, cwd: turn.session.meta.cwd } }),
    options,
  });
  const chosen = options.find(({ optionId }) => optionId === answer)?.kind;
  const allowed = chosen === 'allow_once' || chosen === 'allow_always';
  if (chosen === 'allow_always' || chosen === 'reject_always') {
    turn.session.answers.set(about, allowed);
  }
  return allowed;
}
