import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type {
  LeftAlone,
  Outcome,
  PendingFile,
  Selection,
  SessionReview,
} from '../../model/review/review';
import { minimalTextEdits } from '../../platform/review/minimalEdits';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { fileName, type Naming, nameOf, showChange, type Waiting } from './pendingChanges';

/** Files that are named in a question or a message. */
const mostNamed = 8;

/** Carries out what the user decides: asks where much is at stake, and tells what couldn't be done. */
export class Decisions {
  readonly #naming: Naming;

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  async keep(review: SessionReview, selection: Selection): Promise<void> {
    await this.#tell(review, await review.keep(selection), 'keep');
  }

  async undo(review: SessionReview, selection: Selection): Promise<void> {
    await this.#tell(review, await review.undo(selection), 'undo');
  }

  /** Undoes several files, after one question. */
  async undoMany(reviews: readonly SessionReview[], turn?: number): Promise<boolean> {
    const files = reviews.flatMap(({ pending }) => pending.filter(isOf(turn)));
    if (files.length === 0 || !(await this.#mayUndo(reviews, files))) {
      return false;
    }
    for (const review of reviews) {
      await this.undo(review, turn === undefined ? { type: 'all' } : { type: 'turn', turn });
    }
    return true;
  }

  async #mayUndo(
    reviews: readonly SessionReview[],
    files: readonly PendingFile[],
  ): Promise<boolean> {
    const [only] = reviews;
    const question =
      reviews.length === 1 && only !== undefined
        ? l10n.t('Undo the changes of {0}? Files: {1}.', nameOf(only, this.#naming), files.length)
        : l10n.t('Undo the changes of {0} sessions? Files: {1}.', reviews.length, files.length);
    const undo = l10n.t('Undo All');
    const detail = [whatHappens(files), ...whatStays(files)].join('\n\n');
    return (await showWarningMessage(question, { modal: true, detail }, undo)) === undo;
  }

  async #tell(
    review: SessionReview,
    { leftAlone }: Outcome,
    decision: 'keep' | 'undo',
  ): Promise<void> {
    const [first, ...others] = leftAlone;
    if (first === undefined) {
      return;
    }
    if (others.length === 0 && first.reason === 'mixed' && decision === 'undo') {
      await this.#decideMixed(review, first.file);
    } else if (others.length === 0) {
      await this.#tellOne(review, first);
    } else {
      await this.#tellMany(review, leftAlone);
    }
  }

  async #tellOne(review: SessionReview, left: LeftAlone): Promise<void> {
    const compare = l10n.t('Compare');
    const answer = await showWarningMessage(
      l10n.t('{0} was left as it is: {1}', fileName(left.file), reasonText(left)),
      compare,
    );
    if (answer === compare) {
      await this.#compare(review, left.file);
    }
  }

  async #tellMany(review: SessionReview, leftAlone: readonly LeftAlone[]): Promise<void> {
    const show = l10n.t('Show Files');
    const text = l10n.t('{0} files were left as they are.', leftAlone.length);
    if ((await showWarningMessage(text, show)) !== show) {
      return;
    }
    const items = leftAlone.map((left) => ({
      label: fileName(left.file),
      description: vscode.workspace.asRelativePath(left.file),
      detail: reasonText(left),
      left,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Files That Were Left as They Are'),
      placeHolder: l10n.t('Choose a file to compare'),
      matchOnDescription: true,
    });
    if (picked?.left.reason === 'mixed') {
      await this.#decideMixed(review, picked.left.file);
    } else if (picked !== undefined) {
      await this.#compare(review, picked.left.file);
    }
  }

  /** Both texts beside each other, and a plain question. */
  async #decideMixed(review: SessionReview, file: string): Promise<void> {
    await this.#compare(review, file);
    const mine = l10n.t('Keep My Edits');
    const before = l10n.t('Discard My Edits');
    const answer = await showWarningMessage(
      l10n.t(
        '{0} has edits of yours in the lines that the agent changed. Keep everything as it is, or go back to the text on the left?',
        fileName(file),
      ),
      mine,
      before,
    );
    if (answer === mine) {
      await this.keep(review, { type: 'files', files: [file] });
    } else if (answer === before) {
      await this.#backToBaseline(review, file);
    }
  }

  /** As if the user did it: the document isn't saved, and Ctrl+Z brings the text back. */
  async #backToBaseline(review: SessionReview, file: string): Promise<void> {
    const baseline = await review.baseline(file);
    if (typeof baseline !== 'string') {
      return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, minimalTextEdits(document, withEndsOf(document, baseline)));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document, { preview: false });
    void showInformationMessage(
      l10n.t('{0} has the text from before the changes. Save it to keep it so.', fileName(file)),
    );
  }

  async #compare(review: SessionReview, file: string): Promise<void> {
    const pending = review.pending.find((candidate) => candidate.file === file);
    if (pending !== undefined) {
      await open({ review, pending });
    }
  }
}

export async function open(waiting: Waiting, selection?: vscode.Range): Promise<void> {
  const { command, arguments: args = [] } = showChange(waiting, selection);
  await vscode.commands.executeCommand(command, ...(args as unknown[]));
}

function withEndsOf({ eol }: vscode.TextDocument, text: string): string {
  return text.replace(/\r\n|\r|\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

function isOf(turn: number | undefined): (file: PendingFile) => boolean {
  return ({ turns }) => turn === undefined || turns.includes(turn);
}

function whatHappens(files: readonly PendingFile[]): string {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return l10n.t(
    'Lines: +{0} −{1}. New files go to the trash, and deleted files come back. Ctrl+Z in an editor brings the changes of its file back.',
    added,
    removed,
  );
}

function whatStays(files: readonly PendingFile[]): readonly string[] {
  const stays = files.flatMap((file) => {
    const reason = reasonToStay(file);
    return reason === undefined ? [] : [`${fileName(file.file)}: ${reason}`];
  });
  if (stays.length === 0) {
    return [];
  }
  const more = stays.length > mostNamed ? [l10n.t('and {0} more', stays.length - mostNamed)] : [];
  return [[l10n.t('These stay as they are:'), ...stays.slice(0, mostNamed), ...more].join('\n')];
}

function reasonToStay({ isOutside, form, isMixed }: PendingFile): string | undefined {
  if (isOutside) {
    return reasonText({ reason: 'outside' });
  }
  if (form === 'unkept') {
    return reasonText({ reason: 'unkept' });
  }
  return isMixed ? reasonText({ reason: 'mixed' }) : undefined;
}

/** Ends with what the user can do. */
function reasonText({ reason, detail }: Pick<LeftAlone, 'reason' | 'detail'>): string {
  switch (reason) {
    case 'changedSince':
      return l10n.t('it has changed in the meantime. Compare both texts and edit the file.');
    case 'mixed':
      return l10n.t('you have edited the same lines. Decide which text to keep.');
    case 'unkept':
      return l10n.t('its earlier content wasn’t recorded, so it can’t come back.');
    case 'outside':
      return l10n.t('it is outside of the session’s folders.');
    case 'readOnly':
      return l10n.t('it is read-only. Allow writing to it and try again.');
    case 'dirty':
      return l10n.t('it has unsaved changes. Save or revert them and try again.');
    case 'declined':
      return l10n.t('you have chosen to leave it.');
    case 'failed':
      return l10n.t('it couldn’t be written ({0}).', detail ?? '?');
  }
}
