import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { sessionName } from '../../model/agents/whose';
import type { Sessions } from '../../model/session/sessions';
import { viewIds } from '../../platform/ids';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { notificationsCommandIds } from './commandIds';

/** Maximum number of sessions named in the tooltip. */
const maxNamedSessions = 10;

/**
 * Status bar item with the number of running agents and of sessions that need the user; hidden when
 * both are 0.
 */
export class AgentsStatus implements Disposable {
  readonly #agents: Agents;
  readonly #sessions: Sessions;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #shown: string | undefined;

  constructor(agents: Agents, sessions: Sessions) {
    this.#agents = agents;
    this.#sessions = sessions;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('agents', vscode.StatusBarAlignment.Right),
    );
    this.#item.name = 'ACP Sessions';
    const show = (): void => this.#show();
    this.#store.add(agents.onDidChange(show));
    this.#store.add(agents.onDidChangeAgent(show));
    this.#store.add(sessions.onDidChange(show));
    this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const running = this.#agents.all.filter(({ state }) => state.kind === 'ready');
    const waiting = new Set(this.#sessions.waiting.map(({ session }) => session)).size;
    const busy = this.#sessions.all
      .filter(({ isBusy }) => isBusy)
      .map((session) => sessionName(session));
    // Sessions change far more often than anything shown here.
    const shown = JSON.stringify([running.map(({ title }) => title), waiting, busy]);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    if (running.length === 0 && waiting === 0) {
      this.#item.hide();
      return;
    }
    const agents = running.length === 1 ? l10n.t('1 agent') : l10n.t('{0} agents', running.length);
    const needs =
      waiting === 1 ? l10n.t('1 session needs you') : l10n.t('{0} sessions need you', waiting);
    this.#item.text = `$(hubot) ${agents}${waiting > 0 ? ` $(bell-dot) ${waiting}` : ''}`;
    this.#item.tooltip = [
      l10n.t('Running: {0}', running.map(({ title }) => title).join(', ')),
      ...(waiting > 0 ? [l10n.t('{0}: click to go to the next', needs)] : []),
      ...workLines(busy),
    ].join('\n');
    this.#item.command =
      waiting > 0 ? notificationsCommandIds.nextRequest : `${viewIds.sessions}.focus`;
    this.#item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.accessibilityInformation = {
      label:
        waiting > 0 ? l10n.t('{0} running, {1}', agents, needs) : l10n.t('{0} running', agents),
    };
    this.#item.show();
  }
}

/** Names the busy sessions, and warns what would interrupt them. */
function workLines(names: readonly string[]): readonly string[] {
  if (names.length === 0) {
    return [];
  }
  const named = names.slice(0, maxNamedSessions);
  const more = names.length > maxNamedSessions ? ', …' : '';
  return [
    l10n.t('Working on: {0}', `${named.join(', ')}${more}`),
    l10n.t('Reloading or closing the window interrupts this work.'),
  ];
}
