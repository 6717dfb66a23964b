import * as vscode from 'vscode';
import type { Log, PermissionRules } from '../../model/ports';
import type { ToolKind } from '../../shared/transcript/content';
import type { Disposable } from '../../util/disposable';
import { settingKeys, settingsSection } from '../ids';
import {
  decideByRules,
  type PermissionRuleSettings,
  readPermissionRules,
} from './permissionRuleSettings';

/** The setting `acpSessions.permissions.rules` (PE-5). Problems with it are logged. */
export class VsCodePermissionRules implements PermissionRules, Disposable {
  readonly #log: Log;
  readonly #listening: Disposable;
  #settings: PermissionRuleSettings;

  constructor(log: Log) {
    this.#log = log;
    this.#settings = this.#read();
    this.#listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settingKeys.permissionRules}`)) {
        this.#settings = this.#read();
      }
    });
  }

  decide(agentId: string, kind: ToolKind): 'allow' | 'reject' | undefined {
    return decideByRules(this.#settings.rules, agentId, kind);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #read(): PermissionRuleSettings {
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    const levels = configuration.inspect(settingKeys.permissionRules);
    const settings = readPermissionRules(levels?.globalValue, [
      levels?.workspaceValue,
      levels?.workspaceFolderValue,
    ]);
    for (const problem of settings.problems) {
      this.#log.warn(`${settingsSection}.${settingKeys.permissionRules}: ${problem}`);
    }
    return settings;
  }
}
