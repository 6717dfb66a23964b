import * as vscode from 'vscode';
import type { SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { documentOf } from './commentPlaces';
import { type Comment, keptText, type Lines } from './model/comment';
import type { CommentStore } from './model/commentStore';
import { findLines, followLines } from './model/followLines';

/** The delay, in ms, after which comments follow their text: VS Code itself moves what it shows at once. */
const pause = 300;

/** Keeps comments at their lines: VS Code moves what it shows with the text, but tells nobody. */
export class FollowDocuments implements Disposable {
  readonly #comments: CommentStore;
  readonly #store = new DisposableStore();
  /** The lines of documents with comments, as they were when their places were noted. */
  readonly #seen = new Map<string, readonly string[]>();
  readonly #changed = new Set<vscode.TextDocument>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(comments: CommentStore) {
    this.#comments = comments;
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#settle(document)));
    this.#store.add(
      workspace.onDidCloseTextDocument((document) => {
        this.#flush();
        this.#seen.delete(document.uri.toString());
      }),
    );
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#seen.has(document.uri.toString())) {
          this.#changed.add(document);
          this.#timer ??= setTimeout(() => this.#flush(), pause);
        }
      }),
    );
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Finds the comments of all open documents, such as those of an earlier window. */
  settleAll(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.#settle(document);
    }
  }

  /** From now on, the comments of this document follow it. */
  begin(document: vscode.TextDocument): void {
    this.#flush();
    this.#seen.set(document.uri.toString(), linesOf(document));
  }

  /** The comment where it is now, with its lines' text; as it was last seen if there is no such document any more. */
  async find(
    session: SessionRef,
    id: string,
  ): Promise<{ readonly comment: Comment; readonly text: string } | undefined> {
    const known = this.#comments.get(session, id);
    if (known === undefined) {
      return undefined;
    }
    try {
      const document = await vscode.workspace.openTextDocument(documentOf(known));
      this.#flush();
      this.#settle(document);
      const comment = this.#comments.get(session, id);
      return (
        comment && {
          comment,
          text: comment.isLost ? comment.text : textOf(comment, linesOf(document)),
        }
      );
    } catch {
      return { comment: { ...known, isLost: true }, text: known.text };
    }
  }

  /** The text of a file, including unsaved changes; `undefined` if it can't be read as a text. */
  async textOf(file: string): Promise<string | undefined> {
    try {
      return (await vscode.workspace.openTextDocument(vscode.Uri.file(file))).getText();
    } catch {
      return undefined;
    }
  }

  #settle(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const own = this.#seen.has(key) ? [] : this.#in(key);
    if (own.length === 0) {
      return;
    }
    const lines = linesOf(document);
    this.#seen.set(key, lines);
    for (const { session, comment } of own) {
      this.#note(session, comment, findLines(comment.text, comment, lines), lines);
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const document of this.#changed) {
      const key = document.uri.toString();
      const before = this.#seen.get(key) ?? [];
      const after = linesOf(document);
      this.#seen.set(key, after);
      for (const { session, comment } of this.#in(key)) {
        // Text that was taken away may be back, by Undo for example.
        const found = comment.isLost
          ? findLines(comment.text, comment, after)
          : followLines(comment, before, after);
        this.#note(session, comment, found, after);
      }
    }
    this.#changed.clear();
  }

  /** `found`: where its lines are; they aren't there any more if it is missing. */
  #note(
    session: SessionRef,
    comment: Comment,
    found: Lines | undefined,
    lines: readonly string[],
  ): void {
    const { isLost = false, ...rest } = comment;
    if (found === undefined) {
      if (!isLost) {
        this.#comments.replace(session, { ...rest, isLost: true });
      }
      return;
    }
    const { first, last } = found;
    const text = keptText(textOf(found, lines));
    const isSame = first === comment.first && last === comment.last && text === comment.text;
    if (isLost || !isSame) {
      this.#comments.replace(session, { ...rest, first, last, text });
    }
  }

  #in(key: string): readonly { readonly session: SessionRef; readonly comment: Comment }[] {
    return this.#comments.all.flatMap(({ saved, comments }) =>
      comments
        .filter((comment) => documentOf(comment).toString() === key)
        .map((comment) => ({ session: saved, comment })),
    );
  }
}

export function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r\n|\r|\n/);
}

/** The text of lines, counted from 0, both inclusive. */
export function textOf({ first, last }: Lines, lines: readonly string[]): string {
  return lines.slice(first, last + 1).join('\n');
}
