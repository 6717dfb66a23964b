import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../../../model/agents/agent';
import { sessionKey } from '../../../model/list/sessionInfo';
import { savedOf } from '../../../model/session/savedTranscript';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { viewIds } from '../../../platform/ids';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import type { Admission } from './admission';
import type { OpenedSessions } from './openedSessions';
import { orphanSession } from './orphan';
import { TranscriptPanel } from './panel';
import type { PanelServices, PanelSession } from './panelSession';
import type { TranscriptTabs } from './tabs';
import { transcriptUri } from './transcriptUri';

/** How a tab is opened. */
interface Opening {
  readonly where?: 'here' | 'side';
  /** As a preview, which the next one replaces, where VS Code is set so. */
  readonly preview?: boolean;
}

export interface TabServices extends PanelServices {
  readonly sessions: Sessions;
  readonly admission: Admission;
  readonly opened: OpenedSessions;
  readonly tabs: TranscriptTabs;
}

/** What VS Code has open for a URI, from its first tab to its last. */
interface TranscriptDocument extends vscode.CustomDocument {
  readonly session: PanelSession;
}

/** All tabs with transcripts: one for each session. They are VS Code's, as editors of transcripts' URIs. */
export class TranscriptPanels
  implements vscode.Disposable, vscode.CustomReadonlyEditorProvider<TranscriptDocument>
{
  readonly #services: TabServices;
  readonly #store = new DisposableStore();
  readonly #documents = new Set<TranscriptDocument>();
  readonly #panels = new Map<string, TranscriptPanel>();
  readonly #activeChanged = this.#store.add(new Emitter<void>());
  /** Another tab may have the focus. */
  readonly onDidChangeActive = this.#activeChanged.event;
  /** The one that had the focus last, while it is there. */
  #last: TranscriptPanel | undefined;

  constructor(services: TabServices) {
    this.#services = services;
    this.#store.add(vscode.window.registerCustomEditorProvider(viewIds.transcript, this));
    this.#store.add(services.sessions.onDidChange((session) => this.#closeWithSession(session)));
  }

  /** The tab that has the focus. */
  get active(): TranscriptPanel | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active);
  }

  /** The tab that has the focus, or had it last. */
  get recent(): TranscriptPanel | undefined {
    return this.active ?? this.#last ?? [...this.#panels.values()].at(-1);
  }

  /** The session's tab, once it has been shown. */
  find(agentId: string, sessionId: string): TranscriptPanel | undefined {
    return this.#panels.get(sessionKey(agentId, sessionId));
  }

  /** Whether the session has a tab, be it one that isn't there yet. */
  has(agentId: string, sessionId: string): boolean {
    const key = sessionKey(agentId, sessionId);
    return [...this.#documents].some(({ session }) => keyOf(session) === key);
  }

  /**
   * Shows the session's tab: the one that is there, else a new one. The session is open from now on. Rejects with
   * `CancellationError` when the tab is closed at once.
   */
  async open(
    agent: Agent,
    info: SessionRow['info'],
    { where = 'here', preview = false }: Opening = {},
  ): Promise<TranscriptPanel> {
    const existing = this.find(agent.id, info.sessionId);
    if (existing !== undefined && where === 'here') {
      existing.panel.reveal();
      return existing;
    }
    const session = this.#services.sessions.open(agent, info);
    const tab = this.#services.tabs.find(agent.id, info.sessionId);
    const viewColumn =
      where === 'side' ? vscode.ViewColumn.Beside : (tab?.viewColumn ?? vscode.ViewColumn.Active);
    try {
      return await this.#show(savedOf(session), agent, { viewColumn, preview });
    } catch (error) {
      if (!this.#hasDocument(session)) {
        await session.close();
      }
      throw error;
    }
  }

  /** Shows the tab of an open session. */
  show(session: Session): Promise<TranscriptPanel> {
    return this.open(session.agent, session.info);
  }

  /** Shows what was shown before, in a tab of another kind. */
  async bringBack(saved: SavedTranscript, options: vscode.TextDocumentShowOptions): Promise<void> {
    if (this.find(saved.agentId, saved.sessionId) === undefined) {
      await this.#show(saved, undefined, options);
    }
  }

  /** Resolves when the session has no tab any more. */
  async close(agentId: string, sessionId: string): Promise<void> {
    await this.#services.tabs.close(agentId, sessionId);
    this.find(agentId, sessionId)?.panel.dispose();
  }

  openCustomDocument(uri: vscode.Uri): TranscriptDocument {
    const session = this.#sessionOf(uri);
    const document = { uri, session, dispose: () => this.#closed(document) };
    this.#documents.add(document);
    this.#services.tabless.tabOpened(session);
    // Its tab comes one round trip later: so long the agent is at work already.
    void session.load();
    return document;
  }

  resolveCustomEditor({ uri, session }: TranscriptDocument, panel: vscode.WebviewPanel): void {
    const existing = this.#panels.get(keyOf(session));
    if (existing === undefined) {
      this.#add(panel, uri, session);
    } else {
      // By another URI, from when it had another title.
      panel.dispose();
      existing.panel.reveal();
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const panel of this.#panels.values()) {
      panel.dispose();
    }
  }

  async #show(
    saved: SavedTranscript,
    agent: Agent | undefined,
    options: vscode.TextDocumentShowOptions,
  ): Promise<TranscriptPanel> {
    const { agentId, sessionId } = saved;
    const { opened, tabs } = this.#services;
    opened.add(saved);
    const uri = tabs.find(agentId, sessionId)?.uri ?? transcriptUri(saved, agent);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewIds.transcript, options);
    const panel = this.find(agentId, sessionId);
    if (panel === undefined) {
      // It was closed before it was there; where it couldn't be shown, VS Code has said so in its place.
      throw new vscode.CancellationError();
    }
    return panel;
  }

  #sessionOf(uri: vscode.Uri): PanelSession {
    const { admission, sessions, opened } = this.#services;
    const admitted = admission.admit(uri);
    if (admitted.kind === 'none') {
      return orphanSession(admitted.saved, admitted.failure, () => this.#openAgain(uri));
    }
    const session = sessions.open(admitted.agent, admitted.info);
    opened.add(savedOf(session));
    return session;
  }

  /** Once more what led to no session: by now it may be listed. */
  async #openAgain(uri: vscode.Uri): Promise<void> {
    const admitted = this.#services.admission.admit(uri);
    if (admitted.kind === 'session') {
      const { agent, info } = admitted;
      await this.close(agent.id, info.sessionId);
      await this.open(agent, info);
    }
  }

  #add(panel: vscode.WebviewPanel, uri: vscode.Uri, session: PanelSession): void {
    const key = keyOf(session);
    const transcript = new TranscriptPanel(panel, session, this.#services, () => {
      void vscode.commands.executeCommand('workbench.action.keepEditor', uri);
    });
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
      this.#activeChanged.fire();
    });
    this.#activeChanged.fire();
  }

  /** Its last tab is gone. */
  #closed(document: TranscriptDocument): void {
    this.#documents.delete(document);
    if (!this.#hasDocument(document.session)) {
      this.#closeSession(document.session);
    }
  }

  #hasDocument(session: PanelSession): boolean {
    return [...this.#documents].some((document) => document.session === session);
  }

  /** A session that was closed, to be deleted for example, has no tab any more; what a tab is called is kept. */
  #closeWithSession(session: Session): void {
    const { agent, info } = session;
    const transcript = this.find(agent.id, info.sessionId);
    if (transcript?.session !== session) {
      return;
    }
    if (this.#services.sessions.find(agent.id, info.sessionId) === session) {
      this.#services.opened.add(savedOf(session));
    } else {
      transcript.panel.dispose();
    }
  }

  /** What goes on outlives its tab; the session knows nothing of that. */
  #closeSession(session: PanelSession): void {
    this.#services.tabless.tabClosed(session);
  }
}

function keyOf({ agent, info }: PanelSession): string {
  return sessionKey(agent.id, info.sessionId);
}
