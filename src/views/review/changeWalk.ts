import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hunk, Reviews } from '../../model/review/review';
import { showInformationMessage } from '../../platform/ui/messages';
import { open } from './decisions';
import { type Waiting, waitingFiles, waitingIn } from './pendingChanges';

/** The changes of the file in this editor that wait for review. */
export interface EditorChanges {
  readonly waiting: Waiting;
  readonly hunks: readonly Hunk[];
}

export async function changesIn(
  reviews: Pick<Reviews, 'ofFile'>,
  editor: vscode.TextEditor | undefined,
): Promise<EditorChanges | undefined> {
  const { document } = editor ?? {};
  const waiting =
    document?.uri.scheme === 'file' ? waitingIn(reviews, document.uri.fsPath) : undefined;
  if (document === undefined || waiting?.pending.form !== 'text') {
    return undefined;
  }
  const { review, pending } = waiting;
  return { waiting, hunks: await review.hunks(pending.file, document.getText()) };
}

/** The change that the cursor is in; one that only removed lines is where they were. */
export function hunkAt(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return hunks.find(({ now: { start, end } }) =>
    start === end ? line === start || line === start - 1 : line >= start && line < end,
  );
}

/** Moves to the next change, or the previous one: over the hunks of a file, over files, over sessions. */
export class ChangeWalk {
  readonly #reviews: Reviews;

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
  }

  async move(by: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = await changesIn(this.#reviews, editor);
    const hunk = editor && here && nextHunk(here.hunks, lineOf(editor), by);
    if (editor !== undefined && hunk !== undefined) {
      reveal(editor, hunk);
      return;
    }
    const files = waitingFiles(this.#reviews);
    const at = files.findIndex(
      ({ review, pending }) =>
        review === here?.waiting.review && pending.file === here.waiting.pending.file,
    );
    const next = at === -1 ? files.at(by === 1 ? 0 : -1) : files.at((at + by) % files.length);
    if (next === undefined) {
      void showInformationMessage(l10n.t('No changes wait for review.'));
      return;
    }
    await openAt(next, by);
  }
}

/** Opens a file's changes at the first of them, or the last. */
async function openAt(waiting: Waiting, by: 1 | -1): Promise<void> {
  const { review, pending } = waiting;
  if (pending.form !== 'text' || pending.kind === 'deleted') {
    await open(waiting);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(pending.file));
  const hunks = await review.hunks(pending.file, document.getText());
  const hunk = hunks.at(by === 1 ? 0 : -1);
  await open(waiting, hunk && rangeOf(hunk));
}

function nextHunk(hunks: readonly Hunk[], line: number, by: 1 | -1): Hunk | undefined {
  const current = hunkAt(hunks, line);
  return by === 1
    ? hunks.find((hunk) => hunk !== current && hunk.now.start > line)
    : hunks.findLast((hunk) => hunk !== current && hunk.now.start < line);
}

function reveal(editor: vscode.TextEditor, hunk: Hunk): void {
  const range = editor.document.validateRange(rangeOf(hunk));
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function rangeOf({ now: { start } }: Hunk): vscode.Range {
  return new vscode.Range(start - 1, 0, start - 1, 0);
}

/** From 1, as in `Hunk`. */
export function lineOf({ selection }: vscode.TextEditor): number {
  return selection.active.line + 1;
}
