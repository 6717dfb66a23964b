import * as l10n from '@vscode/l10n';
import type { Outcome, RestorePlan, Reviews, SessionReview } from '../../model/review/review';
import { cleanText } from '../../model/text/titles';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../platform/ui/messages';
import { bringBack } from './bringingBack';
import {
  askAgainAfterLooking,
  closeTabs,
  detailsOf,
  lookAtAll,
  sentences,
  showPreview,
  usedText,
} from './restorePreview';

/** Going back in the conversation, too. */
export interface GoingBack {
  /** The user has chosen that already, and isn't asked about it. */
  readonly isChosen: boolean;
  run(): unknown;
}

/** Restores files to what they were before a turn: a preview, a question, one edit, and the way back. */
export class Restoring {
  readonly #documents: ReadOnlyDocuments;
  readonly #reviews: Pick<Reviews, 'inUse'>;
  /** The sessions with a preview: another one for the same session replaces it. */
  readonly #asking = new Map<SessionReview, object>();

  constructor(documents: ReadOnlyDocuments, reviews: Pick<Reviews, 'inUse'>) {
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
    await showPreview(this.#documents, title, plan.files);
    const used = await usedText(this.#reviews, plan.files);
    const answer = await askAbovePreview({ title, plan, used }, back?.isChosen === false);
    await closeTabs(title);
    if (answer === undefined || this.#asking.get(review) !== own) {
      return;
    }
    this.#asking.delete(review);
    const outcome = await review.restore(plan);
    try {
      await (answer === 'goBack' || back?.isChosen ? back?.run() : undefined);
    } finally {
      await this.#tell(review, outcome);
    }
  }

  async #tell(review: SessionReview, { decided, leftAlone, decision }: Outcome): Promise<void> {
    const undo = l10n.t('Undo Restore');
    const text = sentences(l10n.t('Restored. Files: {0}.', decided.length), leftAlone);
    const answer = await showInformationMessage(text, ...(decision === undefined ? [] : [undo]));
    if (answer === undo && decision !== undefined) {
      await bringBack([{ review, decision }]);
    }
  }
}

interface Question {
  readonly title: string;
  readonly plan: RestorePlan;
  /** Which of the files running turns are working on. */
  readonly used: string;
}

/** Asks above the preview, which stays visible and can be scrolled; a notification would disappear by itself. */
async function askAbovePreview(
  { title, plan, used }: Question,
  offersBack: boolean,
): Promise<'restore' | 'goBack' | undefined> {
  const restore = { label: l10n.t('Restore'), detail: [used, detailsOf(plan)].join(' ').trim() };
  const goBack = {
    label: l10n.t('Restore, and Go Back in the Conversation'),
    detail: l10n.t('Forks the session before this prompt; the session itself stays as it is.'),
  };
  const { length: count } = plan.files;
  const choices = [
    restore,
    ...(offersBack ? [goBack] : []),
    ...lookAtAll(title, plan),
    { label: l10n.t('Cancel') },
  ];
  const answer = await askAgainAfterLooking(choices, {
    title,
    placeHolder:
      count === 1
        ? l10n.t('Restore 1 file? The preview shows what would change.')
        : l10n.t('Restore {0} files? The preview shows what would change.', count),
    ignoreFocusOut: true,
  });
  return answer === goBack ? 'goBack' : answer === restore ? 'restore' : undefined;
}

function nothingToDo({ leftAlone }: RestorePlan): string {
  return sentences(l10n.t('No file has to be restored.'), leftAlone);
}
