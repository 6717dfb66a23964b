import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile } from '../../../model/changes/reviews';
import { fileCount } from '../../../model/text/fileCount';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import type { Preview, PreviewChoice, Previews } from '../../../views/previews/previews';
import { fileName, getName, getSides, type Naming, showChange } from '../editors/pendingChanges';
import { getPrompt, isUnprompted } from '../editors/turnNames';
import { besideNames } from '../editors/uncertainChanges';
import type { AgreedDeletions } from '../files/agreedDeletions';
import { minimalTextEdits } from '../files/minimalEdits';
import type {
  Decision,
  LeftAlone,
  Outcome,
  Reviews,
  Selection,
  SessionReview,
  UncertainFile,
} from '../model/review';
import { type NamedDecision, takeBack } from './takeBack';
import { askToUndo, reasonText, type UndoneFile } from './undoQuestion';

const nothing: Outcome = { decided: [], leftAlone: [] };

export interface KeepOrUndoServices extends Naming {
  readonly reviews: Pick<Reviews, 'inUse'>;
  readonly previews: Pick<Previews, 'ask'>;
  readonly agreedDeletions: AgreedDeletions;
}

/** Tells what couldn't be done, and asks about it: that may wait for the user for long. */
export type Aftermath = () => Promise<void>;
const nothingMore: Aftermath = () => Promise.resolve();

/** Keeps and undoes changes: asks where much is at stake, and tells what couldn't be done. */
export class KeepOrUndo {
  readonly #naming: Naming;
  readonly #reviews: Pick<Reviews, 'inUse'>;
  readonly #previews: Pick<Previews, 'ask'>;
  readonly #agreed: AgreedDeletions;

  constructor({ reviews, previews, agreedDeletions, ...naming }: KeepOrUndoServices) {
    this.#naming = naming;
    this.#agreed = agreedDeletions;
    this.#reviews = reviews;
    this.#previews = previews;
  }

  async keep(review: SessionReview, selection: Selection): Promise<Aftermath> {
    const outcome = await review.keep(selection);
    return () => this.#tell(review, outcome, 'keep');
  }

  /** A selection that names a file is about all of its text: where the user's own is among it, it is asked about. */
  async undo(review: SessionReview, selection: Selection): Promise<Aftermath> {
    const mixed = mixedIn(review, selection);
    if (selection.type === 'lines' && mixed.length > 0 && !(await mayUndoMixed(selection.file))) {
      return nothingMore;
    }
    const wanted =
      selection.type === 'files'
        ? { ...selection, files: selection.files.filter((file) => !mixed.includes(file)) }
        : selection;
    const isNothing = wanted.type === 'files' && wanted.files.length === 0;
    const outcome = isNothing ? nothing : await review.undo(wanted);
    return async () => {
      await this.#tell(review, outcome, 'undo');
      for (const file of selection.type === 'files' ? mixed : []) {
        await this.#decideMixed(review, file);
      }
    };
  }

  /** Decides about what may be another session's. Undoing it is asked about. */
  async decideUncertain(
    decision: Decision,
    review: SessionReview,
    wanted: readonly UncertainFile[],
  ): Promise<void> {
    const selection = { type: 'uncertain', files: wanted.map(({ file }) => file) } as const;
    if (decision === 'keep') {
      await this.#tell(review, await review.keep(selection), 'uncertain');
      return;
    }
    const beside = wanted.flatMap((file) => file.beside);
    const names = besideNames(review, beside, this.#naming);
    const text =
      wanted.length === 1
        ? l10n.t('Undo this change of {0}?', fileName(selection.files[0] ?? ''))
        : l10n.t('Undo these changes in {0}?', fileCount(wanted.length));
    const notes = [
      l10n.t('They may be those of other sessions, which were at work, too: {0}.', names),
    ];
    const files = wanted.map((pending) => ({ review, pending }));
    const chosen = await askToUndo({ text, files, notes }, this.#reviews, this.#naming);
    if (chosen !== undefined) {
      const own = getPaths(chosen);
      const outcome = await this.#agreed.during(own, () =>
        review.undo({ type: 'uncertain', files: own }),
      );
      await this.#tell(review, outcome, 'uncertain');
    }
  }

  /** Undoes several files, after one question. */
  async undoMany(reviews: readonly SessionReview[], turn?: number): Promise<Aftermath> {
    const files = reviews.flatMap((review) =>
      review.pending.filter(isOfTurn(turn)).map((pending) => ({ review, pending })),
    );
    const text = this.#question(reviews, files.length, turn);
    const chosen =
      files.length === 0
        ? undefined
        : await askToUndo({ text, files }, this.#reviews, this.#naming);
    if (chosen === undefined) {
      return nothingMore;
    }
    let decided = 0;
    const undone: NamedDecision[] = [];
    const aftermaths: Aftermath[] = [];
    for (const review of reviews) {
      const own = getPaths(chosen.filter((file) => file.review === review));
      const only = chosen === files ? {} : { files: own };
      const selection: Selection =
        turn === undefined ? { type: 'all', ...only } : { type: 'turn', turn, ...only };
      const outcome =
        own.length === 0 ? nothing : await this.#agreed.during(own, () => review.undo(selection));
      decided += outcome.decided.length;
      undone.push(
        ...(outcome.decision === undefined ? [] : [{ review, decision: outcome.decision }]),
      );
      aftermaths.push(() => this.#tell(review, outcome, 'undo'));
    }
    void offerWayBack(undone, decided);
    return async () => {
      await Promise.all(aftermaths.map((aftermath) => aftermath()));
    };
  }

  #question(reviews: readonly SessionReview[], count: number, turn: number | undefined): string {
    const [only] = reviews;
    const files = fileCount(count);
    if (reviews.length !== 1 || only === undefined) {
      return l10n.t('Undo the changes of {0} sessions in {1}?', reviews.length, files);
    }
    if (turn === undefined) {
      return l10n.t('Undo the changes of {0} in {1}?', getName(only, this.#naming), files);
    }
    return isUnprompted(only, turn)
      ? l10n.t('Undo the changes of the turn that the agent began, in {0}?', files)
      : l10n.t('Undo the changes of the turn “{0}” in {1}?', getPrompt(only, turn), files);
  }

  async #tell(
    review: SessionReview,
    outcome: Outcome,
    decision: Decision | 'uncertain',
  ): Promise<void> {
    // The user has just said so.
    const leftAlone = outcome.leftAlone.filter(({ reason }) => reason !== 'declined');
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
    const find = (): PendingFile | undefined => review.pending.find((it) => it.file === file);
    const answer = await this.#previews.ask(
      JSON.stringify([review.agentId, review.sessionId, file]),
      // VS Code follows both sides, so what they say isn't part of the plan.
      async () => find() && { canGoBack: typeof (await review.baseline(file)) === 'string' },
      ({ canGoBack }) => Promise.resolve(mixedPreview({ review, file, canGoBack }, find())),
    );
    if (answer?.choice === 'keepMyEdits') {
      const tell = await this.keep(review, { type: 'files', files: [file] });
      await tell();
    } else if (answer?.choice === 'discardMyEdits') {
      await this.#backToBaseline(review, file);
    }
  }

  /** Goes back to the baseline as if the user did it: the document isn't saved, and Ctrl+Z brings the text back. */
  async #backToBaseline(review: SessionReview, file: string): Promise<void> {
    const baseline = await review.baseline(file);
    if (typeof baseline !== 'string') {
      return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, minimalTextEdits(document, withLineEnds(document, baseline)));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document, { preview: false });
    void showInformationMessage(
      l10n.t('{0} has the text from before the changes. Save it to keep it so.', fileName(file)),
    );
  }

  async #compare(review: SessionReview, file: string): Promise<void> {
    const pending = review.pending.find((candidate) => candidate.file === file);
    if (pending !== undefined) {
      await showChange({ review, pending });
    }
  }
}

/**
 * Offers a way back, also for what Ctrl+Z in an editor can't bring back: files that were created, deleted or aren't
 * text.
 */
async function offerWayBack(undone: readonly NamedDecision[], decided: number): Promise<void> {
  if (undone.length === 0) {
    return;
  }
  const back = l10n.t('Bring Back');
  if (
    (await showInformationMessage(
      l10n.t('Undid the changes in {0}.', fileCount(decided)),
      back,
    )) === back
  ) {
    await takeBack(undone);
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

interface Mixed {
  readonly review: SessionReview;
  readonly file: string;
  /** Whether there was a text before the changes. */
  readonly canGoBack: boolean;
}

function mixedPreview(
  { review, file, canGoBack }: Mixed,
  pending: PendingFile | undefined,
): Preview<Extract<PreviewChoice, 'keepMyEdits' | 'discardMyEdits'>> {
  const { before, now } = pending === undefined ? {} : getSides({ review, pending });
  return {
    title: l10n.t('Whose Text Stays in {0}?', fileName(file)),
    question: l10n.t('You have edited lines that the agent changed. Which text stays?'),
    choices: [
      ['keepMyEdits', l10n.t('The file stays as it is, and the agent’s changes in it are kept.')],
      ...(canGoBack
        ? [
            [
              'discardMyEdits',
              l10n.t('The file gets the text on the left. It isn’t saved.'),
            ] as const,
          ]
        : []),
    ],
    notes: [],
    files: [[vscode.Uri.file(file), before, now]],
  };
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

function withLineEnds({ eol }: vscode.TextDocument, text: string): string {
  return text.replace(/\r\n|\r|\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

function getPaths(files: readonly UndoneFile[]): readonly string[] {
  return files.map(({ pending }) => pending.file);
}

function isOfTurn(turn: number | undefined): (file: PendingFile) => boolean {
  return ({ turns }) => turn === undefined || turns.includes(turn);
}
