import type { ToolCallEntry } from '../../../shared/transcript/entries';
import type { Disposable } from '../../../util/disposable';
import type { RecordedReview } from '../recordedReview';
import { RecordedTurn } from './recordedTurn';
import { type RecorderOptions, usualLimits } from './recorderOptions';
import type { RecordedSession, TurnRecorder, TurnRecorders } from './turnRecorder';
import { changeOf, type UserSave } from './userSave';

const promptLength = 200;

/** Records what the agents of this window change, from everything that is known about it. */
export class Recorder implements TurnRecorders, Disposable {
  readonly #options: RecorderOptions;
  /** Turns that haven't ended, or whose last changes aren't recorded yet. */
  readonly #running = new Set<RecordedTurn>();
  /** Files that agents are writing through us. */
  readonly #writing = new Set<string>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  of(session: RecordedSession): TurnRecorder {
    return new SessionRecorder(session, this.#options, this.#running, this.#writing);
  }

  /** The user has saved a file, or created or deleted it. What the review or an agent saves is told apart. */
  async saved(save: UserSave): Promise<void> {
    if (this.#writing.has(save.file)) {
      return;
    }
    const turns = [...this.#running];
    const resting = this.#options.reviews
      .tracking(save.file)
      .filter((review) => !turns.some((turn) => turn.review === review));
    await Promise.all([
      ...turns.map((turn) => turn.saved(save)),
      ...resting.map((review) => this.#savedAtRest(review, save)),
    ]);
  }

  async #savedAtRest({ record }: RecordedReview, save: UserSave): Promise<void> {
    try {
      const change = await changeOf(record, save);
      const turn = record.state.lastTurn;
      if (change !== undefined) {
        await record.addSteps({ by: 'user', source: 'editor', turn }, [change]);
      }
    } catch (error) {
      this.#options.log.warn(`${record.sessionId}: a save could not be recorded: ${String(error)}`);
    }
  }

  dispose(): void {
    for (const turn of this.#running) {
      turn.dispose();
    }
    this.#running.clear();
  }
}

class SessionRecorder implements TurnRecorder {
  readonly #session: RecordedSession;
  readonly #options: RecorderOptions;
  readonly #all: Set<RecordedTurn>;
  readonly #writing: Set<string>;
  #turn: RecordedTurn | undefined;
  #isPrepared = false;

  constructor(
    session: RecordedSession,
    options: RecorderOptions,
    all: Set<RecordedTurn>,
    writing: Set<string>,
  ) {
    this.#session = session;
    this.#options = options;
    this.#all = all;
    this.#writing = writing;
  }

  async prepare(): Promise<void> {
    if (!this.#isPrepared) {
      this.#isPrepared = true;
      const { checkpoints, realPath } = this.#options;
      const { folders } = this.#session;
      const real = await Promise.all(folders.map(async (it) => (await realPath(it)) ?? it));
      await checkpoints.take(real).catch(() => undefined);
    }
  }

  async begin(prompt: string, asked = performance.now()): Promise<void> {
    const { promptMs } = this.#options.limits ?? usualLimits;
    const turn = this.#another();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, promptMs - (performance.now() - asked));
    });
    await Promise.race([turn.begin(prompt.slice(0, promptLength)), late]);
    clearTimeout(timer);
    turn.sent();
  }

  beginUnprompted(after: string): void {
    const turn = this.#another();
    turn.sent();
    void turn.begin(after.slice(0, promptLength), true);
  }

  acted(): void {
    this.#turn?.acted();
  }

  /** What the agent still writes afterwards is its last turn's. */
  end(): void {
    void this.#turn?.end();
  }

  async write(file: string, write: () => Promise<void>): Promise<void> {
    if (this.#turn === undefined) {
      return write();
    }
    this.#writing.add(file);
    try {
      await this.#turn.write(file, write);
    } finally {
      this.#writing.delete(file);
    }
  }

  completed(call: ToolCallEntry): void {
    this.#turn?.completed(call);
  }

  #another(): RecordedTurn {
    this.#isPrepared = true;
    this.end();
    this.#turn = new RecordedTurn(this.#session, this.#options, this.#all);
    return this.#turn;
  }
}
