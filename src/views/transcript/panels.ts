import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../../model/agent';
import type { Agents } from '../../model/agents';
import { sessionKey } from '../../model/sessionInfo';
import type { Sessions } from '../../model/sessions';
import { viewIds } from '../../platform/ids';
import type { SavedTranscript } from '../../shared/messages';
import { parseSavedState } from '../../shared/validators';
import { DisposableStore } from '../../util/disposable';
import { orphanSession } from './orphan';
import { type PanelServices, type PanelSession, TranscriptPanel } from './panel';

/** All tabs with transcripts: one for each session. */
export class TranscriptPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #agents: Agents;
  readonly #sessions: Sessions;
  readonly #services: PanelServices;
  readonly #store = new DisposableStore();
  readonly #panels = new Map<string, TranscriptPanel>();

  constructor(agents: Agents, sessions: Sessions, services: PanelServices) {
    this.#agents = agents;
    this.#sessions = sessions;
    this.#services = services;
    this.#store.add(vscode.window.registerWebviewPanelSerializer(viewIds.transcript, this));
  }

  /** The tab that has the focus. */
  get active(): TranscriptPanel | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active);
  }

  /** Shows the session's tab: the one that is there, else a new one. */
  open(agent: Agent, info: SessionRow['info'], where: 'here' | 'side'): void {
    const existing = this.#panels.get(sessionKey(agent.id, info.sessionId));
    if (existing !== undefined) {
      existing.panel.reveal(where === 'side' ? vscode.ViewColumn.Beside : undefined);
      return;
    }
    const session = this.#sessions.open(agent, info);
    const panel = vscode.window.createWebviewPanel(
      viewIds.transcript,
      session.title,
      where === 'side' ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    );
    this.#add(panel, session);
  }

  /** Brings a tab back after a reload of the window, from the identity that its webview kept. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = parseSavedState(state)?.saved;
    const key = saved && sessionKey(saved.agentId, saved.sessionId);
    if (saved === undefined || key === undefined || this.#panels.has(key)) {
      panel.dispose();
      return Promise.resolve();
    }
    this.#add(panel, this.#sessionOf(saved));
    return Promise.resolve();
  }

  dispose(): void {
    this.#store.dispose();
    for (const panel of this.#panels.values()) {
      panel.dispose();
    }
  }

  #sessionOf(saved: SavedTranscript): PanelSession {
    const agent = this.#agents.get(saved.agentId);
    return agent === undefined ? orphanSession(saved) : this.#sessions.open(agent, saved);
  }

  #add(panel: vscode.WebviewPanel, session: PanelSession): void {
    const key = sessionKey(session.agent.id, session.info.sessionId);
    const transcript = new TranscriptPanel(panel, session, this.#services);
    this.#panels.set(key, transcript);
    panel.onDidDispose(() => {
      transcript.dispose();
      this.#panels.delete(key);
      void session.close();
    });
    void session.load();
  }
}
