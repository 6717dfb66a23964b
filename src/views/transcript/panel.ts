import * as vscode from 'vscode';
import type { Log } from '../../model/ports';
import type { Session } from '../../model/session';
import { commandIds } from '../../platform/ids';
import { openFile, openLink, type PathContext } from '../../platform/openers';
import type { ReadOnlyDocuments } from '../../platform/readOnlyDocuments';
import type { FailureAction } from '../../shared/failure';
import type { FromWebview, Header, SavedTranscript, ToWebview } from '../../shared/messages';
import { parseFromWebview } from '../../shared/validators';
import { DisposableStore } from '../../util/disposable';
import { drawEntry } from './draw';
import { TranscriptFeed } from './feed';
import { findEntries, seekEntry } from './find';
import { transcriptHtml } from './html';
import { openDiff, openText, textOf } from './openParts';

/** What a tab needs of a session; also stands for one whose agent is gone. */
export type PanelSession = Pick<
  Session,
  | 'info'
  | 'title'
  | 'phase'
  | 'transcript'
  | 'onDidChange'
  | 'load'
  | 'cancelLoad'
  | 'reload'
  | 'close'
> & { readonly agent: { readonly id: string; readonly title: string } };

export interface PanelServices {
  readonly extensionUri: vscode.Uri;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
}

type WebviewCommand = Extract<ToWebview, { type: 'command' }>['command'];
type Intent<Type extends FromWebview['type']> = Extract<FromWebview, { type: Type }>;

/** One session in an editor tab. The webview may come and go; the session is the truth. */
export class TranscriptPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly session: PanelSession;
  readonly #services: PanelServices;
  readonly #store = new DisposableStore();
  readonly #feed: TranscriptFeed;
  #find = new AbortController();
  #icon: string | undefined;

  constructor(panel: vscode.WebviewPanel, session: PanelSession, services: PanelServices) {
    this.panel = panel;
    this.session = session;
    this.#services = services;
    this.#feed = this.#store.add(
      new TranscriptFeed(sourceOf(session), (message) => panel.webview.postMessage(message)),
    );
    this.#store.add(session.transcript.onDidChange((change) => this.#feed.note(change)));
    this.#store.add(session.onDidChange(() => this.#showState()));
    this.#store.add(panel.webview.onDidReceiveMessage((message) => this.#receive(message)));
    this.#store.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) {
          this.#feed.stop();
        }
      }),
    );
    this.#showState();
    const { extensionUri } = services;
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    };
    panel.webview.html = this.#html();
  }

  /** Hands a command from the palette or a key to the webview. */
  send(command: WebviewCommand): void {
    void this.panel.webview.postMessage({ type: 'command', command } satisfies ToWebview);
  }

  dispose(): void {
    this.#find.abort();
    this.#store.dispose();
  }

  #showState(): void {
    const { title, phase } = this.session;
    if (this.panel.title !== title) {
      this.panel.title = title;
    }
    const icon =
      phase.kind === 'failed' ? 'failed' : phase.kind === 'loading' ? 'loading' : 'session';
    if (this.#icon !== icon) {
      this.#icon = icon;
      const file = (theme: string): vscode.Uri =>
        vscode.Uri.joinPath(this.#services.extensionUri, 'media', 'tab', `${icon}-${theme}.svg`);
      this.panel.iconPath = { light: file('light'), dark: file('dark') };
    }
    this.#feed.update();
  }

  #html(): string {
    const { webview } = this.panel;
    const uri = (...parts: string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#services.extensionUri, ...parts)).toString();
    return transcriptHtml(
      {
        cspSource: webview.cspSource,
        script: uri('dist', 'webview', 'transcript.js'),
        imports: [uri('dist', 'webview', 'chunks', 'chunk.js')],
        styles: [uri('dist', 'webview', 'transcript.css')],
      },
      savedOf(this.session),
    );
  }

  #receive(value: unknown): void {
    const message = parseFromWebview(value);
    if (message === undefined) {
      this.#services.log.warn('A message of the webview was not understood');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      this.#services.log.error(`${message.type}: ${String(error)}`);
      void vscode.window.showErrorMessage('This could not be opened. The log has the details.');
    });
  }

  async #handle(message: FromWebview): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#feed.start();
        return;
      case 'resync':
        this.#feed.snapshot();
        return;
      case 'window':
        this.#feed.want(message);
        return;
      case 'openLink':
        return openLink(message.href, this.#paths);
      case 'openLocation':
        return this.#openLocation(message);
      case 'openDiff':
        return this.#openDiff(message);
      case 'openText':
        return this.#openText(message);
      case 'cancelLoad':
        this.session.cancelLoad();
        return;
      case 'action':
        return this.#act(message.action);
      case 'find':
        return this.#findText(message);
      case 'seek':
        this.#seek(message);
    }
  }

  async #openLocation({ index, location }: Intent<'openLocation'>): Promise<void> {
    const entry = this.session.transcript.entries[index];
    const target = entry?.kind === 'toolCall' ? entry.locations[location] : undefined;
    if (target !== undefined) {
      await openFile(target.path, target.line, this.#paths);
    }
  }

  async #openDiff({ index, content }: Intent<'openDiff'>): Promise<void> {
    const entry = this.session.transcript.entries[index];
    const diff = entry?.kind === 'toolCall' ? entry.content[content] : undefined;
    if (diff?.type === 'diff') {
      await openDiff(this.#services.documents, diff, this.#paths);
    }
  }

  async #openText({ index, part, item }: Intent<'openText'>): Promise<void> {
    const entry = this.session.transcript.entries[index];
    const text = entry && textOf(entry, part, item);
    if (text !== undefined) {
      await openText(this.#services.documents, text);
    }
  }

  async #act(action: FailureAction): Promise<void> {
    switch (action) {
      case 'retry':
        return this.session.reload();
      case 'showLog':
        await vscode.commands.executeCommand(commandIds.showAgentLog);
        return;
      case 'editAgents':
        await vscode.commands.executeCommand(commandIds.editAgents);
        return;
      case 'manageTrust':
        await vscode.commands.executeCommand('workbench.trust.manage');
    }
  }

  async #findText({ query, text, matchCase }: Intent<'find'>): Promise<void> {
    this.#find.abort();
    this.#find = new AbortController();
    const { entries } = this.session.transcript;
    const found = await findEntries(entries, text, matchCase, this.#find.signal);
    if (found !== undefined) {
      await this.panel.webview.postMessage({ type: 'found', query, ...found } satisfies ToWebview);
    }
  }

  #seek({ target, direction, from }: Intent<'seek'>): void {
    const index = seekEntry(this.session.transcript.entries, target, direction, from);
    if (index !== undefined) {
      void this.panel.webview.postMessage({ type: 'reveal', index } satisfies ToWebview);
    }
  }

  get #paths(): PathContext {
    const { cwd, additionalDirectories } = this.session.info;
    return { cwd, roots: [cwd, ...additionalDirectories] };
  }
}

function sourceOf(session: PanelSession): ConstructorParameters<typeof TranscriptFeed>[0] {
  return {
    get header(): Header {
      const { title, agent, info } = session;
      return { title, agentTitle: agent.title, cwd: info.cwd };
    },
    get phase() {
      return session.phase;
    },
    get entries() {
      return session.transcript.entries;
    },
    draw: (entry) => drawEntry(entry, session.info.cwd),
  };
}

/** What brings the tab back after a reload. */
function savedOf({ agent, info, title }: PanelSession): SavedTranscript {
  return {
    agentId: agent.id,
    sessionId: info.sessionId,
    cwd: info.cwd,
    additionalDirectories: info.additionalDirectories,
    title,
  };
}
