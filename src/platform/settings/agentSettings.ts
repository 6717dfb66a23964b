import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type {
  AgentConfig,
  AgentConfigProblem,
  AgentSettings,
  RemoteAgent,
} from '../../model/ports';
import { type ProtocolChoice, protocolChoices } from '../../protocol/protocolChoice';
import { markElsewhere } from '../../util/elsewhere';
import { isObject, type JsonObject } from '../../util/json';
import type { BundledAgent } from './bundledAgent';
import {
  EntryProblem,
  environment,
  optionalText,
  substitute,
  textList,
  type Variables,
} from './entryChecks';
import { allowsTools, readRemote } from './remoteSettings';

const sessionIdVariable = '${sessionId}';
const demoAgentCommand = '${demoAgent}';
const entryKeys = new Set([
  ...['title', 'command', 'args', 'env', 'cwd', 'enabled', 'defaults', 'resumeCommand'],
  ...['url', 'headers', 'pathMappings', 'editorToolsFor', 'protocol'],
]);

/** The other settings that decide about the entries. */
export interface AgentSettingsContext {
  readonly insecureHosts?: readonly string[];
  /** The version for the agents whose entry doesn't name one. */
  readonly protocol?: ProtocolChoice;
  /** The entries in the user's own settings: only these let an agent on another machine use the tools of the editor. */
  readonly userAgents?: Readonly<Record<string, unknown>>;
}

/**
 * Reads the value of `acpSessions.agents`: a map from id to entry. Entries that are `null` or have
 * `enabled: false` are left out; an invalid entry becomes a problem, and the others still count. The command
 * `${demoAgent}` starts the demo agent.
 */
export function readAgentSettings(
  value: unknown,
  variables: Variables,
  demoAgent: BundledAgent,
  { insecureHosts = [], protocol = '1', userAgents = {} }: AgentSettingsContext = {},
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
      const agent = readEntry(id, entry, variables, demoAgent, {
        ...{ insecureHosts, protocol, userAgents },
      });
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
  demoAgent: BundledAgent,
  { insecureHosts, protocol, userAgents }: Required<AgentSettingsContext>,
): AgentConfig | undefined {
  if (entry === null) {
    return undefined;
  }
  if (id.trim() === '') {
    throw new EntryProblem(l10n.t('The id is empty.'));
  }
  if (!isObject(entry)) {
    throw new EntryProblem(l10n.t('The entry must be an object with a "command" or a "url".'));
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
  const remote = readRemote(entry, insecureHosts);
  return {
    ...readAgent(id, entry, variables, demoAgent, remote),
    ...(remote && allowsTools(userAgents[id], remote) && { usesEditorTools: true }),
    protocol: readProtocol(entry['protocol']) ?? protocol,
  };
}

function readProtocol(value: unknown): ProtocolChoice | undefined {
  const choice = protocolChoices.find((one) => one === value);
  if (choice === undefined && value !== undefined) {
    throw new EntryProblem(
      l10n.t(
        '"{0}" must be one of: {1}.',
        'protocol',
        protocolChoices.map((one) => `"${one}"`).join(', '),
      ),
    );
  }
  return choice;
}

function readAgent(
  id: string,
  entry: JsonObject,
  variables: Variables,
  demoAgent: BundledAgent,
  remote: RemoteAgent | undefined,
): AgentConfig {
  const fill = (text: string, where: string): string => substitute(text, where, variables);
  const title = optionalText(entry['title'], 'title')?.trim();
  const command = optionalText(entry['command'], 'command')?.trim() ?? '';
  if (remote === undefined && command === '') {
    throw new EntryProblem(l10n.t('"command" is missing: the program that starts the agent.'));
  }
  const args = textList(entry['args'], 'args').map((arg, index) => fill(arg, `args[${index}]`));
  const env = Object.fromEntries(
    Object.entries(environment(entry['env'], 'env')).map(([name, text]) => [
      name,
      fill(text, `env.${name}`),
    ]),
  );
  const named = {
    id,
    title: title === undefined || title === '' ? id : title,
    ...readDefaults(entry['defaults']),
    ...readResumeCommand(entry['resumeCommand']),
  };
  const folder = optionalText(entry['cwd'], 'cwd');
  if (remote !== undefined) {
    const theirs = readCwd(folder, (text) => text, path.win32);
    const cwd = theirs && markElsewhere(new URL(remote.url).host, theirs);
    return { ...named, command, args, env, cwd, remote };
  }
  const cwd = readCwd(folder, fill);
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

function readDefaults(value: unknown): Pick<AgentConfig, 'defaults'> {
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new EntryProblem(
      l10n.t('"{0}" must be an object that maps the IDs of options to values.', 'defaults'),
    );
  }
  const defaults = Object.entries(value).map(([key, chosen]): [string, string | boolean] => {
    if (typeof chosen !== 'string' && typeof chosen !== 'boolean') {
      throw new EntryProblem(
        l10n.t('"{0}" must be a string, or true or false.', `defaults.${key}`),
      );
    }
    return [key, chosen];
  });
  return { defaults: Object.fromEntries(defaults) };
}

/** The session's ID is the only variable: what is typed into a terminal is shown as it is. */
function readResumeCommand(value: unknown): Pick<AgentConfig, 'resumeCommand'> {
  if (value === undefined) {
    return {};
  }
  const words = textList(value, 'resumeCommand');
  const others = words.flatMap((word) => [...word.matchAll(/\$\{(?!sessionId\})[^}]*\}?/g)]);
  if (
    others.length > 0 ||
    words[0]?.trim() === '' ||
    words.every((word) => !word.includes(sessionIdVariable)) ||
    words[0]?.includes(sessionIdVariable) === true
  ) {
    throw new EntryProblem(
      l10n.t(
        '"{0}" must begin with a program, and contain {1} and no other variable.',
        'resumeCommand',
        sessionIdVariable,
      ),
    );
  }
  return { resumeCommand: words };
}

function readCwd(
  text: string | undefined,
  fill: (text: string, where: string) => string,
  paths: Pick<typeof path, 'isAbsolute'> = path,
): string | undefined {
  if (text === undefined || text.trim() === '') {
    return undefined;
  }
  const cwd = fill(text.trim(), 'cwd');
  if (!paths.isAbsolute(cwd)) {
    throw new EntryProblem(l10n.t('"cwd" must be an absolute path; "{0}" isn’t.', cwd));
  }
  return cwd;
}
