import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../model/ports';
import type { RecordedSession, TurnRecorder, TurnRecorders } from '../../model/review/turnRecorder';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { deferred } from '../../util/async';
import { Emitter } from '../../util/emitter';
import type { Recording, RecordingParts } from './recording';

/** Loads the recording with the first turn, or if there are records of the workspace's folders. */
export class RecordingLoader implements TurnRecorders {
  readonly #log: Log;
  readonly #parts = deferred<RecordingParts>();
  readonly #loaded = new Emitter<Recording>();
  /** Fires once. */
  readonly onDidLoad = this.#loaded.event;
  #recording: Promise<Recording> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Provides the parts, which are created after this object, and looks for stored records. */
  provide(parts: RecordingParts): void {
    this.#parts.resolve(parts);
    void this.#loadIfStored(parts).catch((error: unknown) => this.#log.warn(String(error)));
  }

  of(session: RecordedSession): TurnRecorder {
    return new LateRecorder(session, () => this.load(), this.#log);
  }

  load(): Promise<Recording> {
    this.#recording ??= this.#load();
    return this.#recording;
  }

  /** A session was deleted. Records that exist are loaded already. */
  async forget(agentId: string, sessionId: string): Promise<void> {
    await (await this.#recording)?.reviews.forget(agentId, sessionId);
  }

  /** Ends what was loaded. */
  async close(): Promise<void> {
    await (await this.#recording?.catch(() => undefined))?.close();
    this.#loaded.dispose();
  }

  async #load(): Promise<Recording> {
    const { Recording: Loaded } = await import('./recording');
    const recording = new Loaded(await this.#parts.promise);
    this.#loaded.fire(recording);
    await recording.reviews.load();
    return recording;
  }

  async #loadIfStored({ folder, workspace, realPath }: RecordingParts): Promise<void> {
    for (const { path: place } of workspace.folders) {
      const real = await realPath(place);
      if (real !== undefined && (await exists(path.join(folder, folderName(real))))) {
        await this.load();
        return;
      }
    }
  }
}

/** A session's recorder, loaded with its first turn. */
class LateRecorder implements TurnRecorder {
  readonly #session: RecordedSession;
  readonly #load: () => Promise<Recording>;
  readonly #log: Log;
  #recorder: TurnRecorder | undefined;

  constructor(session: RecordedSession, load: () => Promise<Recording>, log: Log) {
    this.#session = session;
    this.#load = load;
    this.#log = log;
  }

  async begin(prompt: string): Promise<void> {
    try {
      this.#recorder ??= (await this.#load()).recorder.of(this.#session);
      await this.#recorder.begin(prompt);
    } catch (error) {
      this.#log.warn(`${this.#session.sessionId}: its changes aren’t recorded: ${String(error)}`);
    }
  }

  end(): void {
    this.#recorder?.end();
  }

  write(file: string, write: () => Promise<void>): Promise<void> {
    return this.#recorder === undefined ? write() : this.#recorder.write(file, write);
  }

  completed(call: ToolCallEntry): void {
    this.#recorder?.completed(call);
  }
}

/** As `StoredReviews` names the folder of a workspace folder. */
function folderName(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}

async function exists(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  );
}
