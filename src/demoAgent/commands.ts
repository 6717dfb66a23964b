import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';
import type { DemoCapabilities } from './client';
import type { Command } from './command';
import { ask } from './script/ask';
import { background } from './script/background';
import { compact } from './script/compact';
import { correct } from './script/correct';
import { diff } from './script/diff';
import { error, limit, refuse } from './script/endings';
import { link } from './script/link';
import { long } from './script/long';
import { media } from './script/media';
import { notice } from './script/notice';
import { patch } from './script/patch';
import { pause } from './script/pause';
import { permission } from './script/permission';
import { plan } from './script/plan';
import { plans } from './script/plans';
import { slow } from './script/slow';
import { steering } from './script/steering';
import { strange } from './script/strange';
import { subagents } from './script/subagents';
import { terminal } from './script/terminal';
import { text } from './script/text';
import { thoughts } from './script/thoughts';
import { title } from './script/title';
import { tools } from './script/tools';
import { unasked } from './script/unasked';
import { usage } from './script/usage';
import { watch } from './script/watch';
import { work } from './script/work';

/** All commands, in the order in which a user would try them. */
export const commands: readonly Command[] = [
  text,
  thoughts,
  tools,
  diff,
  patch,
  work,
  terminal,
  plan,
  plans,
  pause,
  permission,
  unasked,
  ask,
  link,
  media,
  usage,
  title,
  notice,
  compact,
  correct,
  long,
  slow,
  steering,
  background,
  watch,
  subagents,
  strange,
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
