import type { Sessions } from '../../model/session/sessions';
import type { OwnWrites } from '../../platform/files/ownWrites';
import { deferred } from '../../util/async';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Lazy } from '../../util/lazy';
import { part } from '../../util/part';
import type { AgreedDeletions } from './files/agreedDeletions';
import type { VsCodeReviewFiles } from './files/reviewFiles';
import type { RecordedPlaces } from './model/recordedPlaces';
import type { ReviewFiles } from './model/reviewFiles';
import type { Reviewing, ReviewServices } from './reviewing';

export interface ReviewFilesParts {
  readonly ownWrites: OwnWrites;
  readonly agreedDeletions: AgreedDeletions;
  readonly recordedPlaces: Pick<RecordedPlaces, 'folders'>;
  readonly sessions: Pick<Sessions, 'all'>;
  /** Loads the record of changes, after which `provide` is called. */
  readonly recording: { load(): Promise<unknown> };
}

const loadReviewing = part(() => import('./reviewing'));

/** Loads the part for the review with the first file that waits or the first command, not before. */
export class ReviewLoader implements Disposable {
  readonly #store = new DisposableStore();
  readonly #services = deferred<ReviewServices>();
  readonly #files: Lazy<VsCodeReviewFiles>;
  readonly #reviewing: Lazy<Reviewing>;

  /** For the record, which is created before the views. */
  readonly files: ReviewFiles = {
    look: async (file) => (await this.#files.get()).look(file),
    replace: async (files, done) => (await this.#files.get()).replace(files, done),
    decode: async (file, bytes) => (await this.#files.get()).decode(file, bytes),
    howToDelete: async (files) => (await this.#files.get()).howToDelete(files),
    encode: async (file, text, like) => (await this.#files.get()).encode(file, text, like),
  };

  constructor(parts: ReviewFilesParts) {
    const { ownWrites, agreedDeletions, recordedPlaces, sessions } = parts;
    this.#files = new Lazy(async () =>
      (await loadReviewing()).reviewFiles({
        own: ownWrites,
        agreedDeletions,
        folders: () => [...recordedPlaces.folders(), ...sessions.all.flatMap(({ roots }) => roots)],
      }),
    );
    this.#reviewing = new Lazy(async () => {
      await parts.recording.load();
      const { Reviewing: Loaded } = await loadReviewing();
      return new Loaded(await this.#services.promise);
    });
  }

  /** Provides the services, which are created after this object. */
  provide(services: ReviewServices): void {
    this.#services.resolve(services);
    const { reviews } = services;
    const look = (): void => {
      const waits = reviews.all.some(
        ({ pending, uncertain }) => pending.length > 0 || uncertain.length > 0,
      );
      if (reviews.interrupted.length > 0 || waits) {
        // The user is told if it can't be loaded.
        this.load().catch(() => undefined);
      }
    };
    this.#store.add(reviews.onDidChange(look));
    look();
  }

  load(): Promise<Reviewing> {
    return this.#reviewing.get();
  }

  dispose(): void {
    this.#store.dispose();
    void this.#reviewing.made?.then((reviewing) => reviewing.dispose());
    void this.#files.made?.then((files) => files.dispose());
  }
}
