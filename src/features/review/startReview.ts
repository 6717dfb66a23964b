import path from 'node:path';
import type { Core } from '../../core/core';
import { getStack } from '../../util/getStack';
import { Lazy } from '../../util/lazy';
import { part } from '../../util/part';
import { AgreedDeletions } from './files/agreedDeletions';
import { RecordedPlaces } from './model/recordedPlaces';
import { hasRecords } from './model/recordFolders';
import type { Reviews } from './model/review';

const loadRecording = part(() => import('./recording'));
const loadReviewing = part(() => import('./reviewing'));

/** Gives the core what records turns and what is recorded. Both are loaded once they are needed. */
export function startReview(core: Core) {
  const { context, recorders, sessions } = core;
  const { own } = core.lifetime;
  const services = {
    ...core,
    folder: path.join(context.globalStorageUri.fsPath, 'review'),
    agreedDeletions: new AgreedDeletions(),
    recordedPlaces: own(new RecordedPlaces(core)),
    log: core.log.component('review'),
  };
  /** Made with the first turn, or if there are records of the window's folders. */
  const recording = new Lazy(async () => {
    const { Recording } = await loadRecording();
    const made = new Recording(services);
    core.reviews.provide(made.reviews, {
      actions: () => reviewing.get(),
      noteSaved: (save) => made.noteSaved(save),
    });
    own(made.reviews.onDidChange(() => showIfWanted(made.reviews)));
    return made;
  });
  /** The review of all stored records. */
  const storedReviews = new Lazy(async () => {
    const { reviews } = await recording.get();
    await reviews.load();
    return reviews;
  });
  /** Made with the first file that waits, or the first command. */
  const reviewing = new Lazy(async () => {
    const reviews = await storedReviews.get();
    const { Reviewing } = await loadReviewing();
    return own(new Reviewing({ ...services, reviews }));
  });
  const showIfWanted = (reviews: Reviews): void => {
    if (waits(reviews)) {
      // The user is told if it can't be loaded.
      reviewing.get().catch(() => undefined);
    }
  };
  const loadIfStored = async (): Promise<void> => {
    const { folder, recordedPlaces, log } = services;
    try {
      const places = (): Promise<readonly string[]> => recordedPlaces.real();
      if (storedReviews.made === undefined && (await hasRecords(folder, places))) {
        await storedReviews.get();
      }
    } catch (error) {
      log.warn(getStack(error));
    }
  };
  own(services.recordedPlaces.onDidChange(() => void loadIfStored()));
  void loadIfStored();
  recorders.provide(async (session) => {
    // A turn needs only its own session's record.
    storedReviews.get().catch(() => undefined);
    return (await recording.get()).recorder.of(session);
  });
  own(
    sessions.onDidDelete(({ agentId, sessionId }) => {
      // Records that exist are loaded already.
      void storedReviews.made?.then((reviews) => reviews.forget(agentId, sessionId));
    }),
  );
  core.lifetime.beforeEnd(async () => (await recording.made?.catch(() => undefined))?.close());
  return { services, recording, storedReviews, reviewing };
}

/** Whether there is something that the user has to see or decide. */
function waits({ all, interrupted }: Reviews): boolean {
  return (
    interrupted.length > 0 ||
    all.some(({ pending, uncertain }) => pending.length > 0 || uncertain.length > 0)
  );
}
