import type { ToolCallEntry } from '../../shared/transcript/entries';
import type { Disposable } from '../../util/disposable';
import type { RecordedReview } from './recordedReview';
import {
  changeOf,
  RecordedTurn,
  type RecorderOptions,
  type UserSave,
  usualLimits,
} from './recordedTurn';
import type { RecordedSession, TurnRecorder, TurnRecorders } from './turnRecorder';

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

  async begin(prompt: string): Promise<void> {
    this.end();
    const { promptMs } = this.#options.limits ?? usualLimits;
    const turn = new RecordedTurn(this.#session, this.#options, this.#all);
    this.#turn = turn;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        turn.isLate = true;
        resolve();
      }, promptMs);
    });
    await Promise.race([turn.begin(prompt.slice(0, promptLength)), late]);
    clearTimeout(timer);
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
}
