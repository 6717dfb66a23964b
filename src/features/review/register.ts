import { feature } from '../feature';
import { reviewCommandIds as ids } from './commandIds';
import { reviewContextKeys } from './contextKeys';
import {
  answerPreview,
  askAnotherAgent,
  decideAll,
  decideChange,
  followAgent,
  restoreBeforeTurn,
  reviewChanges,
  takeBackLastDecision,
} from './reviewCommands';
import { reviewSettingKeys } from './settings';
import { startReview } from './startReview';

/** Records what agents change, and lets the user keep or undo it. */
export const review = feature(
  { commandIds: ids, settingKeys: reviewSettingKeys, contextKeys: reviewContextKeys },
  (core) => {
    const { panels, previews } = core;
    const { services, recording, storedReviews, reviewing } = startReview(core);
    return {
      commands: {
        [ids.reviewChanges]: async (argument) =>
          reviewChanges(await reviewing.get(), panels, argument),
        [ids.askForReview]: async (argument) =>
          askAnotherAgent(await reviewing.get(), core, argument),
        [ids.keepAllChanges]: async (argument) =>
          decideAll(await reviewing.get(), panels, 'keep', argument),
        [ids.undoAllChanges]: async (argument) =>
          decideAll(await reviewing.get(), panels, 'undo', argument),
        [ids.keepFile]: async (...rows) => (await reviewing.get()).decideFiles('keep', rows),
        [ids.undoFile]: async (...rows) => (await reviewing.get()).decideFiles('undo', rows),
        [ids.openReviewedFile]: async (...rows) => (await reviewing.get()).openFiles(rows),
        [ids.keepChange]: async (...args) => decideChange(await reviewing.get(), 'keep', args),
        [ids.undoChange]: async (...args) => decideChange(await reviewing.get(), 'undo', args),
        [ids.nextReviewed]: async () => (await reviewing.get()).move(1),
        [ids.previousReviewed]: async () => (await reviewing.get()).move(-1),
        [ids.followAgent]: async () => followAgent(await reviewing.get(), core),
        [ids.stopFollowing]: async () => (await reviewing.get()).following.end(),

        [ids.restoreBeforeTurn]: (argument) => restoreBeforeTurn(panels, argument),
        [ids.undoRestore]: async (argument) =>
          takeBackLastDecision({ ...services, reviews: await storedReviews.get() }, argument),
        [ids.answerPreview]: (argument) => answerPreview(previews, argument),
        [ids.previewRestore]: () => previews.answer('restore'),
        [ids.previewRestoreAndGoBack]: () => previews.answer('restoreAndGoBack'),
        [ids.previewBringBack]: () => previews.answer('bringBack'),
        [ids.previewKeepMyEdits]: () => previews.answer('keepMyEdits'),
        [ids.previewDiscardMyEdits]: () => previews.answer('discardMyEdits'),
        [ids.previewApply]: () => previews.answer('apply'),
        [ids.previewApplyWithoutConflicts]: () => previews.answer('applyWithoutConflicts'),
      },
      parts: { recording, storedReviews },
    };
  },
);
