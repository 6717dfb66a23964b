import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentConfig, AgentConfigProblem, AgentSettings } from '../../model/ports';
import { isObject, type JsonObject } from '../../util/json';
import {
  EntryProblem,
  environment,
  optionalText,
  substitute,
  textList,
  type Variables,
} from './entryChecks';

/** How the embedded agent starts; `command: "${demoAgent}"` in an entry refers to it. */
export interface DemoAgentStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const demoAgentCommand = '${demoAgent}';
const entryKeys = new Set(['title', 'command', 'args', 'env', 'cwd', 'enabled']);

/**
 * Reads the value of `acpSessions.agents`: a map from id to entry. Entries that are `null` or have
 * `enabled: false` are left out; an invalid entry becomes a problem, and the others still count.
 */
export function readAgentSettings(
  value: unknown,
  variables: Variables,
  demoAgent: DemoAgentStart,
): AgentSettings {
  if (!isObject(value)) {
    const problems =
      value === undefined || value === null
        ? []
        : [
            {
              id: 'acpSessions.agents',
              reason: l10n.t('The setting must be an object that maps ids to agents.'),
            },
          ];
    return { agents: [], problems };
  }
  const agents: AgentConfig[] = [];
  const problems: AgentConfigProblem[] = [];
  for (const [id, entry] of Object.entries(value)) {
    try {
      const agent = readEntry(id, entry, variables, demoAgent);
      if (agent !== undefined) {
        agents.push(agent);
      }
    } catch (error) {
      if (!(error instanceof EntryProblem)) {
        throw error;
      }
      problems.push({ id, reason: error.message });
    }
  }
  return { agents, problems };
}

function readEntry(
  id: string,
  entry: unknown,
  variables: Variables,
  demoAgent: DemoAgentStart,
): AgentConfig | undefined {
  if (entry === null) {
    return undefined;
  }
  if (id.trim() === '') {
    throw new EntryProblem(l10n.t('The id is empty.'));
  }
  if (!isObject(entry)) {
    throw new EntryProblem(l10n.t('The entry must be an object with a "command".'));
  }
  const unknownKey = Object.keys(entry).find((key) => !entryKeys.has(key));
  if (unknownKey !== undefined) {
    throw new EntryProblem(
      l10n.t(
        'Unknown property "{0}". An agent can have: {1}.',
        unknownKey,
        [...entryKeys].join(', '),
      ),
    );
  }
  if (entry['enabled'] !== undefined && typeof entry['enabled'] !== 'boolean') {
    throw new EntryProblem(l10n.t('"enabled" must be true or false.'));
  }
  if (entry['enabled'] === false) {
    return undefined;
  }
  return readAgent(id, entry, variables, demoAgent);
}

function readAgent(
  id: string,
  entry: JsonObject,
  variables: Variables,
  demoAgent: DemoAgentStart,
): AgentConfig {
  const fill = (text: string, where: string): string => substitute(text, where, variables);
  const title = optionalText(entry['title'], 'title')?.trim();
  const command = optionalText(entry['command'], 'command')?.trim() ?? '';
  if (command === '') {
    throw new EntryProblem(l10n.t('"command" is missing: the program that starts the agent.'));
  }
  const args = textList(entry['args'], 'args').map((arg, index) => fill(arg, `args[${index}]`));
  const env = Object.fromEntries(
    Object.entries(environment(entry['env'], 'env')).map(([name, text]) => [
      name,
      fill(text, `env.${name}`),
    ]),
  );
  const named = { id, title: title === undefined || title === '' ? id : title };
  const cwd = readCwd(optionalText(entry['cwd'], 'cwd'), fill);
  if (command === demoAgentCommand) {
    return {
      ...named,
      command: demoAgent.command,
      args: [...demoAgent.args, ...args],
      env: { ...env, ...demoAgent.env },
      cwd,
    };
  }
  return { ...named, command: fill(command, 'command'), args, env, cwd };
}

function readCwd(
  text: string | undefined,
  fill: (text: string, where: string) => string,
): string | undefined {
  if (text === undefined || text.trim() === '') {
    return undefined;
  }
  const cwd = fill(text.trim(), 'cwd');
  if (!path.isAbsolute(cwd)) {
    throw new EntryProblem(l10n.t('"cwd" must be an absolute path; "{0}" isn’t.', cwd));
  }
  return cwd;
}
