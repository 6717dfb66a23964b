import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ExtraFolders, extraFolders } from '../../model/places/sessionPlaces';
import {
  type AgentConfig,
  type AgentSettings,
  type Settings,
  type Workspace,
} from '../../model/ports';
import { type ProtocolChoice, protocolChoices } from '../../protocol/protocolChoice';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { asArray, isObject, type JsonObject } from '../../util/json';
import { settingKeys, settingsSection } from '../ids';
import { readAgentSettings } from './agentSettings';
import { type BundledAgent, bundledAgent } from './bundledAgent';
import { onDidChangeSetting, readSetting } from './setting';

/**
 * The extension's settings, with a typed getter for each. Defaults are defined in the manifest
 * only.
 */
export class VsCodeSettings implements Settings, Disposable {
  readonly #store = new DisposableStore();
  readonly #agentsChanged = this.#store.add(new Emitter<void>());
  readonly #workspace: Workspace;
  readonly #context: vscode.ExtensionContext;
  #agents: AgentSettings;
  #agentsOfWindow: readonly AgentConfig[] = [];

  readonly onDidChangeAgents = this.#agentsChanged.event;
  readonly onDidChangeGroupByDate = onDidChangeSetting(settingKeys.groupByDate);
  readonly onDidChangeRemembersLists = onDidChangeSetting(settingKeys.rememberLists);
  readonly onDidChangeShowsWorktrees = onDidChangeSetting(settingKeys.worktrees);
  readonly onDidChangeTranscriptCache = onDidChangeSetting(settingKeys.transcriptCacheLimit);

  constructor(context: vscode.ExtensionContext, workspace: Workspace) {
    this.#context = context;
    this.#workspace = workspace;
    this.#agents = this.#readAgents();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settingsSection)) {
          this.#updateAgents();
        }
      }),
    );
    // `${workspaceFolder}` depends on the folders, and trust decides which levels of settings
    // count.
    this.#store.add(workspace.onDidChange(() => this.#updateAgents()));
  }

  /**
   * `acpSessions.agents`, validated and with variables replaced; VS Code ignores a workspace's
   * values until it is trusted.
   */
  get agents(): AgentSettings {
    const { agents, problems } = this.#agents;
    return { agents: [...agents, ...this.#agentsOfWindow], problems };
  }

  /** Replaces the agents that exist in this window only, after those of the settings. */
  setAgentsOfWindow(agents: readonly AgentConfig[]): void {
    this.#agentsOfWindow = agents;
    this.#agentsChanged.fire();
  }

  get groupByDate(): boolean {
    return readSetting(settingKeys.groupByDate) === true;
  }

  /** Whether the view selects the session of the active tab. */
  get autoReveal(): boolean {
    return readSetting(settingKeys.autoReveal) !== false;
  }

  /** Whether the remembered sessions show until their agent lists them again. */
  get remembersLists(): boolean {
    return readSetting(settingKeys.rememberLists) !== false;
  }

  /** Whether the other worktrees of a workspace folder's repository are shown. */
  get showsWorktrees(): boolean {
    return readSetting(settingKeys.worktrees) !== false;
  }

  /** The additional folders of a new session. */
  get additionalDirectories(): ExtraFolders {
    const value = readSetting(settingKeys.additionalDirectories);
    return extraFolders.find((folders) => folders === value) ?? 'none';
  }

  /** Maximum size of all cached transcripts on disk, in bytes; 0: none are cached. */
  get transcriptCacheLimit(): number {
    const megabytes = readSetting(settingKeys.transcriptCacheLimit);
    return (typeof megabytes === 'number' && megabytes >= 0 ? megabytes : 300) * 1e6;
  }

  /** The hosts to which connections needn't be encrypted. Only the user's own settings count. */
  get insecureHosts(): readonly string[] {
    return asArray(readSetting(settingKeys.insecureHosts)).filter(
      (host) => typeof host === 'string',
    );
  }

  /** The versions of the protocol that may be spoken with agents whose entry doesn't say. */
  get protocol(): ProtocolChoice {
    const value = readSetting(settingKeys.protocol);
    return protocolChoices.find((choice) => choice === value) ?? '1';
  }

  async setGroupByDate(value: boolean): Promise<void> {
    await this.#configuration.update(
      settingKeys.groupByDate,
      value,
      vscode.ConfigurationTarget.Global,
    );
  }

  /** The user's `acpSessions.agents` as written, without default entries and those of the workspace. */
  get userAgents(): Readonly<Record<string, unknown>> {
    const inspected = this.#configuration.inspect<unknown>(settingKeys.agents);
    return isObject(inspected?.globalValue) ? inspected.globalValue : {};
  }

  /** Adds or replaces an entry in the user's settings. */
  async addAgent(id: string, entry: AgentEntry): Promise<void> {
    await this.#configuration.update(
      settingKeys.agents,
      { ...this.userAgents, [id]: entry },
      vscode.ConfigurationTarget.Global,
    );
  }

  /**
   * Changes members of an agent's entry in the user's settings. Returns whether the agent is configured there or by
   * default, not by the workspace.
   */
  async changeAgent(id: string, members: JsonObject): Promise<boolean> {
    const levels = this.#configuration.inspect<Record<string, unknown>>(settingKeys.agents);
    const entry = levels?.globalValue?.[id] ?? levels?.defaultValue?.[id];
    const others = [levels?.workspaceValue, levels?.workspaceFolderValue];
    if (!isObject(entry) || others.some((level) => level?.[id] !== undefined)) {
      return false;
    }
    await this.#configuration.update(
      settingKeys.agents,
      { ...levels?.globalValue, [id]: { ...entry, ...members } },
      vscode.ConfigurationTarget.Global,
    );
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(settingsSection);
  }

  #updateAgents(): void {
    const agents = this.#readAgents();
    if (JSON.stringify(agents) !== JSON.stringify(this.#agents)) {
      this.#agents = agents;
      this.#agentsChanged.fire();
    }
  }

  #readAgents(): AgentSettings {
    // VS Code merges the objects of all levels, so the user's agents are added to the default one.
    return readAgentSettings(
      readSetting(settingKeys.agents),
      {
        workspaceFolder: this.#workspace.folders[0]?.path,
        userHome: homedir(),
        env: process.env,
      },
      this.#demoAgent,
      this,
    );
  }

  get #demoAgent(): BundledAgent {
    const days = readSetting(settingKeys.demoAgentCleanupDays);
    const store =
      process.env['ACP_SESSIONS_DEMO_STORE'] ??
      path.join(this.#context.globalStorageUri.fsPath, 'demoAgent');
    const cleanup = typeof days === 'number' && days > 0 ? ['--cleanup-days', `${days}`] : [];
    return bundledAgent(this.#context, 'demoAgent', ['--store', store, ...cleanup]);
  }
}

/** Whether an item picked from a list opens as a preview: a setting of VS Code. */
export function pickedIsPreview(): boolean {
  const editor = vscode.workspace.getConfiguration('workbench.editor');
  return editor.get<boolean>('enablePreviewFromQuickOpen', false);
}

/** An entry of `acpSessions.agents` as the user would write it. */
export interface AgentEntry {
  readonly title?: string;
  readonly command?: string;
  readonly url?: string;
  readonly protocol?: ProtocolChoice;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, unknown>>;
}
