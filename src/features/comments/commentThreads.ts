import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getKey } from '../../model/list/sessionInfo';
import { cleanText } from '../../model/text/titles';
import type { SessionRef } from '../../shared/sessionRef';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { documentOf, findPlace, type PlaceServices } from './commentPlaces';
import type { Comment, Lines } from './model/comment';
import type { CommentStore } from './model/commentStore';

const controllerId = 'acpSessions.comments';
/** Of the fields in which comments are written. */
const fieldScheme = 'comment';

/** A paragraph of a comment, as VS Code shows and edits it. */
export class Paragraph implements vscode.Comment {
  body: string | vscode.MarkdownString;
  mode: vscode.CommentMode = vscode.CommentMode.Preview;
  /** Also names the session, since VS Code lists and filters comments by author and text only. */
  readonly author: vscode.CommentAuthorInformation;
  readonly thread: vscode.CommentThread;
  readonly index: number;
  readonly #title: string;

  constructor(thread: vscode.CommentThread, index: number, text: string, title: string) {
    this.thread = thread;
    this.index = index;
    this.#title = title;
    this.author = { name: l10n.t('You, for “{0}”', cleanText(title, 60)) };
    this.body = new vscode.MarkdownString(text);
  }

  /** For the menus. */
  get contextValue(): string {
    return this.mode === vscode.CommentMode.Editing ? 'edited' : 'said';
  }

  /** The same with another text. */
  with(text: string): Paragraph {
    return new Paragraph(this.thread, this.index, text, this.#title);
  }
}

interface Shown {
  readonly thread: vscode.CommentThread;
  readonly comment: Comment;
  readonly title: string;
}

/** A thread's comment, and the session that it is for. */
export interface Owned {
  readonly session: SessionRef;
  readonly id: string;
}

/** VS Code's threads, which show what is in the store, and where new ones can begin. */
export class CommentThreads implements Disposable {
  readonly #services: PlaceServices;
  readonly #comments: CommentStore;
  readonly #store = new DisposableStore();
  readonly #controller: vscode.CommentController;
  readonly #shown = new Map<string, Shown>();
  readonly #owned = new WeakMap<vscode.CommentThread, Owned>();
  /** Files in which the user has commented, beside those with changes. */
  readonly #chosen = new Set<string>();
  readonly #asked = new Set<Promise<unknown>>();
  /** Threads that aren't saved yet. */
  readonly #begun = new Set<vscode.CommentThread>();
  #offered = '';

  constructor(
    services: PlaceServices & {
      readonly reviews: { readonly onDidChange: (listener: () => void) => Disposable };
    },
    comments: CommentStore,
  ) {
    this.#services = services;
    this.#comments = comments;
    this.#controller = vscode.comments.createCommentController(
      controllerId,
      l10n.t('Comments for Agents'),
    );
    this.#controller.options = {
      prompt: l10n.t('Add to this comment'),
      placeHolder: l10n.t('What should the agent do with these lines? Nothing is sent yet.'),
    };
    this.#store.add(this.#controller);
    this.#store.add(comments.onDidChange(() => this.#show()));
    this.#store.add(services.reviews.onDidChange(() => this.#offer()));
    const offerAgain = ({ uri }: vscode.TextDocument): void => {
      if (uri.scheme === fieldScheme) {
        this.#offer();
      }
    };
    this.#store.add(vscode.workspace.onDidCloseTextDocument(offerAgain));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => offerAgain(document)),
    );
    this.#store.add(toDisposable(() => this.#shown.clear()));
    this.#show();
    this.#offer();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The comment that a thread shows; `undefined` for one that isn't saved yet. */
  owned(thread: vscode.CommentThread): Owned | undefined {
    return this.#owned.get(thread);
  }

  /** Begins a thread whose first paragraph is in an editor, which VS Code gives the focus. */
  async begin(uri: vscode.Uri, lines: Lines, title: string): Promise<void> {
    this.#chosen.add(uri.toString());
    this.#offer();
    await this.#settled();
    const thread = this.#controller.createCommentThread(uri, rangeOf(lines), []);
    this.#begun.add(thread);
    const paragraph = new Paragraph(thread, 0, '', title);
    paragraph.mode = vscode.CommentMode.Editing;
    thread.comments = [paragraph];
    thread.canReply = false;
    thread.label = l10n.t('Not sent yet');
    thread.contextValue = 'new';
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  /** Makes a thread that the user has written in that of a comment. */
  adopt(thread: vscode.CommentThread, session: SavedTranscript, comment: Comment): void {
    this.#begun.delete(thread);
    for (const [key, shown] of this.#shown) {
      if (shown.thread === thread) {
        this.#shown.delete(key);
      }
    }
    this.#owned.set(thread, { session, id: comment.id });
    const shown = { thread, comment, title: session.title };
    this.#shown.set(keyOf(session, comment), shown);
    draw(shown);
    this.#offer();
  }

  /** Takes away a thread that isn't saved yet. */
  discard(thread: vscode.CommentThread): void {
    this.#begun.delete(thread);
    thread.dispose();
    this.#offer();
  }

  /** Shows a paragraph in an editor, with another text if it is given. */
  edit(paragraph: Paragraph, text?: string): void {
    const { thread, index } = paragraph;
    // VS Code ignores that one is edited again while it thinks that it still is.
    const edited = text === undefined ? paragraph : paragraph.with(text);
    edited.mode = vscode.CommentMode.Editing;
    thread.comments = thread.comments.map((each, at) => (at === index ? edited : each));
  }

  /** Shows a thread as it is in the store. */
  restore(thread: vscode.CommentThread): void {
    const owned = this.#owned.get(thread);
    const shown = [...this.#shown.values()].find((one) => one.thread === thread);
    if (owned !== undefined && shown !== undefined) {
      draw(shown);
      this.#offer();
    }
  }

  #show(): void {
    const gone = new Set(this.#shown.keys());
    for (const { saved, comments } of this.#comments.all) {
      for (const comment of comments) {
        const key = keyOf(saved, comment);
        const known = this.#shown.get(key);
        gone.delete(key);
        if (known?.comment === comment) {
          continue;
        }
        const thread =
          known?.thread ??
          this.#controller.createCommentThread(documentOf(comment), rangeOf(comment), []);
        this.#owned.set(thread, { session: saved, id: comment.id });
        const shown = { thread, comment, title: saved.title };
        this.#shown.set(key, shown);
        draw(shown);
      }
    }
    for (const key of gone) {
      this.#shown.get(key)?.thread.dispose();
      this.#shown.delete(key);
    }
    this.#offer();
  }

  /**
   * Has VS Code ask again where comments can begin, if the answer may be another one. It then draws all threads anew, and
   * gives one that is being written the focus, wherever that is: so not while there is one.
   */
  #offer(): void {
    const files = this.#services.reviews.all.flatMap(({ pending }) =>
      pending.map(({ file }) => file),
    );
    const offered = [...files, ...this.#chosen].join('\n');
    if (offered === this.#offered || this.#isWritten()) {
      return;
    }
    this.#offered = offered;
    const changed = new Set(files);
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => {
        const asked = this.#findRanges(document, changed);
        this.#asked.add(asked);
        void asked.finally(() => this.#asked.delete(asked));
        return asked;
      },
    };
  }

  #isWritten(): boolean {
    const threads = [...this.#shown.values()].map(({ thread }) => thread);
    return (
      [...this.#begun, ...threads].some(({ comments }) =>
        comments.some(({ mode }) => mode === vscode.CommentMode.Editing),
      ) ||
      // A reply's field names the controller; that of a paragraph may outlive it.
      vscode.workspace.textDocuments.some(
        (document) =>
          document.uri.scheme === fieldScheme &&
          document.uri.authority !== '' &&
          document.getText() !== '',
      )
    );
  }

  async #findRanges(
    { uri, lineCount }: vscode.TextDocument,
    changed: ReadonlySet<string>,
  ): Promise<vscode.CommentingRanges | undefined> {
    const isOffered =
      uri.scheme === 'file'
        ? changed.has(uri.fsPath) || this.#chosen.has(uri.toString())
        : (await findPlace(this.#services, uri)) !== undefined;
    const whole = new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0);
    return isOffered ? { enableFileComments: false, ranges: [whole] } : undefined;
  }

  /**
   * Waits until VS Code knows where comments can begin: it then draws all threads of an editor anew, which takes the
   * focus from a field. It reads messages in their order, so that the answer to any question shows that.
   */
  async #settled(): Promise<void> {
    await vscode.languages.getLanguages();
    await Promise.allSettled(this.#asked);
    await vscode.languages.getLanguages();
  }
}

function keyOf(session: SessionRef, { id }: Comment): string {
  return `${getKey(session)} ${id}`;
}

function rangeOf({ first, last }: Lines): vscode.Range {
  return new vscode.Range(first, 0, last, 0);
}

function draw({ thread, comment, title }: Shown): void {
  const { said, state, isLost } = comment;
  const { range } = thread;
  if (range?.start.line !== comment.first || range.end.line !== comment.last) {
    thread.range = rangeOf(comment);
  }
  thread.comments = said.map((text, index) => new Paragraph(thread, index, text, title));
  thread.label = [
    ...stateText(comment),
    ...(isLost ? [l10n.t('These lines are no longer in the file')] : []),
  ].join(' · ');
  thread.contextValue = state;
  // Until it is sent, it can be edited instead.
  thread.canReply = state !== 'unsent';
  thread.state =
    state === 'resolved'
      ? vscode.CommentThreadState.Resolved
      : vscode.CommentThreadState.Unresolved;
}

function stateText({ state, began }: Comment): readonly string[] {
  switch (state) {
    case 'unsent':
      return [l10n.t('Not sent yet')];
    case 'sent':
      return began === undefined ? [] : [l10n.t('Sent at {0}', timeOf(began))];
    case 'changed':
      return [l10n.t('The agent has changed these lines')];
    case 'resolved':
      return [l10n.t('Resolved')];
  }
}

function timeOf(at: number): string {
  return new Date(at).toLocaleString(vscode.env.language, {
    dateStyle: 'short',
    timeStyle: 'short',
  });
}
