import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../../../model/agent';
import type { KeptWork } from '../../../model/kept/keptWork';
import type { KnownTranscripts } from '../../../model/kept/knownTranscripts';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { viewIds } from '../../../platform/ids';
import type { Draft } from '../../../shared/transcript/prompt';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import type { TranscriptTabs } from '../../tabs/tabs';
import { newPageUri, readNewPageUri, transcriptUri } from '../../tabs/transcriptUri';
import type { Admission } from './admission';
import type { FirstPlace, NewPage } from './newPage';
import type { NewPages } from './newPages';
import type { OpenedSessions } from './openedSessions';
import { orphanSession } from './orphan';
import { TranscriptPanel } from './panel';
import type { PanelServices, PanelSession } from './panelSession';

/** How a tab is opened. */
interface Opening {
  readonly where?: 'here' | 'side';
  /** Whether it is a preview, which the next preview replaces, if VS Code's settings allow previews. */
  readonly preview?: boolean;
}

export interface TabServices extends PanelServices {
  readonly sessions: Sessions;
  readonly admission: Admission;
  readonly opened: OpenedSessions;
  readonly knownTranscripts: Pick<KnownTranscripts, 'recall'>;
  readonly newPages: NewPages;
  readonly work: Pick<KeptWork, 'read' | 'isRead' | 'getDraft' | 'setDraft' | 'move'>;
  readonly tabs: TranscriptTabs;
}

/** VS Code's document for a URI, which exists from its first tab to its last. */
interface TranscriptDocument extends vscode.CustomDocument {
  readonly session: PanelSession;
}

/** All transcript tabs, one for each session: custom editors of VS Code for transcript URIs. */
export class TranscriptPanels
  implements vscode.Disposable, vscode.CustomReadonlyEditorProvider<TranscriptDocument>
{
  readonly #services: TabServices;
  readonly #store = new DisposableStore();
  readonly #documents = new Set<TranscriptDocument>();
  readonly #panels = new Set<TranscriptPanel>();
  readonly #activeChanged = this.#store.add(new Emitter<void>());
  /** Another tab may have become active. */
  readonly onDidChangeActive = this.#activeChanged.event;
  /** The tab that was active last, until it is closed. */
  #last: TranscriptPanel | undefined;

  constructor(services: TabServices) {
    this.#services = services;
    this.#store.add(vscode.window.registerCustomEditorProvider(viewIds.transcript, this));
    this.#store.add(services.sessions.onDidChange((session) => this.#closeWithSession(session)));
  }

  /** The active tab. */
  get active(): TranscriptPanel | undefined {
    return [...this.#panels].find(({ panel }) => panel.active);
  }

  /** The active tab, otherwise the last active one, otherwise the newest. */
  get recent(): TranscriptPanel | undefined {
    return this.active ?? this.#last ?? [...this.#panels].at(-1);
  }

  /** The session's tab, once it has been shown. */
  find(agentId: string, sessionId: string): TranscriptPanel | undefined {
    const key = sessionKey(agentId, sessionId);
    return [...this.#panels].find(({ session }) => getKey(session) === key);
  }

  /** Whether the session has a tab, including one that isn't ready yet. */
  has(agentId: string, sessionId: string): boolean {
    const key = sessionKey(agentId, sessionId);
    return [...this.#documents].some(({ session }) => getKey(session) === key);
  }

  /**
   * Shows the session's tab, or a new one, and opens the session. Rejects with `CancellationError` if the tab is
   * closed before it is ready.
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
      return await this.#show(toSavedTranscript(session), agent, { viewColumn, preview });
    } catch (error) {
      if (!this.#hasDocument(session)) {
        await session.close();
      }
      throw error;
    }
  }

  /**
   * Shows the page of a session that begins with its first prompt, and puts a draft into its composer. Rejects with
   * `CancellationError` if its tab is closed before it is ready.
   */
  async openNew(place: FirstPlace, draft?: Draft): Promise<TranscriptPanel> {
    const { newPages, work } = this.#services;
    const { id, session } = newPages.create(place);
    if (draft !== undefined) {
      await work.read();
      work.setDraft(toSavedTranscript(session), draft);
    }
    const uri = newPageUri(id, session.title);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewIds.transcript, {
      preview: false,
    });
    const panel = this.find(session.agent.id, id);
    if (panel === undefined) {
      await session.close();
      throw new vscode.CancellationError();
    }
    panel.focusComposer();
    return panel;
  }

  /** Shows the tab of an open session. */
  show(session: Session): Promise<TranscriptPanel> {
    return this.open(session.agent, session.info);
  }

  /** Shows a session that was open in a tab of another kind. */
  async bringBack(saved: SavedTranscript, options: vscode.TextDocumentShowOptions): Promise<void> {
    if (this.find(saved.agentId, saved.sessionId) === undefined) {
      await this.#show(saved, undefined, options);
    }
  }

  /** Shows a session in the place of the tab of another one, which is closed; by default with the focus in its composer. */
  async replace(old: PanelSession, session: Session, focuses = true): Promise<void> {
    const { agent, info } = old;
    const panel = this.find(agent.id, info.sessionId)?.panel;
    const { viewColumn = vscode.ViewColumn.Active, active = false } = panel ?? {};
    await this.bringBack(toSavedTranscript(session), {
      viewColumn,
      preserveFocus: !active,
      preview: false,
    });
    await this.close(agent.id, info.sessionId);
    if (active && focuses) {
      this.find(session.agent.id, session.info.sessionId)?.focusComposer();
    }
  }

  /** Resolves when the session no longer has a tab. */
  async close(agentId: string, sessionId: string): Promise<void> {
    await this.#services.tabs.close(agentId, sessionId);
    this.find(agentId, sessionId)?.panel.dispose();
  }

  openCustomDocument(uri: vscode.Uri): TranscriptDocument {
    const session = this.#getSession(uri);
    const document = { uri, session, dispose: () => this.#closed(document) };
    this.#documents.add(document);
    this.#services.tabless.tabOpened(session);
    // The tab follows one round trip later; the agent can start working now.
    void session.load();
    return document;
  }

  resolveCustomEditor({ uri, session }: TranscriptDocument, panel: vscode.WebviewPanel): void {
    const existing = this.find(session.agent.id, session.info.sessionId);
    if (existing === undefined) {
      this.#add(panel, uri, session);
      this.#recall(session);
    } else {
      // Opened by another URI, made when the session had another title.
      panel.dispose();
      existing.panel.reveal();
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const panel of this.#panels) {
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
    const title = this.#services.marks.get(agentId, sessionId).alias ?? saved.title;
    const uri = tabs.find(agentId, sessionId)?.uri ?? transcriptUri({ ...saved, title }, agent);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewIds.transcript, options);
    const panel = this.find(agentId, sessionId);
    if (panel === undefined) {
      // The tab was closed before it was ready; if it couldn't be shown, VS Code shows an error in
      // its place.
      throw new vscode.CancellationError();
    }
    return panel;
  }

  #getSession(uri: vscode.Uri): PanelSession {
    const { admission, sessions, opened, newPages } = this.#services;
    const page = newPages.open(readNewPageUri(uri) ?? '');
    if (page !== undefined) {
      page.shows = (session, isPrompted) => this.#begun(page, session, isPrompted);
      return page.session;
    }
    const admitted = admission.admit(uri);
    if (admitted.kind === 'none') {
      return orphanSession(admitted.saved, admitted.failure, () => this.#openAgain(uri));
    }
    const session = sessions.open(admitted.agent, admitted.info);
    opened.add(toSavedTranscript(session));
    return session;
  }

  /** Tries a URI that led to no session again: it may be listed by now. */
  async #openAgain(uri: vscode.Uri): Promise<void> {
    const admitted = this.#services.admission.admit(uri);
    if (admitted.kind === 'session') {
      const { agent, info } = admitted;
      await this.close(agent.id, info.sessionId);
      await this.open(agent, info);
    }
  }

  /** Shows a session in the place of the page that it has begun in, with what was written there meanwhile. */
  async #begun(page: NewPage, session: Session, isPrompted: boolean): Promise<void> {
    const { newPages, work, log } = this.#services;
    newPages.begun(page);
    work.move(toSavedTranscript(page.session), toSavedTranscript(session));
    try {
      // Otherwise, an editor gets the focus.
      await this.replace(page.session, session, isPrompted);
    } catch (error) {
      log.warn(`${session.agent.id}: a session has begun without a tab: ${getStack(error)}`);
    }
  }

  #add(panel: vscode.WebviewPanel, uri: vscode.Uri, session: PanelSession): void {
    const transcript = new TranscriptPanel(panel, session, this.#services, () => {
      void vscode.commands.executeCommand('workbench.action.keepEditor', uri);
    });
    this.#panels.add(transcript);
    this.#last = transcript;
    panel.onDidChangeViewState(() => {
      if (panel.active) {
        this.#last = transcript;
      }
      this.#activeChanged.fire();
    });
    panel.onDidDispose(() => {
      transcript.dispose();
      this.#panels.delete(transcript);
      if (this.#last === transcript) {
        this.#last = undefined;
      }
      this.#activeChanged.fire();
    });
    this.#activeChanged.fire();
  }

  /** Recalls the transcript while the page starts, which takes longer. */
  #recall({ agent, info }: PanelSession): void {
    const { sessions, knownTranscripts } = this.#services;
    const open = sessions.find(agent.id, info.sessionId);
    if (open !== undefined) {
      void knownTranscripts.recall(open);
    }
  }

  /** The document's last tab is closed. */
  #closed(document: TranscriptDocument): void {
    this.#documents.delete(document);
    if (!this.#hasDocument(document.session)) {
      this.#closeSession(document.session);
    }
  }

  #hasDocument(session: PanelSession): boolean {
    return [...this.#documents].some((document) => document.session === session);
  }

  /**
   * Closes the tab of a session that was closed, to delete it for example; otherwise keeps its
   * current title.
   */
  #closeWithSession(session: Session): void {
    const { agent, info } = session;
    const transcript = this.find(agent.id, info.sessionId);
    if (transcript?.session !== session) {
      return;
    }
    if (this.#services.sessions.find(agent.id, info.sessionId) === session) {
      this.#services.opened.add(toSavedTranscript(session));
    } else {
      transcript.panel.dispose();
    }
  }

  /** `tabless` decides whether the session continues without its tab; the session itself isn't involved. */
  #closeSession(session: PanelSession): void {
    this.#services.tabless.tabClosed(session);
  }
}

function getKey({ agent, info }: PanelSession): string {
  return sessionKey(agent.id, info.sessionId);
}
