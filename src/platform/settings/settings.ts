import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ExtraFolders, extraFolders } from '../../model/places/sessionPlaces';
import {
  type AgentConfig,
  type AgentSettings,
  type SearchIndexMode,
  type SearchSettings,
  type Settings,
  searchIndexModes,
  type Workspace,
} from '../../model/ports';
import { type ProtocolChoice, protocolChoices } from '../../protocol/protocolChoice';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { asArray, isObject, type JsonObject } from '../../util/json';
import { settingKeys, settingsSection } from '../ids';
import { readAgentSettings } from './agentSettings';
import { type BundledAgent, bundledAgent } from './bundledAgent';

const notificationSettings = ['never', 'whenHidden', 'always'] as const;
export type NotificationSetting = (typeof notificationSettings)[number];

/** What is recorded of agents' changes, and for how long. */
export interface ReviewSettings {
  /** Whether the files of the workspace are recorded before and after each turn. */
  readonly takesCheckpoints: boolean;
  /** How long records are kept, in days, and how much, in bytes. */
  readonly recordLimits: { readonly days: number; readonly bytes: number };
}

/**
 * The extension's settings, with a typed getter for each. Defaults are defined in the manifest
 * only.
 */
export class VsCodeSettings implements Settings, SearchSettings, ReviewSettings, Disposable {
  readonly #store = new DisposableStore();
  readonly #agentsChanged = this.#store.add(new Emitter<void>());
  readonly #groupByDateChanged = this.#store.add(new Emitter<void>());
  readonly #remembersListsChanged = this.#store.add(new Emitter<void>());
  readonly #searchIndexChanged = this.#store.add(new Emitter<void>());
  readonly #showsWorktreesChanged = this.#store.add(new Emitter<void>());
  readonly #transcriptCacheChanged = this.#store.add(new Emitter<void>());
  readonly #workspace: Workspace;
  readonly #context: vscode.ExtensionContext;
  #agents: AgentSettings;
  #agentsOfWindow: readonly AgentConfig[] = [];

  readonly onDidChangeAgents = this.#agentsChanged.event;
  readonly onDidChangeGroupByDate = this.#groupByDateChanged.event;
  readonly onDidChangeRemembersLists = this.#remembersListsChanged.event;
  readonly onDidChangeSearchIndex = this.#searchIndexChanged.event;
  readonly onDidChangeShowsWorktrees = this.#showsWorktreesChanged.event;
  readonly onDidChangeTranscriptCache = this.#transcriptCacheChanged.event;

  constructor(context: vscode.ExtensionContext, workspace: Workspace) {
    this.#context = context;
    this.#workspace = workspace;
    this.#agents = this.#readAgents();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.groupByDate}`)) {
          this.#groupByDateChanged.fire();
        }
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.rememberLists}`)) {
          this.#remembersListsChanged.fire();
        }
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.searchIndex}`)) {
          this.#searchIndexChanged.fire();
        }
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.worktrees}`)) {
          this.#showsWorktreesChanged.fire();
        }
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.transcriptCacheLimit}`)) {
          this.#transcriptCacheChanged.fire();
        }
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
    return this.#read(settingKeys.groupByDate) === true;
  }

  /** Whether the view selects the session of the active tab. */
  get autoReveal(): boolean {
    return this.#read(settingKeys.autoReveal) !== false;
  }

  /** Whether the sessions of the last time show until their agent lists them again. */
  get remembersLists(): boolean {
    return this.#read(settingKeys.rememberLists) !== false;
  }

  /** Whether the other worktrees of a workspace folder's repository are shown. */
  get showsWorktrees(): boolean {
    return this.#read(settingKeys.worktrees) !== false;
  }

  /** Where new worktrees are made; empty: beside the repository. */
  get newWorktreeFolder(): string {
    const value = this.#read(settingKeys.newWorktreeFolder);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The command line that prepares a new worktree; empty: none. */
  get newWorktreeScript(): string {
    const value = this.#read(settingKeys.newWorktreeScript);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The additional folders of a new session. */
  get additionalDirectories(): ExtraFolders {
    const value = this.#read(settingKeys.additionalDirectories);
    return extraFolders.find((folders) => folders === value) ?? 'none';
  }

  /**
   * When the end of a turn, a failure or a needed answer is announced outside of the session's tab.
   */
  get notifications(): NotificationSetting {
    const value = this.#read(settingKeys.notifications);
    return notificationSettings.find((setting) => setting === value) ?? 'whenHidden';
  }

  /** Whether the operating system shows these while the window doesn't have the focus. */
  get systemNotifications(): boolean {
    return this.#read(settingKeys.systemNotifications) === true;
  }

  /** Whether a sound is played with these while the window doesn't have the focus. */
  get notificationSound(): boolean {
    return this.#read(settingKeys.notificationSound) === true;
  }

  /** The parts of transcripts that are indexed for search. */
  get searchIndex(): SearchIndexMode {
    const value = this.#read(settingKeys.searchIndex);
    return searchIndexModes.find((mode) => mode === value) ?? 'text';
  }

  /** Maximum size of the search index on disk, in bytes. */
  get searchIndexLimit(): number {
    const megabytes = this.#read(settingKeys.searchIndexLimit);
    return (typeof megabytes === 'number' && megabytes > 0 ? megabytes : 500) * 1e6;
  }

  /** Maximum size of all cached transcripts on disk, in bytes; 0: none are cached. */
  get transcriptCacheLimit(): number {
    const megabytes = this.#read(settingKeys.transcriptCacheLimit);
    return (typeof megabytes === 'number' && megabytes >= 0 ? megabytes : 300) * 1e6;
  }

  get takesCheckpoints(): boolean {
    return this.#read(settingKeys.reviewCheckpoints) !== false;
  }

  get recordLimits(): ReviewSettings['recordLimits'] {
    const days = this.#read(settingKeys.reviewDays);
    const megabytes = this.#read(settingKeys.reviewLimit);
    return {
      days: typeof days === 'number' && days > 0 ? days : 30,
      bytes: (typeof megabytes === 'number' && megabytes > 0 ? megabytes : 1000) * 1e6,
    };
  }

  /** Where the agent registry is; empty: it isn't asked. Only the user's own settings count. */
  get registryAddress(): string {
    const value = this.#read(settingKeys.registry);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The hosts to which connections needn't be encrypted. Only the user's own settings count. */
  get insecureHosts(): readonly string[] {
    return asArray(this.#read(settingKeys.insecureHosts)).filter(
      (host) => typeof host === 'string',
    );
  }

  /** The versions of the protocol that may be spoken with agents whose entry doesn't say. */
  get protocol(): ProtocolChoice {
    const value = this.#read(settingKeys.protocol);
    return protocolChoices.find((choice) => choice === value) ?? '1';
  }

  /** `acpSessions.mcpServers` as written (MCP-1). */
  get mcpServers(): unknown {
    return this.#read(settingKeys.mcpServers);
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

  #read(key: string): unknown {
    return this.#configuration.get<unknown>(key);
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
      this.#read(settingKeys.agents),
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
    const days = this.#read(settingKeys.demoAgentCleanupDays);
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
