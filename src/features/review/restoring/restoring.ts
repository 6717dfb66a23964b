import * as l10n from '@vscode/l10n';
import type { GoingBack } from '../../../model/changes/providedReviews';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { Preview, PreviewChoice, Previews } from '../../../views/previews/previews';
import type { AgreedDeletions } from '../files/agreedDeletions';
import type { Outcome, RestorePlan, Reviews, SessionReview } from '../model/review';
import { deletedFiles, getNotes, previewedFiles, sentences, usedText } from './restorePreview';
import { bringBack } from './undoRestore';

export interface RestoringServices {
  readonly documents: ReadOnlyDocuments;
  readonly previews: Pick<Previews, 'decide'>;
  readonly reviews: Pick<Reviews, 'inUse'>;
  readonly agreedDeletions: AgreedDeletions;
}

/** Restores files to what they were before a turn: a preview that asks, one edit, and the way back. */
export class Restoring {
  readonly #services: RestoringServices;

  constructor(services: RestoringServices) {
    this.#services = services;
  }

  /**
   * Shows what would change and asks; only then changes files, and goes back in the conversation if that is offered and
   * chosen. Another preview for the same session replaces this one. `prompt`: what the turn began with.
   */
  async restoreBefore(
    review: SessionReview,
    turn: number,
    prompt: string,
    back?: GoingBack,
  ): Promise<void> {
    const { previews, reviews } = this.#services;
    const decided = await previews.decide(
      review,
      async () => {
        const plan = await review.planRestore(turn);
        if (plan.files.length === 0) {
          void showInformationMessage(nothingToDo(plan));
          await (back?.isChosen ? back.run() : undefined);
          return undefined;
        }
        return { plan, used: await usedText(reviews, plan.files) };
      },
      (planned) => Promise.resolve(this.#preview(planned, prompt, back?.isChosen === false)),
    );
    if (decided === undefined) {
      return;
    }
    const { plan } = decided.plan;
    const outcome = await this.#services.agreedDeletions.during(deletedFiles(plan), () =>
      review.restore(plan),
    );
    try {
      await (decided.choice === 'restoreAndGoBack' || back?.isChosen ? back?.run() : undefined);
    } finally {
      await this.#tell(review, outcome);
    }
  }

  #preview(
    { plan, used }: Planned,
    prompt: string,
    offersBack: boolean,
  ): Preview<Extract<PreviewChoice, 'restore' | 'restoreAndGoBack'>> {
    const name = cleanText(prompt, 40);
    const { length: count } = plan.files;
    return {
      title: l10n.t('Restore to Before “{0}”', name),
      question:
        count === 1
          ? l10n.t('Restore 1 file? Below is what would change.')
          : l10n.t('Restore {0} files? Below is what would change.', count),
      choices: [
        ['restore', l10n.t('The files become what they were before “{0}”.', name)],
        ...(offersBack
          ? [
              [
                'restoreAndGoBack',
                l10n.t(
                  'Restores them, too, and forks the session before this prompt; the session itself stays as it is.',
                ),
              ] as const,
            ]
          : []),
      ],
      notes: getNotes(plan, used),
      files: previewedFiles(this.#services.documents, plan.files),
    };
  }

  async #tell(review: SessionReview, { decided, leftAlone, decision }: Outcome): Promise<void> {
    const undo = l10n.t('Undo Restore');
    const text = sentences(l10n.t('Restored {0}.', fileCount(decided.length)), leftAlone);
    const answer = await showInformationMessage(text, ...(decision === undefined ? [] : [undo]));
    if (answer === undo && decision !== undefined) {
      await bringBack([{ review, decision }]);
    }
  }
}

interface Planned {
  readonly plan: RestorePlan;
  /** Which of the files running turns are working on. */
  readonly used: string;
}

function nothingToDo({ leftAlone }: RestorePlan): string {
  return sentences(l10n.t('No file has to be restored.'), leftAlone);
}
