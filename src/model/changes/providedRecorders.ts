import type { ToolCallEntry } from '../../shared/transcript/entries';
import { withTimeout } from '../../util/async';
import { getStack } from '../../util/getStack';
import { Slot } from '../../util/slot';
import type { Log } from '../ports';
import {
  maxHoldMs,
  type RecordedSession,
  type TurnRecorder,
  type TurnRecorders,
} from './turnRecorder';

type RecorderOf = (session: RecordedSession) => Promise<TurnRecorder>;

/** Records turns once a feature provides that. A turn that begins before has the features loaded, and waits for them. */
export class ProvidedRecorders extends Slot<RecorderOf> implements TurnRecorders {
  readonly #log: Pick<Log, 'warn'>;

  /** `features` as of `Slot`. */
  constructor(features: () => Promise<unknown>, log: Pick<Log, 'warn'>) {
    super(features);
    this.#log = log;
  }

  of(session: RecordedSession): TurnRecorder {
    return new AwaitedRecorder(() => this.#load(session));
  }

  /** `undefined` if nothing records, or it can't be loaded; whoever needs it next tries again. */
  async #load(session: RecordedSession): Promise<TurnRecorder | undefined> {
    try {
      const findRecorder = await this.awaited();
      return await findRecorder?.(session);
    } catch (error) {
      const { sessionId } = session;
      this.#log.warn(`${sessionId}: its changes aren’t recorded: ${getStack(error)}`);
      return undefined;
    }
  }
}

/** A session's recorder, loaded before its first turn. */
class AwaitedRecorder implements TurnRecorder {
  readonly #load: () => Promise<TurnRecorder | undefined>;
  #recorder: Promise<TurnRecorder | undefined> | undefined;

  constructor(load: () => Promise<TurnRecorder | undefined>) {
    this.#load = load;
  }

  async prepare(): Promise<void> {
    const recorder = await this.#loaded();
    await recorder?.prepare();
  }

  /** Loading holds the prompt no longer than a checkpoint may. */
  async begin(prompt: string): Promise<void> {
    const asked = performance.now();
    const begun = this.#loaded().then((recorder) => recorder?.begin(prompt, asked));
    await withTimeout(begun, maxHoldMs, () => new Error('Still loading')).catch(() => undefined);
  }

  beginUnprompted(after: string): void {
    void this.#loaded().then((recorder) => recorder?.beginUnprompted(after));
  }

  acted(call?: ToolCallEntry): void {
    void this.#recorder?.then((recorder) => recorder?.acted(call));
  }

  runs(command: string, folder: string, exited: Promise<unknown>): void {
    void this.#recorder?.then((recorder) => recorder?.runs(command, folder, exited));
  }

  end(): void {
    void this.#recorder?.then((recorder) => recorder?.end());
  }

  async write(file: string, write: () => Promise<void>): Promise<void> {
    const recorder = await this.#recorder;
    await (recorder === undefined ? write() : recorder.write(file, write));
  }

  completed(call: ToolCallEntry): void {
    void this.#recorder?.then((recorder) => recorder?.completed(call));
  }

  #loaded(): Promise<TurnRecorder | undefined> {
    this.#recorder ??= this.#load().then((recorder) => {
      if (recorder === undefined) {
        this.#recorder = undefined;
      }
      return recorder;
    });
    return this.#recorder;
  }
}
