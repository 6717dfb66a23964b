import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { LateRecorder } from '../../model/changes/providedRecorders';
import type {
  RecordedSession,
  TurnRecorder,
  TurnRecorders,
} from '../../model/changes/turnRecorder';
import type { Log } from '../../model/ports';
import { deferred } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { Lazy } from '../../util/lazy';
import { part } from '../../util/part';
import { stackOf } from '../../util/stackOf';
import type { Recording, RecordingParts } from './recording';

const loadRecording = part(() => import('./recording'));

/** Loads the recording with the first turn, or if there are records of the window's folders. */
export class RecordingLoader implements TurnRecorders {
  readonly #log: Log;
  readonly #parts = deferred<RecordingParts>();
  readonly #loaded = new Emitter<Recording>();
  /** Fires once. */
  readonly onDidLoad = this.#loaded.event;
  #places: Disposable | undefined;
  readonly #created = new Lazy(async () => {
    const parts = await this.#parts.promise;
    const { Recording: Loaded } = await loadRecording();
    const recording = new Loaded(parts);
    this.#loaded.fire(recording);
    return recording;
  });
  /** With all stored records. */
  readonly #recording = new Lazy(async () => {
    const recording = await this.#created.get();
    await recording.reviews.load();
    return recording;
  });

  constructor(log: Log) {
    this.#log = log;
  }

  /** Provides the parts, which are created after this object, and looks for stored records. */
  provide(parts: RecordingParts): void {
    this.#parts.resolve(parts);
    const look = (): void => {
      void this.#loadIfStored(parts).catch((error: unknown) => this.#log.warn(stackOf(error)));
    };
    this.#places = parts.recordedPlaces.onDidChange(look);
    look();
  }

  of(session: RecordedSession): TurnRecorder {
    const load = async (): Promise<TurnRecorder> => {
      // A turn needs only its own session's record.
      void this.load().catch(() => undefined);
      return (await this.#created.get()).recorder.of(session);
    };
    return new LateRecorder(session, load, this.#log);
  }

  /** Resolves when all stored records are read. */
  load(): Promise<Recording> {
    return this.#recording.get();
  }

  /** A session was deleted. Records that exist are loaded already. */
  async forget(agentId: string, sessionId: string): Promise<void> {
    await (await this.#recording.made)?.reviews.forget(agentId, sessionId);
  }

  /** Ends what was loaded. */
  async close(): Promise<void> {
    this.#places?.dispose();
    await (await this.#created.made?.catch(() => undefined))?.close();
    this.#loaded.dispose();
  }

  async #loadIfStored({ folder, recordedPlaces }: RecordingParts): Promise<void> {
    if (this.#recording.made !== undefined) {
      return;
    }
    const stored = new Set(await readdir(folder).catch(() => []));
    const places = stored.size === 0 ? [] : await recordedPlaces.real();
    if (places.some((place) => stored.has(folderName(place)))) {
      await this.load();
    }
  }
}

/** As `StoredReviews` names the folder of a workspace folder. */
function folderName(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}
