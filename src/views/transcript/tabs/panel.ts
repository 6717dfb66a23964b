import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionName } from '../../../model/agents/whose';
import type { KnownReview } from '../../../model/changes/reviews';
import { isRootLike } from '../../../model/files/paths';
import { toSavedTranscript } from '../../../model/kept/savedTranscript';
import type { PathContext } from '../../../platform/openers';
import { showErrorMessage } from '../../../platform/ui/messages';
import type { PlanItem } from '../../../shared/transcript/content';
import type { TranscriptChange } from '../../../shared/transcript/entries';
import type { Direction, Landmark } from '../../../shared/transcript/outline';
import type { Attachment, Draft } from '../../../shared/transcript/prompt';
import { isQuestion } from '../../../shared/transcript/questions';
import type { FoldKind } from '../../../shared/transcript/savedFolds';
import { parseFromWebview } from '../../../shared/transcript/validators';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import { DisposableStore } from '../../../util/disposable';
import { getStack } from '../../../util/getStack';
import { getStanding, type Standing } from '../../attention/standing';
import { postDraft } from '../composer/drafts';
import { OfferedFiles } from '../composer/offeredFiles';
import { TranscriptFeed } from '../feed/feed';
import { IntentGate } from '../feed/intentGate';
import { NoticeFeed } from '../feed/noticeFeed';
import { type Outline, OutlineFeed } from '../feed/outlineFeed';
import { offersMore } from '../feed/sessionState';
import { TranscriptSearch } from '../find/transcriptSearch';
import { ChangedFiles } from '../text/changedFiles';
import { TurnReviews } from '../text/turnReviews';
import { transcriptHtml } from './html';
import { handleIntent, type IntentTarget } from './intents';
import { getSource } from './pageSource';
import type { PanelServices, PanelSession } from './panelSession';
import { shownName } from './sessionNames';

/** Maximum number of refused messages that are logged. */
const maxFaults = 10;

/** Maximum number of messages waiting for a webview; each of them results from a user action. */
const maxWaitingMessages = 100;

type WebviewCommand = Extract<ToWebview, { type: 'command' }>['command'];

const icons: Readonly<Record<Standing, string>> = {
  idle: 'session',
  loading: 'loading',
  open: 'session',
  running: 'running',
  needsYou: 'needsYou',
  asksElsewhere: 'running',
  unread: 'unread',
  failed: 'failed',
};

/** A session in an editor tab. The webview may come and go; the session is the source of truth. */
export class TranscriptPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly session: PanelSession;
  readonly #services: PanelServices;
  readonly #store = new DisposableStore();
  readonly #feed: TranscriptFeed;
  readonly #outline: OutlineFeed;
  readonly #changedFiles: ChangedFiles;
  readonly #reviews: TurnReviews;
  readonly #target: IntentTarget;
  /** Messages for a webview that isn't ready yet. */
  #outbox: ToWebview[] = [];
  readonly #search: TranscriptSearch;
  readonly #notices: NoticeFeed;
  readonly #gate = new IntentGate((intent) => this.#handle(intent));
  #refused = 0;
  #saidMore = false;
  #checklist: readonly PlanItem[] | undefined;
  /** The number of requests that waited at the last event. */
  #waiting = 0;
  readonly #offered = new OfferedFiles();
  #icon: string | undefined;
  readonly #keepTab: () => void;
  #isKept = false;

  /** `keepTab` turns a preview into a permanent tab. */
  constructor(
    panel: vscode.WebviewPanel,
    session: PanelSession,
    services: PanelServices,
    keepTab: () => void,
  ) {
    this.#keepTab = keepTab;
    this.panel = panel;
    this.session = session;
    this.#services = services;
    const paths = getPaths(session);
    const outline = (): Outline => this.outline;
    this.#reviews = this.#store.add(new TurnReviews(session, outline, services.reviews, paths));
    this.#changedFiles = this.#store.add(new ChangedFiles(() => this.#reviews.unreviewed, paths));
    this.#feed = this.#store.add(
      new TranscriptFeed(
        getSource(session, this.#changedFiles, this.#reviews, outline, services),
        (message) => panel.webview.postMessage(message),
      ),
    );
    this.#search = this.#store.add(
      new TranscriptSearch(
        () => session.shown.entries,
        (message) => this.#post(message),
      ),
    );
    this.#outline = this.#store.add(
      new OutlineFeed(
        () => session.shown.entries,
        (message) => panel.webview.postMessage(message),
      ),
    );
    this.#notices = this.#store.add(
      new NoticeFeed(session.agent, (message) => panel.webview.postMessage(message)),
    );
    this.#target = {
      session,
      services,
      feed: this.#feed,
      outline: this.#outline,
      reviews: this.#reviews,
      paths,
      post: (message) => this.#post(message),
      search: this.#search,
      offered: this.#offered,
      webview: panel.webview,
      keep: () => this.#keep(),
      tonePage: this.#store.add(
        services.tonePages.add(this.#feed, (message) => this.#post(message)),
      ),
    };
    const { extensionUri } = services;
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    };
    panel.webview.html = this.#html();
    this.#listen();
    this.#showState();
  }

  /** Passes a command from the palette or a keybinding to the webview. */
  send(command: WebviewCommand): void {
    this.#post({ type: 'command', command });
  }

  get paths(): PathContext {
    return this.#target.paths;
  }

  get outline(): Outline {
    return this.#outline.outline;
  }

  /** The record from which the files can be restored to what they were before this prompt, and from which turn on. */
  recordBefore(index: number): { readonly review: KnownReview; readonly turn: number } | undefined {
    const { review } = this.#reviews;
    const turn = this.#reviews.firstTurnFrom(index);
    return review === undefined || turn === undefined ? undefined : { review, turn };
  }

  /** Restores the files to what they were before the turn that an entry belongs to. */
  async restoreBefore(index: number): Promise<void> {
    const turn = this.outline.findTurn(index);
    if (turn !== undefined) {
      await handleIntent(this.#target, { type: 'restoreBefore', index: turn.index });
    }
  }

  /** Goes to the next or previous turn, tool call, diff or error. */
  go(target: Landmark, direction: Direction): void {
    this.#post({ type: 'go', target, direction });
  }

  /** Expands or collapses all foldable parts of a kind. */
  fold(kind: FoldKind | 'all', open: boolean): void {
    this.#post({ type: 'fold', kind, open });
  }

  /** Copies entries, their turn or a piece of code; without an index, the one being read or focused. */
  async copy(what: 'entry' | 'turn' | 'code', index?: number, last = index): Promise<void> {
    if (what === 'code' || index === undefined || last === undefined) {
      this.#post({ type: 'copy', what });
    } else {
      await handleIntent(this.#target, { type: 'copy', what, index, last });
    }
  }

  /** Scrolls to an entry while the user is choosing one; without an index, back to the initial position. */
  preview(index?: number): void {
    this.#post({ type: 'preview', ...(index !== undefined && { index }) });
  }

  /** Shows the tab, scrolls to an entry, focuses it and highlights words in it. */
  reveal(index: number, words?: readonly string[]): void {
    this.panel.reveal();
    // The entry may have been added just now.
    this.#feed.snapshot();
    this.#post({ type: 'reveal', index, ...(words !== undefined && { words }) });
  }

  /** Adds attachments to the draft and focuses the composer. */
  attach(attachments: readonly Attachment[]): void {
    this.#post({ type: 'attach', attachments });
    this.focusComposer();
  }

  /** Puts a prompt into the composer, before what is written there. */
  edit(draft: Draft): void {
    this.#post({ type: 'edit', draft });
    this.focusComposer();
  }

  /** Shows the tab with the cursor in the composer. */
  focusComposer(): void {
    this.panel.reveal();
    this.send('focusComposer');
  }

  dispose(): void {
    this.#services.attention.setVisible(this.session, false);
    this.#store.dispose();
  }

  #listen(): void {
    const { panel, session } = this;
    const { attention, names } = this.#services;
    // Disposed in reverse order: the tab that is closed isn't renamed by that.
    this.#store.add({ dispose: () => names.delete(session) });
    this.#store.add(names.onDidChange(() => this.#showName()));
    this.#store.add(session.shown.onDidChange((change) => this.#note(change)));
    this.#store.add(
      session.shown.onDidChangeNested((nested) => {
        this.#feed.noteNested(nested);
        this.#search.note({ type: 'updated', index: nested.row });
      }),
    );
    this.#store.add(
      session.onDidChange(() => {
        this.#gatherChanges();
        this.#showState();
      }),
    );
    this.#store.add(
      session.onDidChangeState(() => {
        this.#showState();
        if (session.turns.current.kind !== 'idle') {
          this.#keep();
        }
      }),
    );
    this.#store.add(session.changes.onDidChange(() => this.#gatherChanges()));
    this.#store.add(this.#changedFiles.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#reviews.onDidChange(() => this.#gatherChanges()));
    this.#store.add(this.#reviews.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#services.marks.onDidChange(() => this.#showState()));
    this.#store.add(this.#services.headerFacts.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#services.branches.onDidProvide(() => this.#feed.noteState()));
    this.#store.add(this.#services.worktrees.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#services.savedPrompts.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#services.lastEditor.onDidChange(() => this.#feed.noteState()));
    this.#store.add(this.#services.sendKey.onDidChange(() => this.#feed.noteState()));
    if (session.first !== undefined) {
      this.#store.add(session.first.onDidReturn((draft) => this.edit(draft)));
    }
    this.#store.add(session.onNotice((notice) => this.#notices.add(notice)));
    for (const notice of session.takeNoticesBefore()) {
      this.#notices.add(notice);
    }
    this.#store.add(
      attention.onDidChange((changed) => {
        if (changed === session) {
          this.#showIcon();
        }
      }),
    );
    this.#store.add(panel.webview.onDidReceiveMessage((message) => this.#receive(message)));
    this.#store.add(panel.onDidChangeViewState(() => this.#showVisibility()));
    this.#showVisibility();
  }

  /** Makes a preview permanent once the user works in it, like that of a file that is edited. */
  #keep(): void {
    if (!this.#isKept) {
      this.#isKept = true;
      this.#keepTab();
    }
  }

  #note(change: TranscriptChange): void {
    this.#outline.note(change);
    this.#feed.note(change);
    this.#search.note(change);
    const { checklist } = this.session.shown;
    const isNew = checklist !== this.#checklist;
    this.#checklist = checklist;
    // Another transcript is shown, see `shown`.
    if (this.#reviews.note(change) || isNew || change.type === 'reset') {
      this.#feed.noteState();
    }
    if (change.type === 'appended' && this.session.shown.isCached) {
      // It was read while the page starts.
      this.#sendAhead();
    }
  }

  /** Gathers changes, but not during a replay, when they would be gathered again and again. */
  #gatherChanges(): void {
    if (this.session.phase.kind !== 'loading') {
      this.#changedFiles.refreshSoon();
    }
  }

  #showVisibility(): void {
    const { visible } = this.panel;
    this.#services.attention.setVisible(this.session, visible);
    if (visible) {
      this.#changedFiles.lookAgain();
      this.#reviews.lookAgain();
      this.#sendAhead();
    } else {
      this.#feed.stop();
      this.#search.stop();
      this.#outline.stop();
      this.#notices.stop();
    }
  }

  #showState(): void {
    this.#services.names.set(this.session, shownName(this.session, this.#services.marks));
    this.#showName();
    this.#showIcon();
    const waiting = this.session.requests.waiting.length;
    if (waiting > this.#waiting) {
      this.#feed.noteRequest();
    } else {
      this.#feed.noteState();
    }
    this.#waiting = waiting;
    this.#sendAhead();
    this.#sayMore();
  }

  #showName(): void {
    const name = this.#services.names.shown(this.session);
    if (this.panel.title !== name) {
      this.panel.title = name;
    }
  }

  /** Says once that the agent's commands, options and modes are cut to what a page can hold. */
  #sayMore(): void {
    if (!this.#saidMore && offersMore(this.session)) {
      this.#saidMore = true;
      const agent = this.session.agent.title;
      this.#notices.add({
        severity: 'warning',
        title: l10n.t('{0} offers more commands, options or modes than can be shown', agent),
      });
    }
  }

  /** Sends what the page needs before it asks, if the session is ready first: that saves a round trip. */
  #sendAhead(): void {
    const { phase, shown } = this.session;
    const isReady = (phase.kind !== 'loading' || shown.isCached) && this.#services.work.isRead;
    if (this.panel.visible && isReady && !this.#feed.isLive) {
      this.#feed.sendAhead();
      postDraft(this.#target);
    }
  }

  #showIcon(): void {
    const isUnread = this.#services.attention.isUnread(this.session);
    const icon = icons[getStanding(this.session, isUnread)];
    if (this.#icon !== icon) {
      this.#icon = icon;
      const file = (theme: string): vscode.Uri =>
        vscode.Uri.joinPath(this.#services.extensionUri, 'media', 'tab', `${icon}-${theme}.svg`);
      this.panel.iconPath = { light: file('light'), dark: file('dark') };
    }
  }

  #html(): string {
    const { webview } = this.panel;
    const uri = (...parts: string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#services.extensionUri, ...parts)).toString();
    return transcriptHtml(
      {
        cspSource: webview.cspSource,
        script: uri('dist', 'webview', 'transcript.js'),
        styles: [uri('dist', 'webview', 'transcript.css')],
      },
      toSavedTranscript(this.session),
      vscode.l10n.bundle && { language: vscode.env.language, bundle: vscode.l10n.bundle },
    );
  }

  /** Posts a message now, or as soon as the webview is ready. */
  #post(message: ToWebview): void {
    this.#offered.note(message);
    if (this.#feed.isLive) {
      void this.panel.webview.postMessage(message);
    } else {
      this.#outbox = [...this.#outbox, message].slice(-maxWaitingMessages);
    }
  }

  async #handle(intent: FromWebview): Promise<void> {
    try {
      await handleIntent(this.#target, intent);
    } catch (error) {
      this.#services.log.error(`${intent.type}: ${getStack(error)}`);
      if (isQuestion(intent)) {
        // The page says so, where the user has asked.
        return;
      }
      const name = sessionName(this.session);
      void showErrorMessage(l10n.t('This failed in {0}. See the log for details.', name));
    }
  }

  #noteRefused(text: string): void {
    this.#refused += 1;
    if (this.#refused <= maxFaults) {
      this.#services.log.warn(text);
    }
  }

  #receive(value: unknown): void {
    const message = parseFromWebview(value);
    if (message === undefined) {
      this.#noteRefused('Ignored an invalid message of the webview');
      return;
    }
    if (!this.#gate.take(message)) {
      this.#noteRefused(`${message.type}: too many intents at once`);
      if (isQuestion(message)) {
        this.#post({ type: 'reply', id: message.id, to: message.type, failed: true });
      }
    }
    if (message.type === 'ready') {
      this.#notices.start();
      for (const waiting of this.#outbox.splice(0)) {
        this.#post(waiting);
      }
    }
  }
}

/** The session's folders, which the user can still change as long as it hasn't begun. */
function getPaths(session: PanelSession): PathContext {
  return {
    get cwd() {
      return session.info.cwd;
    },
    get roots() {
      const { cwd, additionalDirectories } = session.info;
      return [cwd, ...additionalDirectories].filter((root) => !isRootLike(root));
    },
  };
}
