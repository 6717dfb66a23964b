import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../../util/disposable';
import { plainLabel } from '../../../views/plainLabel';
import { reviewCommandIds } from '../commandIds';
import type { Reviews } from '../model/review';
import { changesIn, type EditorChanges, getLine, hunkAt } from './changeWalk';
import { getTitle, type Naming, waitingFiles, whoseTurn } from './pendingChanges';

/** The cursor rests this long before its position is looked up. */
const settleMs = 80;

/** A status bar item that names the change at the cursor, while the file has changes to review. */
export class PositionStatus implements Disposable {
  readonly #reviews: Reviews;
  readonly #naming: Naming;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(reviews: Reviews, naming: Naming) {
    this.#reviews = reviews;
    this.#naming = naming;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('review', vscode.StatusBarAlignment.Left, -10),
    );
    this.#item.name = l10n.t('Changes to Review');
    this.#item.command = reviewCommandIds.nextReviewed;
    const later = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#show(), settleMs);
    };
    this.#store.add(reviews.onDidChange(later));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(later));
    this.#store.add(vscode.window.onDidChangeTextEditorSelection(later));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) {
          later();
        }
      }),
    );
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
    later();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #show(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const editor = vscode.window.activeTextEditor;
    const changes = await changesIn(this.#reviews, editor);
    if (round !== this.#round || this.#store.disposed) {
      return;
    }
    if (editor === undefined || changes === undefined || changes.hunks.length === 0) {
      this.#item.hide();
      return;
    }
    const text = this.#getText(changes, getLine(editor));
    this.#item.text = `$(diff) ${plainLabel(text)}`;
    this.#item.tooltip = this.#getTooltip(changes);
    this.#item.accessibilityInformation = { label: text };
    this.#item.show();
  }

  #getText(changes: EditorChanges, line: number): string {
    const { waiting, hunks } = changes;
    const hunk = hunkAt(changes, line);
    const whose = whoseTurn(waiting, this.#naming);
    if (hunks.length === 1) {
      return l10n.t('1 change, {0}', whose);
    }
    return hunk === undefined
      ? l10n.t('{0} changes, {1}', hunks.length, whose)
      : l10n.t('{0} of {1} changes, {2}', hunks.indexOf(hunk) + 1, hunks.length, whose);
  }

  #getTooltip({ waiting: { review, pending } }: EditorChanges): string {
    const files = waitingFiles(this.#reviews);
    const at = files.findIndex((file) => file.review === review && file.pending === pending);
    return [
      getTitle(review, this.#naming),
      l10n.t('File {0} of {1} to review', at + 1, files.length),
      l10n.t('Click to go to the next change'),
    ].join('\n');
  }
}
