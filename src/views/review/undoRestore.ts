import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LateReviews } from '../../model/review/lateReviews';
import type { LastDecision, SessionReview, UndoRestorePlan } from '../../model/review/review';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../platform/ui/messages';
import { relativeTime } from '../sessions/nodes/dates';
import { type Naming, nameOf, titleOf } from './pendingChanges';
import {
  askAgainAfterLooking,
  closeTabs,
  detailsOf,
  listOf,
  lookAtAll,
  sentences,
  showPreview,
  usedText,
} from './restorePreview';

export interface UndoRestoreServices extends Naming {
  readonly documents: ReadOnlyDocuments;
  readonly reviews: Pick<LateReviews, 'all' | 'of' | 'inUse'>;
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
export async function undoRestore(
  services: UndoRestoreServices,
  session?: { readonly agentId: string; readonly sessionId: string },
): Promise<void> {
  const own = session && services.reviews.of(session.agentId, session.sessionId);
  const review = own?.lastDecision === undefined ? await chosenFrom(services, own) : own;
  if (review !== undefined) {
    await askAndTakeBack(services, review);
  }
}

async function chosenFrom(
  services: UndoRestoreServices,
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
    label: titleOf(review, services),
    description: `${whatText(decision)}${timeText(decision)}`,
    detail: listOf(decision.files.map((file) => ({ file }))),
    review,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Undo Restore or Undo All'),
    placeHolder:
      own === undefined
        ? l10n.t('In which session?')
        : l10n.t('Nothing of {0} can be brought back. Of another session?', nameOf(own, services)),
    matchOnDetail: true,
  });
  return picked?.review;
}

async function askAndTakeBack(services: UndoRestoreServices, review: SessionReview): Promise<void> {
  const plan = await review.planUndoRestore();
  if (plan === undefined || plan.files.length === 0) {
    const nothing = l10n.t('Nothing was restored or undone that could be brought back.');
    void showInformationMessage(sentences(nothing, plan?.leftAlone ?? []));
    return;
  }
  const name = titleOf(review, services);
  const title =
    plan.decision.what === 'restore'
      ? l10n.t('Undo Restore: {0}', name)
      : l10n.t('Bring Back What Was Undone: {0}', name);
  await showPreview(services.documents, title, plan.files);
  const used = await usedText(services.reviews, plan.files);
  const isWanted = await askAbovePreview(title, plan, used);
  await closeTabs(title);
  if (isWanted) {
    const { decided, leftAlone } = await review.undoRestore(plan);
    void showInformationMessage(
      sentences(l10n.t('The changes are back. Files: {0}.', decided.length), leftAlone),
    );
  }
}

async function askAbovePreview(
  title: string,
  plan: UndoRestorePlan,
  used: string,
): Promise<boolean> {
  const { files } = plan;
  const bringBack = {
    label: l10n.t('Bring Back'),
    description: listOf(files),
    detail: [used, detailsOf(plan)].join(' ').trim(),
  };
  const choices = [bringBack, ...lookAtAll(title, plan), { label: l10n.t('Cancel') }];
  const answer = await askAgainAfterLooking(choices, {
    title,
    placeHolder:
      files.length === 1
        ? l10n.t('Change 1 file? The preview shows how.')
        : l10n.t('Change {0} files? The preview shows how.', files.length),
    ignoreFocusOut: true,
  });
  return answer === bringBack;
}

function whatText({ what }: LastDecision): string {
  return what === 'restore' ? l10n.t('Restored') : l10n.t('Undone');
}

function timeText({ at }: LastDecision): string {
  return at === 0 ? '' : `, ${relativeTime(at, Date.now())}`;
}
