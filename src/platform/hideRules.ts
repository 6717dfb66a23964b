import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { HideRules } from '../model/hideRules';
import { cleanText } from '../model/titles';
import { type Disposable, DisposableStore } from '../util/disposable';
import { Emitter } from '../util/emitter';
import { settingKeys, settingsSection } from './ids';

const setting = `${settingsSection}.${settingKeys.hiddenSessions}`;

/** The rules of the setting `acpSessions.hiddenSessions`; says once of each that can't be used why. */
export class VsCodeHideRules implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #rules = readRules();

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(setting)) {
          this.#rules = readRules();
          this.#changed.fire();
        }
      }),
    );
  }

  hidden(titles: readonly string[]): ReadonlySet<string> {
    return this.#rules.hidden(titles);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function readRules(): HideRules {
  const rules = vscode.workspace
    .getConfiguration(settingsSection)
    .get<unknown>(settingKeys.hiddenSessions);
  return new HideRules(rules, ({ rule, reason }) => void tell(cleanText(rule, 80), reason));
}

async function tell(rule: string, reason: string): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('The rule “{0}” of {1} hides nothing: {2}.', rule, setting, reason),
    openSettings,
  );
  if (answer === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
  }
}
