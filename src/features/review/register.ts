import path from 'node:path';
import { feature } from '../feature';
import { reviewCommandIds as ids } from './commandIds';
import {
  decideAll,
  decideAtCursor,
  decideChange,
  decideFiles,
  followAgent,
  goToReviewed,
  openReviewedFiles,
  reviewChanges,
  stopFollowing,
  undoLastDecision,
} from './reviewCommands';

/** Records what agents change, and lets the user keep or undo it. */
export const review = feature(ids, (core) => {
  const { context, log, previews, recording, review: made, reviews: shown, sessions } = core;
  const { own } = core.lifetime;
  own(
    recording.onDidLoad(({ reviews }) => {
      made.provide({ ...core, reviews });
      shown.provide(reviews, {
        show: async (of, turn) => (await made.load()).review(of.agentId, of.sessionId, turn),
        showUncertain: async (of) => (await made.load()).reviewUncertain(of),
        keep: async (of, turn) =>
          (await made.load()).decideSession('keep', of.agentId, of.sessionId, turn),
        undo: async (of, turn) =>
          (await made.load()).decideSession('undo', of.agentId, of.sessionId, turn),
      });
    }),
  );
  own(
    sessions.onDidDelete(({ agentId, sessionId }) => {
      void recording.forget(agentId, sessionId);
    }),
  );
  recording.provide({
    ...core,
    folder: path.join(context.globalStorageUri.fsPath, 'review'),
    files: made.files,
    log: log.component('review'),
  });
  return {
    commands: {
      [ids.reviewChanges]: (argument) => reviewChanges(core, argument),
      [ids.keepAllChanges]: (argument) => decideAll(core, 'keep', argument),
      [ids.undoAllChanges]: (argument) => decideAll(core, 'undo', argument),
      [ids.keepShownChanges]: (argument) => decideAll(core, 'keep', argument),
      [ids.undoShownChanges]: (argument) => decideAll(core, 'undo', argument),
      [ids.keepFile]: (...rows) => decideFiles(core, 'keep', rows),
      [ids.undoFile]: (...rows) => decideFiles(core, 'undo', rows),
      [ids.openReviewedFile]: (...rows) => openReviewedFiles(core, rows),
      [ids.keepChange]: (...args) => decideChange(core, 'keep', args),
      [ids.undoChange]: (...args) => decideChange(core, 'undo', args),
      [ids.keepAtCursor]: () => decideAtCursor(core, 'keep'),
      [ids.undoAtCursor]: () => decideAtCursor(core, 'undo'),
      [ids.nextReviewed]: () => goToReviewed(core, 1),
      [ids.previousReviewed]: () => goToReviewed(core, -1),
      [ids.followAgent]: () => followAgent(core),
      [ids.stopFollowing]: () => stopFollowing(core),

      [ids.undoRestore]: (argument) => undoLastDecision(core, argument),
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
    parts: {},
  };
});
