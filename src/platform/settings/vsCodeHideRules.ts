import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { HideRules } from '../../model/list/hideRules';
import type { Log } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { settingKeys, settingsSection } from '../ids';
import { showWarningMessage } from '../ui/messages';

const setting = `${settingsSection}.${settingKeys.hiddenSessions}`;

/**
 * The rules of the setting `acpSessions.hiddenSessions`. Logs every invalid rule, and shows a
 * message about the first.
 */
export class VsCodeHideRules implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #log: Log;
  #rules: HideRules;

  constructor(log: Log) {
    this.#log = log;
    this.#rules = this.#read();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(setting)) {
          this.#rules = this.#read();
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

  #read(): HideRules {
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    const levels = configuration.inspect(settingKeys.hiddenSessions);
    const isWorkspace = (levels?.workspaceFolderValue ?? levels?.workspaceValue) !== undefined;
    let isTold = false;
    return new HideRules(
      configuration.get<unknown>(settingKeys.hiddenSessions),
      ({ rule, reason }) => {
        const name = cleanText(rule, 80);
        this.#log.warn(`${setting}: ${name}: ${reason}`);
        if (!isTold) {
          isTold = true;
          void tell(name, reason);
        }
      },
      isWorkspace ? 'workspace' : 'person',
    );
  }
}

async function tell(rule: string, reason: string): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  const answer = await showWarningMessage(
    l10n.t('The rule “{0}” in {1} is ignored: {2}.', rule, setting, reason),
    openSettings,
  );
  if (answer === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
  }
}
