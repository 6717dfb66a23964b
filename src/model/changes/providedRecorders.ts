import type { ToolCallEntry } from '../../shared/transcript/entries';
import { withTimeout } from '../../util/async';
import { stackOf } from '../../util/stackOf';
import type { Log } from '../ports';
import { longestHold, type RecordedSession, type TurnRecorder } from './turnRecorder';

/** A session's recorder, loaded before its first turn. */
export class LateRecorder implements TurnRecorder {
  readonly #session: RecordedSession;
  readonly #load: () => Promise<TurnRecorder>;
  readonly #log: Pick<Log, 'warn'>;
  #recorder: Promise<TurnRecorder | undefined> | undefined;

  constructor(session: RecordedSession, load: () => Promise<TurnRecorder>, log: Pick<Log, 'warn'>) {
    this.#session = session;
    this.#load = load;
    this.#log = log;
  }

  async prepare(): Promise<void> {
    const recorder = await this.#loaded();
    await recorder?.prepare();
  }

  /** Loading holds the prompt no longer than a checkpoint may. */
  async begin(prompt: string): Promise<void> {
    const asked = performance.now();
    const begun = this.#loaded().then((recorder) => recorder?.begin(prompt, asked));
    await withTimeout(begun, longestHold, () => new Error('Still loading')).catch(() => undefined);
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
    this.#recorder ??= this.#load().catch((error: unknown) => {
      const { sessionId } = this.#session;
      this.#log.warn(`${sessionId}: its changes aren’t recorded: ${stackOf(error)}`);
      this.#recorder = undefined;
      return undefined;
    });
    return this.#recorder;
  }
}
