import type { Reviews, SessionReview } from '../../features/review/model/review';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';

type KnownReviews = Pick<Reviews, 'all' | 'of' | 'inUse' | 'onDidChange'>;

/** What the user does with the changes of a turn; each asks and tells by itself. */
export interface TurnActions {
  /** Shows them in an editor; without a turn, all that are pending. */
  show(review: SessionReview, turn?: number): Promise<unknown>;
  /** Shows what may be another session's, of all turns. */
  showUncertain(review: SessionReview): Promise<unknown>;
  keep(review: SessionReview, turn: number): Promise<unknown>;
  undo(review: SessionReview, turn: number): Promise<unknown>;
}

interface Provided {
  readonly reviews: KnownReviews;
  readonly actions: TurnActions;
}

/** Steps of a record within this time, in ms, are shown together. */
const frame = 16;

/** The reviews, for code that only shows them: there are none until their own code is loaded. */
export class LateReviews implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Like that of the reviews; also fires when they become available. */
  readonly onDidChange = this.#changed.event;
  #provided: readonly Provided[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** From now on until the result is disposed, these are the reviews; then they are those from before again. */
  provide(reviews: KnownReviews, actions: TurnActions): Disposable {
    const provided = { reviews, actions };
    this.#provided = [...this.#provided, provided];
    const listener = this.#store.add(reviews.onDidChange(() => this.#fireSoon()));
    this.#changed.fire();
    return toDisposable(() => {
      listener.dispose();
      this.#provided = this.#provided.filter((one) => one !== provided);
      this.#changed.fire();
    });
  }

  get actions(): TurnActions | undefined {
    return this.#provided.at(-1)?.actions;
  }

  get #reviews(): KnownReviews | undefined {
    return this.#provided.at(-1)?.reviews;
  }

  get all(): readonly SessionReview[] {
    return this.#reviews?.all ?? [];
  }

  async inUse(files: readonly string[]): ReturnType<Reviews['inUse']> {
    return (await this.#reviews?.inUse(files)) ?? new Map();
  }

  of(agentId: string, sessionId: string): SessionReview | undefined {
    return this.#reviews?.of(agentId, sessionId);
  }

  /** The number of files of a session that wait for a decision. */
  pendingIn(agentId: string, sessionId: string): number {
    return this.of(agentId, sessionId)?.pending.length ?? 0;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #fireSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, frame);
  }
}
