import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { promptLanguage } from '../../platform/ids';
import { plainLabel } from '../../views/plainLabel';
import { boundName, type PromptBindings } from './bindings';
import { promptsCommandIds } from './commandIds';

/** The status bar item with the session of the prompt in the active editor; the user can change it there. */
export class PromptStatus implements vscode.Disposable {
  readonly #bindings: PromptBindings;
  readonly #agents: Agents;
  readonly #item: vscode.StatusBarItem;
  readonly #listening: vscode.Disposable;

  constructor(bindings: PromptBindings, agents: Agents) {
    this.#bindings = bindings;
    this.#agents = agents;
    this.#item = vscode.window.createStatusBarItem(
      'prompt',
      vscode.StatusBarAlignment.Right,
      // Beside the language of the document.
      100,
    );
    this.#item.name = l10n.t('Session of the Prompt');
    this.#item.command = promptsCommandIds.choosePromptSession;
    this.#listening = vscode.Disposable.from(
      this.#item,
      vscode.window.onDidChangeActiveTextEditor(() => this.#show()),
      vscode.workspace.onDidOpenTextDocument(() => this.#show()),
      bindings.onDidChange(() => this.#show()),
      agents.onDidChange(() => this.#show()),
    );
    this.#show();
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== promptLanguage) {
      this.#item.hide();
      return;
    }
    const session = this.#bindings.get(document.uri);
    this.#item.text = `$(comment-discussion) ${session ? plainLabel(session.title) : l10n.t('No Session')}`;
    this.#item.tooltip = session
      ? l10n.t(
          'This prompt is written for the session {0}. Click to choose another one.',
          boundName(session, this.#agents),
        )
      : l10n.t('Click to choose the session that this prompt is written for.');
    this.#item.show();
  }
}
