import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { Hunk, LineRange, Reviews } from '../model/review';
import { baselineScheme, reviewedFile } from './baselineDocuments';
import { showChange, type Waiting, waitingFiles, waitingIn } from './pendingChanges';

/** The changes of the file in this editor that wait for review. */
export interface EditorChanges {
  readonly waiting: Waiting;
  /** The hunks; none if the file isn't there any more. */
  readonly hunks: readonly Hunk[];
  /** Which lines of the hunks are those of the editor. */
  readonly side: 'before' | 'now';
}

/** The changes on either side of a comparison, whose left side is the document without the changes. */
export async function changesIn(
  reviews: Pick<Reviews, 'ofFile'>,
  editor: vscode.TextEditor | undefined,
): Promise<EditorChanges | undefined> {
  const waiting = editor && waitingAt(reviews, editor.document.uri);
  if (editor === undefined || waiting?.pending.form !== 'text') {
    return undefined;
  }
  const { review, pending } = waiting;
  const side = editor.document.uri.scheme === baselineScheme ? 'before' : 'now';
  if (pending.kind === 'deleted') {
    return { waiting, hunks: [], side };
  }
  const document =
    side === 'now'
      ? editor.document
      : await vscode.workspace.openTextDocument(vscode.Uri.file(pending.file));
  return { waiting, hunks: await review.hunks(pending.file, document.getText()), side };
}

/** The changes of the file that the active editor is about, whichever kind of editor it is. */
export function waitingHere(reviews: Pick<Reviews, 'ofFile'>): Waiting | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const other = input instanceof vscode.TabInputCustom ? input.uri : undefined;
  const uri = other ?? vscode.window.activeTextEditor?.document.uri;
  return uri && waitingAt(reviews, uri);
}

function waitingAt(reviews: Pick<Reviews, 'ofFile'>, uri: vscode.Uri): Waiting | undefined {
  const file = reviewedFile(uri);
  return file === undefined ? undefined : waitingIn(reviews, file);
}

/** The change that the cursor is in; one that only removed or added lines is where they would be. */
export function hunkAt(
  { hunks, side }: Pick<EditorChanges, 'hunks' | 'side'>,
  line: number,
): Hunk | undefined {
  return hunks.find(({ [side]: { start, end } }) =>
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
    const hunk = editor && here && nextHunk(here, getLine(editor), by);
    if (editor !== undefined && here !== undefined && hunk !== undefined) {
      reveal(editor, hunk[here.side]);
      return;
    }
    const current = waitingHere(this.#reviews);
    const files = waitingFiles(this.#reviews);
    const at = files.findIndex(
      ({ review, pending }) => review === current?.review && pending.file === current.pending.file,
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
    await showChange(waiting);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(pending.file));
  const hunks = await review.hunks(pending.file, document.getText());
  const hunk = hunks.at(by === 1 ? 0 : -1);
  await showChange(waiting, hunk && getRange(hunk.now));
}

function nextHunk(changes: EditorChanges, line: number, by: 1 | -1): Hunk | undefined {
  const { hunks, side } = changes;
  const current = hunkAt(changes, line);
  return by === 1
    ? hunks.find((hunk) => hunk !== current && hunk[side].start > line)
    : hunks.findLast((hunk) => hunk !== current && hunk[side].start < line);
}

function reveal(editor: vscode.TextEditor, lines: LineRange): void {
  const range = editor.document.validateRange(getRange(lines));
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function getRange({ start }: LineRange): vscode.Range {
  return new vscode.Range(start - 1, 0, start - 1, 0);
}

/** The line of the cursor, from 1, as in `Hunk`. */
export function getLine({ selection }: vscode.TextEditor): number {
  return selection.active.line + 1;
}
