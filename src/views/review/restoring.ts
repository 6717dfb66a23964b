import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LateReviews } from '../../model/review/lateReviews';
import type { LeftAlone, Outcome, RestorePlan, SessionReview } from '../../model/review/review';
import { cleanText } from '../../model/text/titles';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';

/** Maximum number of files in the preview, and of those that a message names. */
const mostShown = 200;
const mostNamed = 5;

/** Going back in the conversation, too. */
export interface GoingBack {
  /** The user has chosen that already, and isn't asked about it. */
  readonly isChosen: boolean;
  run(): unknown;
}

/** Restores files to what they were before a turn: a preview, a question, one edit, and the way back. */
export class Restoring {
  readonly #documents: ReadOnlyDocuments;
  readonly #reviews: Pick<LateReviews, 'all'>;
  /** The sessions with a preview: another one for the same session replaces it. */
  readonly #asking = new Map<SessionReview, object>();
  #last: SessionReview | undefined;

  constructor(documents: ReadOnlyDocuments, reviews: Pick<LateReviews, 'all'>) {
    this.#documents = documents;
    this.#reviews = reviews;
  }

  /**
   * Shows what would change and asks; only then changes files, and goes back in the conversation if that is offered and
   * chosen. `prompt`: what the turn began with.
   */
  async restoreBefore(
    review: SessionReview,
    turn: number,
    prompt: string,
    back?: GoingBack,
  ): Promise<void> {
    const own = {};
    this.#asking.set(review, own);
    const plan = await review.planRestore(turn);
    if (plan.files.length === 0) {
      void showInformationMessage(nothingToDo(plan));
      await (back?.isChosen ? back.run() : undefined);
      return;
    }
    const title = l10n.t('Restore to Before “{0}”', cleanText(prompt, 40));
    await this.#preview(plan, title);
    const answer = await askAbovePreview(title, plan, back?.isChosen === false);
    await closeTabs(title);
    if (answer === undefined || this.#asking.get(review) !== own) {
      return;
    }
    this.#asking.delete(review);
    const outcome = await review.restore(plan);
    this.#last = review;
    try {
      await (answer === 'goBack' || back?.isChosen ? back?.run() : undefined);
    } finally {
      await this.#tell(review, outcome);
    }
  }

  /** Goes back to what the last restore or undo has replaced. */
  async undo(wanted = this.#last): Promise<void> {
    const review = [...(wanted ? [wanted] : []), ...this.#reviews.all].find(
      ({ canUndoRestore }) => canUndoRestore,
    );
    if (review === undefined) {
      void showInformationMessage(
        l10n.t('Nothing was restored or undone that could be brought back.'),
      );
      return;
    }
    const { decided, leftAlone } = await review.undoRestore();
    void showInformationMessage(
      sentences(l10n.t('The changes are back. Files: {0}.', decided.length), leftAlone),
    );
  }

  async #preview({ files }: RestorePlan, title: string): Promise<void> {
    const texts = files.filter(({ text }) => text !== undefined).slice(0, mostShown);
    const resources = texts.map(({ file, movedFrom, kind, text }) => {
      const uri = vscode.Uri.file(file);
      const now = vscode.Uri.file(movedFrom ?? file);
      const after = typeof text === 'string' ? this.#documents.addStateOf(uri, text) : undefined;
      return [uri, kind === 'added' ? undefined : now, after];
    });
    if (resources.length > 0) {
      await vscode.commands.executeCommand('vscode.changes', title, resources);
    }
  }

  async #tell(review: SessionReview, { decided, leftAlone }: Outcome): Promise<void> {
    const undo = l10n.t('Undo Restore');
    const text = sentences(l10n.t('Restored. Files: {0}.', decided.length), leftAlone);
    const answer = await showInformationMessage(text, ...(review.canUndoRestore ? [undo] : []));
    if (answer === undo) {
      await this.undo(review);
    }
  }
}

/** Asks above the preview, which stays visible and can be scrolled; a notification would disappear by itself. */
async function askAbovePreview(
  title: string,
  plan: RestorePlan,
  offersBack: boolean,
): Promise<'restore' | 'goBack' | undefined> {
  const restore = { label: l10n.t('Restore'), detail: detailsOf(plan) };
  const goBack = {
    label: l10n.t('Restore, and Go Back in the Conversation'),
    detail: l10n.t('Forks the session before this prompt; the session itself stays as it is.'),
  };
  const { length: count } = plan.files;
  const choices = [restore, ...(offersBack ? [goBack] : []), { label: l10n.t('Cancel') }];
  const answer = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder:
      count === 1
        ? l10n.t('Restore 1 file? The preview shows what would change.')
        : l10n.t('Restore {0} files? The preview shows what would change.', count),
    ignoreFocusOut: true,
  });
  return answer === goBack ? 'goBack' : answer === restore ? 'restore' : undefined;
}

/** In whole sentences: in which files the user's own changes are merged, and what stays. */
function detailsOf({ files, leftAlone }: RestorePlan): string {
  const merged = files.filter(({ isMerged }) => isMerged);
  const unshown = files.filter(({ text }) => text === undefined);
  const about = [
    ...(merged.length > 0
      ? [l10n.t('Your own later changes are merged in: {0}.', listOf(merged))]
      : []),
    ...(unshown.length > 0
      ? [l10n.t('Not in the preview, because they aren’t text: {0}.', listOf(unshown))]
      : []),
  ];
  return sentences(about.join(' '), leftAlone).trim();
}

function nothingToDo({ leftAlone }: RestorePlan): string {
  return sentences(l10n.t('No file has to be restored.'), leftAlone);
}

function sentences(text: string, leftAlone: readonly LeftAlone[]): string {
  return leftAlone.length === 0
    ? text
    : `${text} ${l10n.t('Left as they are: {0}.', listOf(leftAlone))}`;
}

function listOf(
  files: readonly { readonly file: string; readonly reason?: LeftAlone['reason'] }[],
): string {
  const named = files.slice(0, mostNamed).map(({ file, reason }) => {
    const name = cleanText(literalLine(path.basename(file)), 60);
    return reason === undefined ? name : `${name} (${reasons[reason]})`;
  });
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(', ');
}

const reasons: Readonly<Record<LeftAlone['reason'], string>> = {
  changedSince: l10n.t('changed in the meantime'),
  mixed: l10n.t('you changed the same lines'),
  overlaid: l10n.t('a later turn changed the same lines'),
  unkept: l10n.t('its content wasn’t recorded'),
  outside: l10n.t('outside of the session’s folders'),
  readOnly: l10n.t('read-only'),
  dirty: l10n.t('has unsaved changes'),
  declined: l10n.t('as you chose'),
  failed: l10n.t('couldn’t be written'),
};

/** Closes the previews of this title. */
export async function closeTabs(title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    // VS Code adds the number of files.
    .filter(({ label }) => label.startsWith(title));
  await vscode.window.tabGroups.close(tabs);
}
