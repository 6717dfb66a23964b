import * as vscode from 'vscode';
import type { Agents } from '../model/agents';
import { viewIds } from '../platform/ids';
import { type Disposable, DisposableStore } from '../util/disposable';

/** One item: how many agents run. Without any it isn't there. */
export class AgentsStatus implements Disposable {
  readonly #agents: Agents;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(agents: Agents) {
    this.#agents = agents;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('agents', vscode.StatusBarAlignment.Right),
    );
    this.#item.name = 'ACP Sessions';
    this.#item.command = `${viewIds.sessions}.focus`;
    this.#store.add(agents.onDidChange(() => this.#show()));
    this.#store.add(agents.onDidChangeAgent(() => this.#show()));
    this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const running = this.#agents.all.filter(({ state }) => state.kind === 'ready');
    if (running.length === 0) {
      this.#item.hide();
      return;
    }
    const count = running.length === 1 ? '1 agent' : `${running.length} agents`;
    this.#item.text = `$(hubot) ${count}`;
    this.#item.tooltip = `Running: ${running.map(({ title }) => title).join(', ')}`;
    this.#item.accessibilityInformation = { label: `${count} running` };
    this.#item.show();
  }
}
