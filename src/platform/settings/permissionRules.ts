import * as vscode from 'vscode';
import type { Log, PermissionRules } from '../../model/ports';
import type { ToolKind } from '../../shared/transcript/content';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { settingKeys, settingsSection } from '../ids';
import {
  decideByRules,
  type PermissionRuleSettings,
  readPermissionRules,
} from './permissionRuleSettings';

/** The setting `acpSessions.permissions.rules` (PE-5). Problems with it are logged. */
export class VsCodePermissionRules implements PermissionRules, Disposable {
  readonly #log: Log;
  readonly #store = new DisposableStore();
  #settings: PermissionRuleSettings;

  constructor(log: Log) {
    this.#log = log;
    this.#settings = this.#read();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${settingsSection}.${settingKeys.permissionRules}`)) {
          this.#settings = this.#read();
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#settings = this.#read();
      }),
    );
  }

  decide(agentId: string, kind: ToolKind): 'allow' | 'reject' | undefined {
    return decideByRules(this.#settings.rules, agentId, kind);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(): PermissionRuleSettings {
    const inspect = (folder?: vscode.Uri) =>
      vscode.workspace
        .getConfiguration(settingsSection, folder)
        .inspect<unknown>(settingKeys.permissionRules);
    const levels = inspect();
    // The settings of a folder are visible only if it is asked about. What one folder rejects is rejected in the
    // whole window: a tool call doesn't say for certain which folder it is about.
    const folders = (vscode.workspace.workspaceFolders ?? []).map(
      ({ uri }) => inspect(uri)?.workspaceFolderValue,
    );
    const settings = readPermissionRules(levels?.globalValue, [levels?.workspaceValue, ...folders]);
    for (const problem of settings.problems) {
      this.#log.warn(`${settingsSection}.${settingKeys.permissionRules}: ${problem}`);
    }
    return settings;
  }
}
