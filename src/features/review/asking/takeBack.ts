import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileCount } from '../../../model/text/fileCount';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../../platform/ui/messages';
import { relativeTime } from '../../../views/dates';
import type { Previews } from '../../../views/previews/previews';
import { getName, getTitle, type Naming } from '../editors/pendingChanges';
import type { AgreedDeletions } from '../files/agreedDeletions';
import type { LastDecision, LeftAlone, Reviews, SessionReview } from '../model/review';
import {
  deletedFiles,
  formatList,
  getNotes,
  previewedFiles,
  sentences,
  usedText,
} from './planPreview';

export interface TakeBackServices extends Naming {
  readonly documents: ReadOnlyDocuments;
  readonly previews: Pick<Previews, 'ask'>;
  readonly reviews: Pick<Reviews, 'all' | 'of' | 'inUse'>;
  readonly agreedDeletions: AgreedDeletions;
}

/** A session with a decision that can be taken back. */
interface Candidate {
  readonly review: SessionReview;
  readonly decision: LastDecision;
}

/**
 * "Undo Restore or Undo All": of the session that is named. Without one, or if there is nothing to take back in it, the
 * user chooses among the sessions. What will happen is shown, and asked about, before anything does.
 */
export async function askToTakeBack(
  services: TakeBackServices,
  session?: { readonly agentId: string; readonly sessionId: string },
): Promise<void> {
  const own = session && services.reviews.of(session.agentId, session.sessionId);
  const review = own?.lastDecision === undefined ? await chosenFrom(services, own) : own;
  if (review !== undefined) {
    await askAboutLast(services, review);
  }
}

async function chosenFrom(
  services: TakeBackServices,
  own: SessionReview | undefined,
): Promise<SessionReview | undefined> {
  const candidates = services.reviews.all
    .flatMap((review): readonly Candidate[] => {
      const { lastDecision: decision } = review;
      return decision === undefined ? [] : [{ review, decision }];
    })
    .sort((a, b) => b.decision.at - a.decision.at);
  const [only, ...others] = candidates;
  if (only === undefined) {
    void showInformationMessage(
      l10n.t('Nothing was restored or undone that could be brought back.'),
    );
    return undefined;
  }
  if (others.length === 0 && own === undefined) {
    return only.review;
  }
  const items = candidates.map(({ review, decision }) => ({
    label: getTitle(review, services),
    description: `${whatText(decision)}${timeText(decision)}`,
    detail: formatList(decision.files.map((file) => ({ file }))),
    review,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Undo Restore or Undo All'),
    placeHolder:
      own === undefined
        ? l10n.t('In which session?')
        : l10n.t('Nothing of {0} can be brought back. Of another session?', getName(own, services)),
    matchOnDetail: true,
  });
  return picked?.review;
}

async function askAboutLast(services: TakeBackServices, review: SessionReview): Promise<void> {
  const { documents, previews, reviews } = services;
  const answer = await previews.ask(
    review,
    async () => {
      const plan = await review.planTakeBack();
      if (plan === undefined || plan.files.length === 0) {
        const nothing = l10n.t('Nothing was restored or undone that could be brought back.');
        void showInformationMessage(sentences(nothing, plan?.leftAlone ?? []));
        return undefined;
      }
      return { plan, used: await usedText(reviews, plan.files) };
    },
    ({ plan, used }) => {
      const name = getTitle(review, services);
      const { files } = plan;
      return Promise.resolve({
        title:
          plan.decision.what === 'restore'
            ? l10n.t('Undo Restore: {0}', name)
            : l10n.t('Bring Back What Was Undone: {0}', name),
        question:
          files.length === 1
            ? l10n.t('Change 1 file? Below is how.')
            : l10n.t('Change {0} files? Below is how.', files.length),
        choices: [
          [
            'bringBack',
            plan.decision.what === 'restore'
              ? l10n.t('The files become what they were before they were restored.')
              : l10n.t('The files become what they were before the changes were undone.'),
          ] as const,
        ],
        notes: getNotes(plan, used),
        files: previewedFiles(documents, files),
      });
    },
  );
  if (answer !== undefined) {
    const { plan } = answer.plan;
    const outcome = await services.agreedDeletions.during(deletedFiles(plan), () =>
      review.takeBack(plan),
    );
    void showInformationMessage(
      sentences(
        l10n.t('The changes of {0} are back.', fileCount(outcome.decided.length)),
        outcome.leftAlone,
      ),
    );
  }
}

function whatText({ what }: LastDecision): string {
  return what === 'restore' ? l10n.t('Restored') : l10n.t('Undone');
}

function timeText({ at }: LastDecision): string {
  return at === 0 ? '' : `, ${relativeTime(at, Date.now())}`;
}

/** A decision that a message has just named. */
export interface NamedDecision {
  readonly review: SessionReview;
  /** The id of the decision (`LastDecision.id`). */
  readonly decision: string;
}

/** Takes these decisions back at once, each only if it is its session's last one still, and tells. */
export async function takeBack(decisions: readonly NamedDecision[]): Promise<void> {
  const files: string[] = [];
  const leftAlone: LeftAlone[] = [];
  let overtaken = 0;
  for (const { review, decision } of decisions) {
    await review.refresh();
    if (review.lastDecision?.id === decision) {
      const outcome = await review.takeBack(decision);
      files.push(...outcome.decided);
      leftAlone.push(...outcome.leftAlone);
    } else {
      overtaken++;
    }
  }
  const text = l10n.t('The changes of {0} are back.', fileCount(files.length));
  void showInformationMessage(
    overtaken === decisions.length
      ? l10n.t(
          'Nothing was brought back: more was undone or restored since, or it is back already. Run “Undo Restore or Undo All” to see what the last decision was.',
        )
      : sentences(text, leftAlone),
  );
}
