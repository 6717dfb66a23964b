import * as l10n from '@vscode/l10n';
import type { GoingBack } from '../../../model/changes/providedReviews';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { Preview, PreviewChoice, Previews } from '../../../views/previews/previews';
import type { AgreedDeletions } from '../files/agreedDeletions';
import type { Outcome, RestorePlan, Reviews, SessionReview } from '../model/review';
import { deletedFiles, getNotes, previewedFiles, sentences, usedText } from './planPreview';
import { takeBack } from './takeBack';

export interface RestoreServices {
  readonly documents: ReadOnlyDocuments;
  readonly previews: Pick<Previews, 'ask'>;
  readonly reviews: Pick<Reviews, 'inUse'>;
  readonly agreedDeletions: AgreedDeletions;
}

/** The turn before which files are restored. */
export interface RestorePoint {
  readonly turn: number;
  /** What the turn began with. */
  readonly prompt: string;
  readonly back?: GoingBack | undefined;
}

/**
 * Restores the files of a session to what they were before a turn: shows what would change and asks; only then changes
 * files, and goes back in the conversation if that is offered and chosen. Another preview for the same session replaces
 * this one.
 */
export async function restoreBefore(
  { documents, previews, reviews, agreedDeletions }: RestoreServices,
  review: SessionReview,
  { turn, prompt, back }: RestorePoint,
): Promise<void> {
  const answer = await previews.ask(
    review,
    async () => {
      const plan = await review.planRestore(turn);
      if (plan.files.length === 0) {
        void showInformationMessage(
          sentences(l10n.t('No file has to be restored.'), plan.leftAlone),
        );
        await (back?.isChosen ? back.run() : undefined);
        return undefined;
      }
      return { plan, used: await usedText(reviews, plan.files) };
    },
    ({ plan, used }) =>
      Promise.resolve({
        ...getQuestion(plan, prompt, back?.isChosen === false),
        notes: getNotes(plan, used),
        files: previewedFiles(documents, plan.files),
      }),
  );
  if (answer === undefined) {
    return;
  }
  const { plan } = answer.plan;
  const outcome = await agreedDeletions.during(deletedFiles(plan), () => review.restore(plan));
  try {
    await (answer.choice === 'restoreAndGoBack' || back?.isChosen ? back?.run() : undefined);
  } finally {
    await tell(review, outcome);
  }
}

function getQuestion(
  { files: { length: count } }: RestorePlan,
  prompt: string,
  offersBack: boolean,
): Omit<Preview<Extract<PreviewChoice, 'restore' | 'restoreAndGoBack'>>, 'notes' | 'files'> {
  const name = cleanText(prompt, 40);
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
  };
}

async function tell(
  review: SessionReview,
  { decided, leftAlone, decision }: Outcome,
): Promise<void> {
  const undo = l10n.t('Undo Restore');
  const text = sentences(l10n.t('Restored {0}.', fileCount(decided.length)), leftAlone);
  const answer = await showInformationMessage(text, ...(decision === undefined ? [] : [undo]));
  if (answer === undo && decision !== undefined) {
    await takeBack([{ review, decision }]);
  }
}
