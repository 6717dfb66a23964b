import type {
  RecordedSession,
  TurnRecorder,
  TurnRecorders,
} from '../../../../model/changes/turnRecorder';
import type { UserSave } from '../../../../model/changes/userSave';
import type { ToolCallEntry } from '../../../../shared/transcript/entries';
import { type Disposable, DisposableStore } from '../../../../util/disposable';
import { getStack } from '../../../../util/getStack';
import { getBeginning } from '../../../../util/textParts';
import type { Checkpoint } from '../checkpoints/checkpoints';
import type { RecordedReview } from '../recordedReview';
import { RecordedTurn, type TurnsOfWindow } from './recordedTurn';
import { type RecorderOptions, usualLimits } from './recorderOptions';
import { storeUserChange } from './storeUserChange';

const promptLength = 200;
/** While the user goes on writing a prompt, it is prepared again after this time, in ms: git doesn't wait for ever. */
const preparedMs = 45_000;
/** What other sessions name within this time, in ms, is looked at together. */
const settleMs = 200;

/** Records what the agents of this window change, from everything that is known about it. */
export class Recorder implements TurnRecorders, Disposable {
  readonly #options: RecorderOptions;
  /** Turns that haven't ended, or whose last changes aren't recorded yet. */
  readonly #running = new Set<RecordedTurn>();
  /** Turns that have ended, and some of whose changes another session may still name. */
  readonly #unsettled = new Set<RecordedTurn>();
  /** Files that agents are writing through us. */
  readonly #writing = new Set<string>();

  readonly #store = new DisposableStore();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#store.add(options.reviews.work.onDidChange(() => this.#settleSoon()));
  }

  of(session: RecordedSession): TurnRecorder {
    return new SessionRecorder(session, this.#options, {
      running: this.#running,
      unsettled: this.#unsettled,
      writing: this.#writing,
    });
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
      this.#options.reviews.work.saved(save.file),
      ...turns.map((turn) => turn.saved(save)),
      ...resting.map((review) => this.#savedAtRest(review, save)),
    ]);
  }

  async #savedAtRest({ record }: RecordedReview, save: UserSave): Promise<void> {
    try {
      const change = await storeUserChange(record, save);
      const turn = record.state.lastTurn;
      if (change !== undefined) {
        await record.addSteps({ by: 'user', source: 'editor', turn }, [change]);
      }
    } catch (error) {
      this.#options.log.warn(
        `${record.sessionId}: a save could not be recorded: ${getStack(error)}`,
      );
    }
  }

  /** Looks again at what turns have left as uncertain: other sessions may name it now. */
  #settleSoon(): void {
    if (this.#unsettled.size > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#settle();
      }, settleMs);
    }
  }

  async #settle(): Promise<void> {
    for (const turn of this.#unsettled) {
      if (!(await turn.settle())) {
        this.#unsettled.delete(turn);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
    this.#unsettled.clear();
    for (const turn of this.#running) {
      turn.dispose();
    }
    this.#running.clear();
  }
}

/** What the recorders of a window have in common. */
interface Shared extends TurnsOfWindow {
  readonly writing: Set<string>;
}

class SessionRecorder implements TurnRecorder {
  readonly #session: RecordedSession;
  readonly #options: RecorderOptions;
  readonly #shared: Shared;
  #turn: RecordedTurn | undefined;
  /** Nothing is prepared before this time, by `performance.now()`. */
  #restsUntil = 0;
  /** The checkpoint that was taken before the first turn. */
  #earlier: Checkpoint | undefined;

  constructor(session: RecordedSession, options: RecorderOptions, shared: Shared) {
    this.#session = session;
    this.#options = options;
    this.#shared = shared;
  }

  async prepare(): Promise<void> {
    const now = performance.now();
    if (now >= this.#restsUntil) {
      this.#restsUntil = now + preparedMs;
      const { checkpoints, realPath } = this.#options;
      const { folders } = this.#session;
      const real = await Promise.all(folders.map(async (it) => (await realPath(it)) ?? it));
      const taken = await checkpoints.prepare(real).catch(() => undefined);
      this.#earlier ??= typeof taken === 'object' ? taken : undefined;
    }
  }

  async begin(prompt: string, asked = performance.now()): Promise<void> {
    const { promptMs } = this.#options.limits ?? usualLimits;
    const turn = this.#another();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, promptMs - (performance.now() - asked));
    });
    await Promise.race([turn.begin(getBeginning(prompt, promptLength)), late]);
    clearTimeout(timer);
    turn.sent();
  }

  beginUnprompted(after: string): void {
    const turn = this.#another();
    turn.sent();
    void turn.begin(getBeginning(after, promptLength), true);
  }

  acted(call?: ToolCallEntry): void {
    this.#turn?.acted(call);
  }

  runs(command: string, folder: string, exited: Promise<unknown>): void {
    void this.#turn?.runs(command, folder, exited);
  }

  /** What the agent still writes afterwards is its last turn's. */
  end(): void {
    this.#restsUntil = 0;
    void this.#turn?.end();
  }

  async write(file: string, write: () => Promise<void>): Promise<void> {
    if (this.#turn === undefined) {
      return write();
    }
    const { writing } = this.#shared;
    writing.add(file);
    try {
      await this.#turn.write(file, write);
    } finally {
      writing.delete(file);
    }
  }

  completed(call: ToolCallEntry): void {
    this.#turn?.completed(call);
  }

  #another(): RecordedTurn {
    this.end();
    this.#restsUntil = Number.POSITIVE_INFINITY;
    const [before, first] = [this.#turn, this.#earlier];
    this.#earlier = undefined;
    const earlier = (): Checkpoint | undefined => before?.checkpoint ?? first;
    this.#turn = new RecordedTurn(this.#session, this.#options, this.#shared, earlier);
    return this.#turn;
  }
}
