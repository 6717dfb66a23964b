import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import { readRegularFile } from '../../../model/files/regularFile';
import { isInside } from '../../../model/files/roots';
import type { Log, McpServers, RealPath, Workspace } from '../../../model/ports';
import { EntryProblem, substitute, type Variables } from '../../../platform/settings/entryChecks';
import type { Consents } from '../../../platform/storage/consents';
import type { Secrets } from '../../../platform/storage/secrets';
import type { McpServer } from '../../../protocol/agentConnection';
import { AcpError } from '../../../protocol/errors';
import { inSequence } from '../../../util/async';
import { isNetworkPath } from '../../../util/networkPath';
import { findOnPath } from '../../../util/process/findProgram';
import type { HeldSecrets } from '../../../util/secrets/heldSecrets';
import { type AskForConsent, McpConsent } from './mcpConsent';
import { type AskForInput, McpInputs } from './mcpInputs';
import { getReasonOrThrow, type McpDefinitions, readMcpFile, readMcpServers } from './mcpSettings';

/** No list of servers that a user has written is larger, in bytes. */
const maxFileBytes = 1024 * 1024;

export interface ConfiguredMcpServersOptions {
  readonly workspace: Workspace;
  readonly realPath: RealPath;
  /** The value of `acpSessions.mcpServers`. */
  readonly setting: () => unknown;
  readonly secrets: Secrets;
  readonly consents: Consents;
  readonly askForInput: AskForInput;
  readonly askForConsent: AskForConsent;
  readonly log: Log;
  /** Learns the values that the servers get. */
  readonly held: HeldSecrets;
}

/**
 * The MCP servers of the settings and of a folder's `.vscode/mcp.json` (MCP-1), ready to be passed
 * on: variables replaced, commands absolute (MCP-2). Unusable servers are left out and named in the
 * log, without any values (MCP-7).
 */
export class ConfiguredMcpServers implements McpServers {
  readonly #options: ConfiguredMcpServersOptions;
  readonly #inputs: McpInputs;
  readonly #consent: McpConsent;
  readonly #logged = new Set<string>();

  constructor(options: ConfiguredMcpServersOptions) {
    this.#options = options;
    // One question at a time: VS Code would close the one before, as if the user had declined.
    const inTurn = inSequence();
    this.#inputs = new McpInputs(options.secrets, (input) =>
      inTurn(() => options.askForInput(input)),
    );
    this.#consent = new McpConsent(options.consents, (folder, commands) =>
      inTurn(() => options.askForConsent(folder, commands)),
    );
  }

  /** Forgets all answers; the user is asked again. */
  async forget(): Promise<void> {
    this.#logged.clear();
    await this.#inputs.forget();
    await this.#consent.forget();
  }

  async servers(cwd: string): Promise<readonly McpServer[]> {
    const { workspace, setting } = this.#options;
    if (!workspace.trusted) {
      return [];
    }
    const folder = await this.#findFolder(cwd);
    const user = readMcpServers(setting());
    const own = await this.#resolve(user, folder, 'user');
    const theirs = folder === undefined ? [] : await this.#ofFolder(folder);
    // A repository can't replace a server that the user has set up.
    const names = new Set(user.servers.map(({ name }) => name));
    return [...own, ...theirs.filter(({ name }) => !names.has(name))];
  }

  /** The innermost workspace folder that a session belongs to, in any spelling (T-1). */
  async #findFolder(cwd: string): Promise<string | undefined> {
    const { workspace, realPath } = this.#options;
    const folders = workspace.folders
      .map((folder) => folder.path)
      .toSorted((a, b) => b.length - a.length);
    const direct = folders.find((folder) => isInside(cwd, [folder]));
    if (direct !== undefined || isNetworkPath(cwd)) {
      return direct;
    }
    const real = await realPath(cwd);
    const roots = await Promise.all(
      folders.map(async (folder) => ({ folder, root: (await realPath(folder)) ?? '' })),
    );
    return roots
      .filter(({ root }) => real !== undefined && root !== '' && isInside(real, [root]))
      .toSorted((a, b) => b.root.length - a.root.length)[0]?.folder;
  }

  async #ofFolder(folder: string): Promise<readonly McpServer[]> {
    const definitions = await readDefinitions(path.join(folder, '.vscode', 'mcp.json'));
    if (definitions.servers.length === 0) {
      this.#report(definitions.problems, folder);
      return [];
    }
    const problem = this.#consent.findProblem(definitions.servers);
    if (problem !== undefined) {
      this.#report([problem], folder);
      return [];
    }
    const given = await this.#consent.isGiven(folder, definitions.servers);
    return given ? this.#resolve(definitions, folder, folder) : [];
  }

  async #resolve(
    { servers, inputs, problems }: McpDefinitions,
    folder: string | undefined,
    scope: string,
  ): Promise<readonly McpServer[]> {
    this.#report(problems, scope);
    const given = await this.#inputs.of(servers, inputs, scope);
    const secrets = [...given].filter(([id]) => inputs.get(id)?.password !== false);
    this.#options.held.addSecrets(secrets.map(([, value]) => value));
    const variables: Variables = {
      workspaceFolder: folder,
      userHome: homedir(),
      env: process.env,
      inputs: given,
    };
    const resolved: McpServer[] = [];
    for (const server of servers) {
      try {
        const found = await resolveServer(server, variables);
        this.#hold(found);
        resolved.push(found);
      } catch (error) {
        this.#report([`${server.name}: ${getReasonOrThrow(error)}`], scope);
      }
    }
    return resolved;
  }

  #hold(server: McpServer): void {
    const { held } = this.#options;
    if (server.type === 'stdio') {
      held.addNamed(server.env);
      held.addArguments(server.args);
    } else {
      held.addNamed({ ...server.headers, url: server.url });
    }
  }

  /** Logs each problem once: a session that is opened again has the same ones. */
  #report(problems: readonly string[], scope: string): void {
    const source = scope === 'user' ? 'acpSessions.mcpServers' : `${scope}: .vscode/mcp.json`;
    for (const problem of problems) {
      const text = `${source}: ${problem}`;
      if (!this.#logged.has(text)) {
        this.#logged.add(text);
        this.#options.log.warn(text);
      }
    }
  }
}

/** No servers if the file is missing or can't be read. */
async function readDefinitions(file: string): Promise<McpDefinitions> {
  const none = { servers: [], inputs: new Map(), problems: [] };
  try {
    const bytes = await readRegularFile(file, { maxBytes: maxFileBytes });
    return readMcpFile(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof AcpError && error.code === 'gone') {
      return none;
    }
    return {
      ...none,
      problems: [l10n.t('The file is larger than 1 MB or can’t be read, so it is ignored.')],
    };
  }
}

async function resolveServer(server: McpServer, variables: Variables): Promise<McpServer> {
  const fill = (text: string, where: string): string => substitute(text, where, variables);
  const fillAll = (values: Readonly<Record<string, string>>, where: string) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, fill(value, `${where}.${name}`)]),
    );
  if (server.type === 'stdio') {
    const command = fill(server.command, 'command');
    return {
      ...server,
      command: await absoluteCommand(command, variables.workspaceFolder),
      args: server.args.map((arg, index) => fill(arg, `args[${index}]`)),
      env: fillAll(server.env, 'env'),
    };
  }
  const headers = fillAll(server.headers, 'headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(value)) {
      throw new EntryProblem(l10n.t('"headers" contains an invalid name or value.'));
    }
  }
  return { ...server, url: checkedUrl(fill(server.url, 'url')), headers };
}

/** MCP-2. */
async function absoluteCommand(command: string, folder: string | undefined): Promise<string> {
  if (path.isAbsolute(command)) {
    return command;
  }
  if (path.basename(command) !== command) {
    if (folder === undefined) {
      throw new EntryProblem(l10n.t('"command" is a relative path, but no folder is open.'));
    }
    return path.resolve(folder, command);
  }
  const found = await findOnPath(command);
  if (found === undefined) {
    throw new EntryProblem(l10n.t('"command" was not found on PATH.'));
  }
  return found;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new EntryProblem(
      l10n.t('"url" must be an address that begins with http:// or https://.'),
    );
  }
  return text;
}
