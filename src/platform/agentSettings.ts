import path from 'node:path';
import type { AgentConfig, AgentConfigProblem, AgentSettings } from '../model/ports';
import { isObject, type JsonObject } from '../util/json';

/** What `${…}` in an agent's entry may stand for. */
export interface AgentVariables {
  /** Path of the first workspace folder. */
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How the embedded agent starts; `command: "${demoAgent}"` in an entry stands for it. */
export interface DemoAgentStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const demoAgentCommand = '${demoAgent}';
const entryKeys = new Set(['title', 'command', 'args', 'env', 'cwd', 'enabled']);

/** An entry that can't be used; the message is the reason, in words for a person. */
class EntryProblem extends Error {}

/**
 * Reads the value of `acpSessions.agents`: a map from id to entry. An entry that is `null` or has
 * `enabled: false` is left out; a bad one becomes a problem and the others still count.
 */
export function readAgentSettings(
  value: unknown,
  variables: AgentVariables,
  demoAgent: DemoAgentStart,
): AgentSettings {
  if (!isObject(value)) {
    const problems =
      value === undefined || value === null
        ? []
        : [
            {
              id: 'acpSessions.agents',
              reason: 'The setting must be an object, from id to agent.',
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
  variables: AgentVariables,
  demoAgent: DemoAgentStart,
): AgentConfig | undefined {
  if (entry === null) {
    return undefined;
  }
  if (id.trim() === '') {
    throw new EntryProblem('The id is empty.');
  }
  if (!isObject(entry)) {
    throw new EntryProblem('The entry must be an object with a "command".');
  }
  const unknownKey = Object.keys(entry).find((key) => !entryKeys.has(key));
  if (unknownKey !== undefined) {
    throw new EntryProblem(
      `"${unknownKey}" isn't known here. An agent has: ${[...entryKeys].join(', ')}.`,
    );
  }
  if (entry['enabled'] !== undefined && typeof entry['enabled'] !== 'boolean') {
    throw new EntryProblem('"enabled" must be true or false.');
  }
  if (entry['enabled'] === false) {
    return undefined;
  }
  return readAgent(id, entry, variables, demoAgent);
}

function readAgent(
  id: string,
  entry: JsonObject,
  variables: AgentVariables,
  demoAgent: DemoAgentStart,
): AgentConfig {
  const fill = (text: string, where: string): string => substitute(text, where, variables);
  const title = optionalText(entry['title'], 'title')?.trim();
  const command = optionalText(entry['command'], 'command')?.trim() ?? '';
  if (command === '') {
    throw new EntryProblem('"command" is missing: the program that starts the agent.');
  }
  const args = textList(entry['args']).map((arg, index) => fill(arg, `args[${index}]`));
  const env = Object.fromEntries(
    Object.entries(textMap(entry['env'])).map(([name, text]) => [name, fill(text, `env.${name}`)]),
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
    throw new EntryProblem(`"cwd" must be an absolute path; "${cwd}" isn't.`);
  }
  return cwd;
}

function optionalText(value: unknown, where: string): string | undefined {
  return value === undefined ? undefined : checkedText(value, where);
}

function checkedText(value: unknown, where: string): string {
  if (typeof value !== 'string') {
    throw new EntryProblem(`"${where}" must be text.`);
  }
  if (value.includes('\0')) {
    throw new EntryProblem(`"${where}" has a NUL character in it.`);
  }
  return value;
}

function textList(value: unknown): string[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new EntryProblem('"args" must be a list of texts, one for each argument.');
  }
  return value.map((item, index) => checkedText(item, `args[${index}]`));
}

function textMap(value: unknown): Record<string, string> {
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new EntryProblem('"env" must be an object, from name to text.');
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (name === '' || name.includes('=') || name.includes('\0')) {
        throw new EntryProblem(`"env" has a name that no variable can have: "${name}".`);
      }
      return [name, checkedText(text, `env.${name}`)];
    }),
  );
}

function substitute(text: string, where: string, variables: AgentVariables): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const found = lookUp(name, variables);
    if (found === undefined) {
      throw new EntryProblem(`"${where}": ${missing(name)}`);
    }
    return found;
  });
}

function lookUp(name: string, variables: AgentVariables): string | undefined {
  if (name === 'workspaceFolder') {
    return variables.workspaceFolder;
  }
  if (name === 'userHome') {
    return variables.userHome;
  }
  return name.startsWith('env:') ? variables.env[name.slice('env:'.length)] : undefined;
}

function missing(name: string): string {
  if (name === 'workspaceFolder') {
    return '${workspaceFolder} needs an open folder.';
  }
  if (name.startsWith('env:')) {
    return `the environment variable ${name.slice('env:'.length)} isn't set.`;
  }
  return `\${${name}} isn't known. There are \${workspaceFolder}, \${userHome} and \${env:NAME}.`;
}
