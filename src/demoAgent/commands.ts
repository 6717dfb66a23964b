import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';
import type { DemoCapabilities } from './client';
import type { Command } from './command';
import { ask } from './script/ask';
import { background } from './script/background';
import { compact } from './script/compact';
import { diff } from './script/diff';
import { error, limit, refuse } from './script/endings';
import { link } from './script/link';
import { long } from './script/long';
import { media } from './script/media';
import { notice } from './script/notice';
import { permission } from './script/permission';
import { plan } from './script/plan';
import { slow } from './script/slow';
import { steering } from './script/steering';
import { subagents } from './script/subagents';
import { terminal } from './script/terminal';
import { text } from './script/text';
import { thoughts } from './script/thoughts';
import { title } from './script/title';
import { tools } from './script/tools';
import { unasked } from './script/unasked';
import { usage } from './script/usage';
import { work } from './script/work';

/** All commands, in the order in which a user would try them. */
export const commands: readonly Command[] = [
  text,
  thoughts,
  tools,
  diff,
  work,
  terminal,
  plan,
  permission,
  unasked,
  ask,
  link,
  media,
  usage,
  title,
  notice,
  compact,
  long,
  slow,
  steering,
  background,
  subagents,
  refuse,
  limit,
  error,
];

export function isOffered(command: Command, client: DemoCapabilities): boolean {
  return command.needs?.(client) ?? true;
}

/** The content of `available_commands_update` for this client (CM-1). */
export function availableCommands(client: DemoCapabilities): AvailableCommand[] {
  return commands
    .filter((command) => isOffered(command, client))
    .map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    }));
}
