import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log, PermissionRules } from '../../model/ports';
import {
  decideByKind,
  isAbout,
  isSpecific,
  type PermissionRule,
  type RuledPlace,
  type Ruling,
} from '../../model/rules/permissionRule';
import type { Asked } from '../../model/rules/ruledAct';
import { decideSpecifically, offeredRule } from '../../model/rules/specificRules';
import type { OfferedRule } from '../../shared/requests/agentQuestions';
import type { ToolKind } from '../../shared/transcript/content';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import { settingKeys, settingsSection } from '../ids';
import { showInformationMessage, showWarningMessage } from '../ui/messages';
import { type PermissionRuleSettings, readPermissionRules } from './permissionRuleSettings';

const setting = `${settingsSection}.${settingKeys.permissionRules}`;

/**
 * The setting `acpSessions.permissions.rules` (PE-5). Problems with it are logged, and the
 * first one is shown in a message.
 */
export class VsCodePermissionRules implements PermissionRules, Disposable {
  readonly #log: Log;
  readonly #store = new DisposableStore();
  #settings: PermissionRuleSettings;

  constructor(log: Log) {
    this.#log = log;
    this.#settings = this.#read();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(setting)) {
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

  decide(agentId: string, kind: ToolKind): 'allow' | 'reject' | undefined;
  decide(
    agentId: string,
    kind: ToolKind,
    asked: Asked,
    place: RuledPlace,
  ): Ruling | undefined | Promise<Ruling | undefined>;
  decide(
    agentId: string,
    kind: ToolKind,
    asked?: Asked,
    place?: RuledPlace,
  ): Ruling | undefined | Promise<Ruling | undefined> {
    const rules = vscode.workspace.isTrusted
      ? this.#settings.rules
      : this.#settings.rules.filter(({ decision }) => decision === 'reject');
    const isNamed = rules.some((rule) => isSpecific(rule) && isAbout(rule, agentId));
    return isNamed && asked !== undefined && place !== undefined
      ? this.#decideSpecifically(rules, agentId, kind, asked, place)
      : decideByKind(rules, agentId, kind);
  }

  async offer(
    agentId: string,
    kind: ToolKind,
    asked: Asked,
    place: RuledPlace,
  ): Promise<OfferedRule | undefined> {
    const { rules, problems } = this.#settings;
    if (!vscode.workspace.isTrusted || problems.length > 0) {
      return undefined;
    }
    try {
      return await offeredRule(rules, agentId, kind, asked, place);
    } catch (error) {
      this.#log.error(`${setting}: ${getStack(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #decideSpecifically(
    rules: readonly PermissionRule[],
    agentId: string,
    kind: ToolKind,
    asked: Asked,
    place: RuledPlace,
  ): Promise<Ruling | undefined> {
    try {
      return await decideSpecifically(rules, agentId, kind, asked, place);
    } catch (error) {
      this.#log.error(`${setting}: ${getStack(error)}`);
      const mayReject = rules.some(
        (rule) => isSpecific(rule) && rule.decision === 'reject' && isAbout(rule, agentId),
      );
      return mayReject || decideByKind(rules, agentId, kind) === 'reject' ? 'reject' : undefined;
    }
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
      this.#log.warn(`${setting}: ${problem}`);
    }
    if (settings.problems.length > 0) {
      void tell(settings.problems.join(' '));
    }
    return settings;
  }
}

/**
 * Adds a rule that the user has chosen to their own settings, and says so. Returns whether it is there; rules of
 * workspaces can't allow anything, and in an untrusted one nothing is added.
 */
export async function addRule(agent: string, offered: OfferedRule): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration(settingsSection);
  const own = settings.inspect<unknown>(settingKeys.permissionRules)?.globalValue ?? [];
  if (!vscode.workspace.isTrusted || !Array.isArray(own)) {
    return false;
  }
  const kind: ToolKind = 'command' in offered ? 'execute' : 'edit';
  const rule = { agent, kind, ...offered, decision: 'allow' };
  await writeRules([...(own as unknown[]), rule]);
  const text =
    'command' in offered
      ? l10n.t(
          'A rule was added to your settings: in trusted workspaces, this agent may run commands that begin with “{0}” without asking.',
          offered.command.join(' '),
        )
      : l10n.t(
          'A rule was added to your settings: in trusted workspaces, this agent may change “{0}” in the folders of a session without asking.',
          offered.path,
        );
  void offerUndo(text, rule);
  return true;
}

async function writeRules(rules: readonly unknown[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration(settingsSection);
  await settings.update(settingKeys.permissionRules, rules, vscode.ConfigurationTarget.Global);
}

async function offerUndo(text: string, rule: object): Promise<void> {
  const undo = l10n.t('Undo');
  await offerSettings(async (openSettings) => {
    const chosen = await showInformationMessage(text, undo, openSettings);
    if (chosen === undo) {
      await removeRule(rule);
    }
    return chosen;
  });
}

/** Removes the rule where it was added; the settings may have changed since. */
async function removeRule(rule: object): Promise<void> {
  const settings = vscode.workspace.getConfiguration(settingsSection);
  const own = settings.inspect<unknown>(settingKeys.permissionRules)?.globalValue;
  const rules: readonly unknown[] = Array.isArray(own) ? (own as unknown[]) : [];
  const at = rules.findLastIndex((one) => isDeepStrictEqual({ ...Object(one) }, rule));
  if (at >= 0) {
    await writeRules(rules.toSpliced(at, 1));
  }
}

async function offerSettings(
  show: (button: string) => Thenable<string | undefined>,
): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  if ((await show(openSettings)) === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
  }
}

async function tell(problems: string): Promise<void> {
  const text = l10n.t('The setting {0} has a problem: {1}', setting, problems.slice(0, 500));
  await offerSettings((button) => showWarningMessage(text, button));
}
