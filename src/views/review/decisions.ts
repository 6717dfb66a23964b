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
import { bringBack, type NamedDecision } from './bringingBack';
import { fileName, type Naming, nameOf, showChange, type Waiting } from './pendingChanges';
import { isUnprompted, promptOf } from './turnNames';

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

  /** A selection that names a file is about all of its text: where the user's own is among it, it is asked about. */
  async undo(review: SessionReview, selection: Selection): Promise<Outcome> {
    const mixed = mixedIn(review, selection);
    let outcome: Outcome = { decided: [], leftAlone: [] };
    if (selection.type === 'lines' && mixed.length > 0 && !(await mayUndoMixed(selection.file))) {
      return outcome;
    }
    const wanted =
      selection.type === 'files'
        ? { ...selection, files: selection.files.filter((file) => !mixed.includes(file)) }
        : selection;
    if (wanted.type !== 'files' || wanted.files.length > 0) {
      outcome = await review.undo(wanted);
      await this.#tell(review, outcome, 'undo');
    }
    for (const file of selection.type === 'files' ? mixed : []) {
      await this.#decideMixed(review, file);
    }
    return outcome;
  }

  /** Undoes several files, after one question. */
  async undoMany(reviews: readonly SessionReview[], turn?: number): Promise<boolean> {
    const files = reviews.flatMap(({ pending }) => pending.filter(isOf(turn)));
    if (files.length === 0 || !(await this.#mayUndo(reviews, files, turn))) {
      return false;
    }
    let decided = 0;
    const undone: NamedDecision[] = [];
    for (const review of reviews) {
      const selection: Selection = turn === undefined ? { type: 'all' } : { type: 'turn', turn };
      const outcome = await this.undo(review, selection);
      decided += outcome.decided.length;
      undone.push(
        ...(outcome.decision === undefined ? [] : [{ review, decision: outcome.decision }]),
      );
    }
    void offerWayBack(undone, decided);
    return true;
  }

  async #mayUndo(
    reviews: readonly SessionReview[],
    files: readonly PendingFile[],
    turn: number | undefined,
  ): Promise<boolean> {
    const question = this.#question(reviews, files.length, turn);
    const undo = l10n.t('Undo All');
    const detail = [whatHappens(files), ...whatStays(files)].join('\n\n');
    return (await showWarningMessage(question, { modal: true, detail }, undo)) === undo;
  }

  #question(reviews: readonly SessionReview[], files: number, turn: number | undefined): string {
    const [only] = reviews;
    if (reviews.length !== 1 || only === undefined) {
      return l10n.t('Undo the changes of {0} sessions? Files: {1}.', reviews.length, files);
    }
    if (turn === undefined) {
      return l10n.t('Undo the changes of {0}? Files: {1}.', nameOf(only, this.#naming), files);
    }
    return isUnprompted(only, turn)
      ? l10n.t('Undo the changes of the turn that the agent began? Files: {0}.', files)
      : l10n.t('Undo the changes of the turn “{0}”? Files: {1}.', promptOf(only, turn), files);
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
    const mine = {
      label: l10n.t('Keep My Edits'),
      detail: l10n.t('The file stays as it is, and the agent’s changes in it are kept.'),
    };
    const before = {
      label: l10n.t('Discard My Edits'),
      detail: l10n.t('The file gets the text on the left. It isn’t saved.'),
    };
    // Stays until it is answered; a notification would disappear by itself.
    const answer = await vscode.window.showQuickPick([mine, before], {
      title: fileName(file),
      placeHolder: l10n.t('You have edited lines that the agent changed. Which text stays?'),
      ignoreFocusOut: true,
    });
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

/** Also for what Ctrl+Z in an editor can't bring back: files that were created, deleted or aren't text. */
async function offerWayBack(undone: readonly NamedDecision[], decided: number): Promise<void> {
  if (undone.length === 0) {
    return;
  }
  const back = l10n.t('Bring Back');
  if ((await showInformationMessage(l10n.t('Undone. Files: {0}.', decided), back)) === back) {
    await bringBack(undone);
  }
}

/** The files that a selection names, and that have the user's text in the agent's lines. */
function mixedIn({ pending }: SessionReview, selection: Selection): readonly string[] {
  const named =
    selection.type === 'files'
      ? selection.files
      : selection.type === 'lines'
        ? [selection.file]
        : [];
  return pending
    .filter(({ file, isMixed, isOutside }) => isMixed && !isOutside && named.includes(file))
    .map(({ file }) => file);
}

async function mayUndoMixed(file: string): Promise<boolean> {
  const undo = l10n.t('Undo');
  const question = l10n.t(
    'Undo this change of {0}? Your own edits in it go with it.',
    fileName(file),
  );
  const detail = l10n.t('Ctrl+Z in the editor brings them back.');
  return (await showWarningMessage(question, { modal: true, detail }, undo)) === undo;
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
  const kinds = new Set(files.map(({ kind }) => kind));
  return [
    l10n.t('Lines: +{0} −{1}.', added, removed),
    ...(kinds.has('added') ? [l10n.t('New files go to the trash.')] : []),
    ...(kinds.has('deleted') ? [l10n.t('Deleted files come back.')] : []),
    ...(kinds.has('moved') ? [l10n.t('Moved files go back to where they were.')] : []),
    ...(kinds.has('modified')
      ? [l10n.t('Ctrl+Z in an editor brings the changes of its file back.')]
      : []),
  ].join(' ');
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
    case 'overlaid':
      return l10n.t('a later turn has changed the same lines. Undo that turn first.');
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
