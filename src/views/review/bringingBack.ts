import * as l10n from '@vscode/l10n';
import type { LeftAlone, SessionReview } from '../../model/review/review';
import { showInformationMessage } from '../../platform/ui/messages';
import { sentences } from './restorePreview';

/** A decision that a message has just named. */
export interface NamedDecision {
  readonly review: SessionReview;
  /** Its `LastDecision.id`. */
  readonly decision: string;
}

/** Takes these decisions back at once, each only if it is its session's last one still, and tells. */
export async function bringBack(decisions: readonly NamedDecision[]): Promise<void> {
  const files: string[] = [];
  const leftAlone: LeftAlone[] = [];
  let overtaken = 0;
  for (const { review, decision } of decisions) {
    await review.refresh();
    if (review.lastDecision?.id === decision) {
      const outcome = await review.undoRestore(decision);
      files.push(...outcome.decided);
      leftAlone.push(...outcome.leftAlone);
    } else {
      overtaken++;
    }
  }
  const text = l10n.t('The changes are back. Files: {0}.', files.length);
  void showInformationMessage(
    overtaken === decisions.length
      ? l10n.t(
          'Nothing was brought back: more was undone or restored since, or it is back already. Run “Undo Restore or Undo All” to see what the last decision was.',
        )
      : sentences(text, leftAlone),
  );
}
