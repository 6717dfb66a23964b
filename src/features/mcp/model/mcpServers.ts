import { homedir } from 'node:os';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import { readRegularFile } from '../../../model/files/regularFile';
import { isInside } from '../../../model/files/roots';
import type { Log, McpServers, Opening, RealPath, Workspace } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { substitute, type Variables } from '../../../platform/settings/entryChecks';
import type { Consents } from '../../../platform/storage/consents';
import type { Secrets } from '../../../platform/storage/secrets';
import type { McpServer } from '../../../protocol/agentConnection';
import { AcpError } from '../../../protocol/errors';
import { inSequence } from '../../../util/async';
import { isNetworkPath } from '../../../util/networkPath';
import type { HeldSecrets } from '../../../util/secrets/heldSecrets';
import { type AskedFile, type AskForConsent, McpConsent } from './mcpConsent';
import { filesOf, type McpFile, placesOfOwnFile, readsItself } from './mcpFiles';
import { type AskForInput, McpInputs } from './mcpInputs';
import { getReasonOrThrow, type McpDefinitions, readMcpServers } from './mcpSettings';
import { substituteEnvironment } from './portableServers';
import { type Resolving, resolveServer } from './resolveServer';
import { ServerList } from './serverList';

/** No list of servers that a user has written is larger, in bytes. */
const maxFileBytes = 1024 * 1024;

const settingName = 'acpSessions.mcpServers';

export interface ConfiguredMcpServersOptions {
  readonly workspace: Workspace;
  readonly realPath: RealPath;
  /** The value of `acpSessions.mcpServers`. */
  readonly setting: () => unknown;
  readonly secrets: Secrets;
  /** Answers about the servers of folders. */
  readonly consents: Consents;
  /** Answers about the user's own files, which hold in every workspace. */
  readonly ownConsents: Consents;
  readonly askForInput: AskForInput;
  readonly askForConsent: AskForConsent;
  /** Tells the user what is left out, each text once. `source`: the setting, or a file. */
  readonly tell: (source: string, problems: readonly string[]) => void;
  /** What a session is opened with, and without. */
  readonly noted: (
    opening: Opening,
    servers: readonly McpServer[],
    leftOut: readonly string[],
  ) => unknown;
  readonly log: Log;
  /** Learns the values that the servers get. */
  readonly held: HeldSecrets;
  /** Those of this process, if absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/**
 * The MCP servers of the settings, of a folder's `.vscode/mcp.json` and `.mcp.json`, and of the user's
 * `~/.copilot/mcp-config.json` (MCP-1), ready to be passed on: variables replaced, commands absolute (MCP-2). What can't
 * be used is left out and told, without any values (MCP-7).
 */
export class ConfiguredMcpServers implements McpServers {
  readonly #options: ConfiguredMcpServersOptions;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #home: string;
  readonly #inputs: McpInputs;
  readonly #consent: McpConsent;
  readonly #ownConsent: McpConsent;
  readonly #logged = new Set<string>();

  constructor(options: ConfiguredMcpServersOptions) {
    this.#options = options;
    const { environment = process.env, home = homedir() } = options;
    this.#environment = environment;
    this.#home = home;
    // One question at a time: VS Code would close the one before, as if the user had declined.
    const inTurn = inSequence();
    this.#inputs = new McpInputs(options.secrets, (input) =>
      inTurn(() => options.askForInput(input)),
    );
    const ask: AskForConsent = (about, commands) =>
      inTurn(() => options.askForConsent(about, commands));
    this.#consent = new McpConsent(options.consents, ask);
    this.#ownConsent = new McpConsent(options.ownConsents, ask);
  }

  /** Forgets all answers; the user is asked again. */
  async forget(): Promise<void> {
    this.#logged.clear();
    await this.#inputs.forget();
    await this.#consent.forget();
    await this.#ownConsent.forget();
  }

  async servers(cwd: string, agentName?: string, opening?: Opening): Promise<readonly McpServer[]> {
    const { workspace, setting } = this.#options;
    if (!workspace.trusted) {
      return [];
    }
    const list = new ServerList();
    const folder = await this.#findFolder(cwd);
    const user = readMcpServers(setting());
    this.#report(list, user.problems, settingName);
    const resolving = await this.#withInputs(user, folder, 'user');
    this.#add(list, await this.#resolve(list, user.servers, resolving, settingName), settingName);
    for (const file of folder === undefined ? [] : filesOf(folder)) {
      await this.#addFile(list, file, agentName);
    }
    for (const file of placesOfOwnFile(this.#environment, this.#home)) {
      if (await this.#addFile(list, file, agentName)) {
        break;
      }
    }
    this.#log(list.doubles, agentName ?? '');
    const { servers, leftOut } = list;
    if (opening !== undefined) {
      this.#options.noted(opening, servers, leftOut);
    }
    return servers;
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

  /** Adds the servers of a file that the user agrees to. Whether there is such a file. */
  async #addFile(list: ServerList, file: McpFile, agentName?: string): Promise<boolean> {
    const { realPath } = this.#options;
    const real = (await realPath(file.file)) ?? file.file;
    const definitions = await readDefinitions(file, real);
    if (definitions === undefined) {
      return false;
    }
    const asked = { ...file, real: await this.#outside(file, real) };
    const source = describeFile(file);
    this.#report(list, definitions.problems, source);
    const { servers } = definitions;
    if (file.kind !== '.vscode/mcp.json') {
      const resolving = this.#withEnvironment(file);
      if (readsItself(agentName, file)) {
        list.addStarted(await this.#resolve(list, servers, resolving, source), source);
        this.#log([l10n.t('{0} reads the file itself.', agentName ?? '')], source);
        return true;
      }
      const resolved = await this.#resolve(list, servers, resolving, source);
      const fresh = this.#withoutDoubles(list, resolved, source);
      if (fresh.length > 0 && (await this.#isAllowed(list, asked, servers))) {
        this.#add(list, fresh, source);
      }
    } else if (servers.length > 0 && (await this.#isAllowed(list, asked, servers))) {
      const resolving = await this.#withInputs(definitions, file.folder, file.scope);
      const resolved = await this.#resolve(list, servers, resolving, source);
      this.#add(list, this.#withoutDoubles(list, resolved, source), source);
    }
    return true;
  }

  /** Where a folder's file really is, if that isn't in the folder. */
  async #outside({ folder }: McpFile, real: string): Promise<string | undefined> {
    const root = folder === undefined ? undefined : await this.#options.realPath(folder);
    return root === undefined || isInside(real, [root]) ? undefined : real;
  }

  async #isAllowed(
    list: ServerList,
    file: McpFile & AskedFile,
    servers: readonly McpServer[],
  ): Promise<boolean> {
    const consent = file.folder === undefined ? this.#ownConsent : this.#consent;
    const problem = consent.findProblem(servers, file);
    if (problem !== undefined) {
      this.#report(list, [problem], describeFile(file));
      return false;
    }
    return consent.isGiven(file, servers);
  }

  #withoutDoubles(
    list: ServerList,
    servers: readonly McpServer[],
    source: string,
  ): readonly McpServer[] {
    return servers.filter((server) => {
      const double = list.findDouble(server);
      this.#log(double === undefined ? [] : [double], source);
      return double === undefined;
    });
  }

  /** How servers are written in VS Code's own format, with inputs that the user is asked for. */
  async #withInputs(
    { servers, inputs }: McpDefinitions,
    folder: string | undefined,
    scope: string,
  ): Promise<Resolving> {
    const given = await this.#inputs.of(servers, inputs, scope);
    const secrets = [...given].filter(([id]) => inputs.get(id)?.password !== false);
    this.#options.held.addSecrets(secrets.map(([, value]) => value));
    const variables: Variables = {
      workspaceFolder: folder,
      userHome: this.#home,
      env: this.#environment,
      inputs: given,
    };
    return { folder, fill: (text, where) => substitute(text, where, variables) };
  }

  #withEnvironment({ folder }: McpFile): Resolving {
    const fill: Resolving['fill'] = (text, where) =>
      substituteEnvironment(text, where, this.#environment);
    return { folder, fill };
  }

  async #resolve(
    list: ServerList,
    servers: readonly McpServer[],
    resolving: Resolving,
    source: string,
  ): Promise<readonly McpServer[]> {
    const resolved: McpServer[] = [];
    for (const server of servers) {
      try {
        resolved.push(await resolveServer(server, resolving));
      } catch (error) {
        this.#report(list, [`${server.name}: ${getReasonOrThrow(error)}`], source);
      }
    }
    return resolved;
  }

  #add(list: ServerList, servers: readonly McpServer[], source: string): void {
    const { held } = this.#options;
    for (const server of servers) {
      if (server.type === 'stdio') {
        held.addNamed(server.env);
        held.addArguments(server.args);
      } else {
        held.addNamed({ ...server.headers, url: server.url });
      }
    }
    list.add(servers, source);
  }

  /** Logs and tells what is wrong. */
  #report(list: ServerList, problems: readonly string[], source: string): void {
    list.leftOut.push(...problems.map((problem) => cleanText(`${source}: ${problem}`, 500)));
    const told = this.#log(problems, source);
    if (told.length > 0) {
      this.#options.tell(source, told);
    }
  }

  /** Logs each text once, since a session that is opened again has the same ones; returns what was logged now. */
  #log(texts: readonly string[], source: string): readonly string[] {
    return texts
      .map((text) => cleanText(text, 500))
      .filter((text) => {
        const line = `${source}: ${text}`;
        const isNew = !this.#logged.has(line);
        if (isNew) {
          this.#logged.add(line);
          this.#options.log.warn(line);
        }
        return isNew;
      });
  }
}

function describeFile({ file, folder, kind }: McpFile): string {
  return folder === undefined ? file : `${folder}: ${kind}`;
}

/** `undefined` if there is no such file. No servers if it can't be read. */
async function readDefinitions(
  { read }: McpFile,
  real: string,
): Promise<McpDefinitions | undefined> {
  try {
    const bytes = await readRegularFile(real, { maxBytes: maxFileBytes, follows: false });
    return read(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof AcpError && error.code === 'gone') {
      return undefined;
    }
    const problem = l10n.t('The file is larger than 1 MB or can’t be read, so it is ignored.');
    return { servers: [], inputs: new Map(), problems: [problem] };
  }
}
