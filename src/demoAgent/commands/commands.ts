import type { AvailableCommand, ClientCapabilities } from '@agentclientprotocol/sdk/unstable';
import type { DemoTurn, Steps } from '../turns/turn';
import { diff, usualFile } from '../work/diff';
import { workFolderName } from '../work/workFolder';
import { doWork, workKinds } from '../work/workKinds';
import { ask } from './ask';
import { cursor, grok } from './ownMethods';
import { long, permission, plan, slow, steering } from './shortCommands';
import { subagents } from './subagentsCommand';
import { text } from './text';

/** A slash command: its entry in the client's list, and its steps. */
interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** Whether the client has the capabilities that the steps need; omitted if they need none. */
  readonly needs?: (client: ClientCapabilities) => boolean;
  readonly steps: (argument: string, turn: DemoTurn) => Steps;
}

/** All commands, in the order in which a user would try them. */
export const commands: readonly Command[] = [
  {
    name: 'text',
    description: 'An answer in Markdown: lists, a table, code in two languages',
    steps: (_, turn) => text(turn.session.meta.settings.model),
  },
  {
    name: 'work',
    description: `Really changes files, in the folder \`${workFolderName}\` of this session’s folder only`,
    hint: [...workKinds.keys()].join(', '),
    steps: (kind) => [{ act: (turn) => doWork(turn, kind) }],
  },
  {
    name: 'diff',
    description: 'A change to one file, which your editor writes if it does that for agents',
    hint: `file in this folder (${usualFile})`,
    steps: (file) => [{ act: (turn) => diff(turn, file) }],
  },
  {
    name: 'permission',
    description: 'The agent asks before it runs a command; your answer counts',
    steps: (_, turn) => permission(turn.session.meta.cwd),
  },
  {
    name: 'ask',
    description: 'The agent asks you to fill in a form',
    needs: (client) => Boolean(client.elicitation?.form),
    steps: () => ask,
  },
  {
    name: 'plan',
    description: 'A plan to read, and its steps, which are worked off and grow on the way',
    steps: (_, turn) => plan(turn.client.capabilities),
  },
  {
    name: 'cursor',
    description: 'Questions, a plan and a list in the way of Cursor’s agent',
    steps: () => cursor,
  },
  {
    name: 'grok',
    description: 'A question and a plan in the way of Grok’s agent',
    steps: () => grok,
  },
  {
    name: 'subagents',
    description: 'Lets subagents work, one of which asks you and starts another one',
    needs: (client) => Boolean(client.subagents),
    steps: () => subagents,
  },
  {
    name: 'steering',
    description: 'A slow turn; send another prompt into it with Send Now',
    steps: (_, turn) => steering(turn),
  },
  {
    name: 'slow',
    description: 'A turn that takes its time; cancel it to see what happens',
    hint: 'seconds (60)',
    steps: slow,
  },
  {
    name: 'long',
    description: 'A long turn, to see how a long transcript behaves',
    hint: 'number of updates (2000, at most 100000)',
    steps: long,
  },
];

export function isOffered(command: Command, client: ClientCapabilities): boolean {
  return command.needs?.(client) ?? true;
}

/** The content of `available_commands_update` for this client (CM-1). */
export function availableCommands(client: ClientCapabilities): AvailableCommand[] {
  return commands
    .filter((command) => isOffered(command, client))
    .map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    }));
}
