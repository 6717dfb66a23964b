import { feature } from '../feature';
import { reviewCommandIds as ids } from './commandIds';
import { reviewContextKeys } from './contextKeys';
import {
  askAnotherAgent,
  decideAll,
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
        [ids.keepShownChanges]: async (argument) =>
          decideAll(await reviewing.get(), panels, 'keep', argument),
        [ids.undoShownChanges]: async (argument) =>
          decideAll(await reviewing.get(), panels, 'undo', argument),
        [ids.keepFile]: async (...rows) => (await reviewing.get()).decideFiles('keep', rows),
        [ids.undoFile]: async (...rows) => (await reviewing.get()).decideFiles('undo', rows),
        [ids.openReviewedFile]: async (...rows) => (await reviewing.get()).openFiles(rows),
        // The arguments are those of VS Code's menu of a change in an editor.
        [ids.keepChange]: async (uri, changes, index) =>
          (await reviewing.get()).decideChange('keep', uri, changes, index),
        [ids.undoChange]: async (uri, changes, index) =>
          (await reviewing.get()).decideChange('undo', uri, changes, index),
        [ids.keepAtCursor]: async () => (await reviewing.get()).decideAtCursor('keep'),
        [ids.undoAtCursor]: async () => (await reviewing.get()).decideAtCursor('undo'),
        [ids.nextReviewed]: async () => (await reviewing.get()).move(1),
        [ids.previousReviewed]: async () => (await reviewing.get()).move(-1),
        [ids.followAgent]: async () => followAgent(await reviewing.get(), core),
        [ids.stopFollowing]: async () => (await reviewing.get()).following.end(),

        [ids.restoreBeforeTurn]: (argument) => restoreBeforeTurn(panels, argument),
        [ids.undoRestore]: async (argument) =>
          takeBackLastDecision({ ...services, reviews: await storedReviews.get() }, argument),
        // A key of its own, as VS Code would write that of a button into the button.
        [ids.previewAccept]: () => previews.answer(previews.active?.choices[0]),
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
