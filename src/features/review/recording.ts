import path from 'node:path';
import type { UserSave } from '../../model/changes/userSave';
import type { Log, RealPath, Workspace } from '../../model/ports';
import type { Sessions } from '../../model/session/sessions';
import type { OwnWrites } from '../../platform/files/ownWrites';
import { gitProgram } from '../../platform/gitProgram';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { AgreedDeletions } from './files/agreedDeletions';
import { UserSaves } from './files/userSaves';
import { VsCodeReviewFiles } from './files/vsCodeReviewFiles';
import { FolderOfBlobs } from './model/checkpoints/folderOfBlobs';
import { GitCheckpoints } from './model/checkpoints/gitCheckpoints';
import { tidyReviews } from './model/checkpoints/tidyReviews';
import type { RecordedPlaces } from './model/recordedPlaces';
import { Recorder } from './model/recording/recorder';
import { StoredReviews } from './model/storedReviews';
import { recordLimits, takesCheckpoints } from './settings';

export interface RecordingParts {
  /** The folder in which records and checkpoints are stored. */
  readonly folder: string;
  readonly ownWrites: OwnWrites;
  readonly agreedDeletions: AgreedDeletions;
  readonly workspace: Workspace;
  readonly recordedPlaces: RecordedPlaces;
  readonly sessions: Pick<Sessions, 'all'>;
  readonly realPath: RealPath;
  readonly log: Log;
}

/** Old records are removed after this time, in ms, when start-up is over and the user doesn't wait for it. */
const tidyAfter = 60_000;

/** Records what agents change in this window; a part that is loaded with the first turn. */
export class Recording implements Disposable {
  readonly reviews: StoredReviews;
  readonly recorder: Recorder;
  readonly files: VsCodeReviewFiles;
  readonly saves: UserSaves;
  readonly #parts: RecordingParts;
  readonly #store = new DisposableStore();
  readonly #checkpoints: GitCheckpoints;
  readonly #tidying: ReturnType<typeof setTimeout>;

  constructor(parts: RecordingParts) {
    const { folder, ownWrites, realPath, workspace, sessions, log } = parts;
    const { agreedDeletions, recordedPlaces: places } = parts;
    this.#parts = parts;
    this.files = this.#store.add(
      new VsCodeReviewFiles({
        own: ownWrites,
        folders: () => [...places.folders(), ...sessions.all.flatMap(({ roots }) => roots)],
        mayDeleteForGood: (deleted) => agreedDeletions.mayDelete(deleted),
      }),
    );
    this.reviews = this.#store.add(
      new StoredReviews({
        folder,
        files: this.files,
        blobs: (session) => new FolderOfBlobs(path.join(session, 'blobs')),
        places: () => places.real(),
        findFolder: (agentId, sessionId) => places.findFolder(agentId, sessionId),
        log,
      }),
    );
    this.#checkpoints = this.#store.add(
      new GitCheckpoints({
        storage: folder,
        git: gitProgram,
        hindrance: () =>
          workspace.trusted ? (takesCheckpoints() ? undefined : 'off') : 'untrusted',
        realPath,
        log,
      }),
    );
    this.recorder = this.#store.add(
      new Recorder({
        reviews: this.reviews,
        checkpoints: this.#checkpoints,
        files: this.files,
        realPath,
        log,
      }),
    );
    this.saves = this.#store.add(new UserSaves(ownWrites));
    this.#store.add(this.saves.onDidUserSave((save) => void this.noteSaved(save)));
    this.#store.add(places.onDidChange(() => void this.reviews.load()));
    this.#tidying = setTimeout(() => void this.#tidy(), tidyAfter);
    this.#tidying.unref();
  }

  /** Notes what the user has done to a file, also by a command. */
  async noteSaved(save: UserSave): Promise<void> {
    const file = (await this.#parts.realPath(save.file)) ?? save.file;
    await this.recorder.saved({ ...save, file });
  }

  /** Closes the reviews, and leaves the checkpoints to the next window. */
  async close(): Promise<void> {
    await this.#checkpoints.close();
    this.dispose();
  }

  dispose(): void {
    clearTimeout(this.#tidying);
    this.#store.dispose();
  }

  async #tidy(): Promise<void> {
    const { folder, log } = this.#parts;
    const { reviews } = this;
    const removed = await tidyReviews(folder, recordLimits(), (it) => reviews.uses(it));
    if (removed.length > 0) {
      log.info(`removed ${removed.length} old records of changes`);
    }
  }
}
