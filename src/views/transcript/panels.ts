import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../../model/agent';
import type { Agents } from '../../model/agents';
import type { Session } from '../../model/session';
import { sessionKey } from '../../model/sessionInfo';
import type { Sessions } from '../../model/sessions';
import { viewIds } from '../../platform/ids';
import type { SavedTranscript } from '../../shared/messages';
import { parseSavedState } from '../../shared/validators';
import { DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { orphanSession } from './orphan';
import { TranscriptPanel } from './panel';
import type { PanelServices, PanelSession } from './panelSession';

/** All tabs with transcripts: one for each session. */
export class TranscriptPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #agents: Agents;
  readonly #sessions: Sessions;
  readonly #services: PanelServices;
  readonly #store = new DisposableStore();
  readonly #panels = new Map<string, TranscriptPanel>();
  readonly #activeChanged = this.#store.add(new Emitter<void>());
  /** Another tab may have the focus. */
  readonly onDidChangeActive = this.#activeChanged.event;
  /** The one that had the focus last, while it is there. */
  #last: TranscriptPanel | undefined;

  constructor(agents: Agents, sessions: Sessions, services: PanelServices) {
    this.#agents = agents;
    this.#sessions = sessions;
    this.#services = services;
    this.#store.add(vscode.window.registerWebviewPanelSerializer(viewIds.transcript, this));
    this.#store.add(sessions.onDidChange((session) => this.#closeWithSession(session)));
  }

  /** The tab that has the focus. */
  get active(): TranscriptPanel | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active);
  }

  /** The tab that has the focus, or had it last. */
  get recent(): TranscriptPanel | undefined {
    return this.active ?? this.#last ?? [...this.#panels.values()].at(-1);
  }

  find(agentId: string, sessionId: string): TranscriptPanel | undefined {
    return this.#panels.get(sessionKey(agentId, sessionId));
  }

  /** Shows the session's tab: the one that is there, else a new one. */
  open(agent: Agent, info: SessionRow['info'], where: 'here' | 'side'): TranscriptPanel {
    const existing = this.find(agent.id, info.sessionId);
    if (existing !== undefined) {
      existing.panel.reveal(where === 'side' ? vscode.ViewColumn.Beside : undefined);
      return existing;
    }
    const session = this.#sessions.open(agent, info);
    const panel = vscode.window.createWebviewPanel(
      viewIds.transcript,
      session.title,
      where === 'side' ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    );
    return this.#add(panel, session);
  }

  /** Shows the tab of an open session. */
  show(session: Session): TranscriptPanel {
    return this.open(session.agent, session.info, 'here');
  }

  /** Brings a tab back after a reload of the window, from the identity that its webview kept. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = parseSavedState(state)?.saved;
    if (saved === undefined || this.find(saved.agentId, saved.sessionId) !== undefined) {
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

  #add(panel: vscode.WebviewPanel, session: PanelSession): TranscriptPanel {
    const key = sessionKey(session.agent.id, session.info.sessionId);
    const transcript = new TranscriptPanel(panel, session, this.#services);
    this.#panels.set(key, transcript);
    this.#last = transcript;
    panel.onDidChangeViewState(() => {
      if (panel.active) {
        this.#last = transcript;
      }
      this.#activeChanged.fire();
    });
    panel.onDidDispose(() => {
      transcript.dispose();
      this.#panels.delete(key);
      if (this.#last === transcript) {
        this.#last = undefined;
      }
      this.#closeSession(session);
    });
    this.#services.tabless.tabOpened(session);
    void session.load();
    return transcript;
  }

  /** A session that was closed, to be deleted for example, has no tab any more. */
  #closeWithSession(session: Session): void {
    const { agent, info } = session;
    const transcript = this.find(agent.id, info.sessionId);
    const isOpen = this.#sessions.find(agent.id, info.sessionId) === session;
    if (transcript?.session === session && !isOpen) {
      transcript.panel.dispose();
    }
  }

  /** What goes on outlives its tab; the session knows nothing of that. */
  #closeSession(session: PanelSession): void {
    this.#services.tabless.tabClosed(session);
  }
}
