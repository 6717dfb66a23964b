import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';
import type { DemoCapabilities } from '../vocabulary/client';
import { ask } from './ask';
import { background } from './background';
import type { Command } from './command';
import { compact } from './compact';
import { correct } from './correct';
import { diff } from './diff';
import { error, limit, refuse } from './endings';
import { link } from './link';
import { long } from './long';
import { media } from './media';
import { notice } from './notice';
import { patch } from './patch';
import { pause } from './pause';
import { permission } from './permission';
import { plan } from './plan';
import { plans } from './plans';
import { slow } from './slow';
import { steering } from './steering';
import { strange } from './strange';
import { subagents } from './subagents';
import { terminal } from './terminal';
import { text } from './text';
import { thoughts } from './thoughts';
import { title } from './title';
import { tools } from './tools';
import { unasked } from './unasked';
import { usage } from './usage';
import { watch } from './watch';
import { work } from './work';

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
