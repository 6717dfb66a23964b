import type { SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';
import type { KnownReview, KnownReviews } from './reviews';
import type { UserSave } from './userSave';

/** The two sides of a file's change, as URIs; `undefined`: there is no file. */
export interface Compared {
  /** Absolute path. */
  readonly file: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** What a read-only document of a change shows. */
export interface ReviewedState {
  readonly session: SessionRef;
  /** Absolute path of the file. */
  readonly file: string;
  readonly side: 'before' | 'after';
}

/** Going back in the conversation when files are restored. */
export interface GoingBack {
  /** The user has chosen that already, and isn't asked about it. */
  readonly isChosen: boolean;
  run(): unknown;
}

/** What the user does with a session's changes; each asks and tells by itself. */
export interface ReviewActions {
  /** Shows them in an editor; without a turn, all that are pending. */
  show(session: SessionRef, turn?: number): Promise<unknown>;
  /** Shows what may be another session's, of all turns. */
  showUncertain(session: SessionRef): Promise<unknown>;
  /** Shows the pending change of one file. */
  showFile(session: SessionRef, file: string): Promise<unknown>;
  keep(session: SessionRef, turn: number): Promise<unknown>;
  undo(session: SessionRef, turn: number): Promise<unknown>;
  /**
   * Restores the files to what they were before a turn, once the user agrees, and goes back in the conversation if that
   * is offered and chosen. `prompt`: what the turn began with.
   */
  restoreBefore(
    session: SessionRef,
    turn: number,
    prompt: string,
    back?: GoingBack,
  ): Promise<unknown>;
  /** The pending changes that can be compared. */
  compared(session: SessionRef): readonly Compared[];
  /** What a document is, by its URI; `undefined` if it isn't one of the review's. */
  about(document: string): ReviewedState | undefined;
}

interface Provider {
  readonly actions: () => Promise<ReviewActions>;
  /** The user has changed a file by a command of ours: that isn't an agent's change. */
  readonly noteSaved: (save: UserSave) => Promise<void>;
}

interface Provided extends Provider {
  readonly reviews: KnownReviews;
}

/** Comments on lines that wait to be sent to their sessions. */
export interface WaitingComments {
  count(session: SessionRef): number;
  /** A list of them in Markdown, with the paths of files as they are in this folder; bounded. */
  asText(session: SessionRef, folder: string): string;
  send(session: SessionRef): Promise<unknown>;
  readonly onDidChange: Event<void>;
}

/** Steps of a record within this time, in ms, are shown together. */
const frame = 16;

/** The reviews, for code that only shows them: there are none until a feature provides them. */
export class ProvidedReviews implements KnownReviews, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Fires when the reviews change, or become available. */
  readonly onDidChange = this.#changed.event;
  #provided: readonly Provided[] = [];
  #comments: WaitingComments | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Makes these the reviews until the result is disposed; then they are those from before again. */
  provide(reviews: KnownReviews, provider: Provider): Disposable {
    const provided = { reviews, ...provider };
    this.#provided = [...this.#provided, provided];
    const listener = this.#store.add(reviews.onDidChange(() => this.#fireSoon()));
    this.#changed.fire();
    return toDisposable(() => {
      listener.dispose();
      this.#provided = this.#provided.filter((one) => one !== provided);
      this.#changed.fire();
    });
  }

  /** What is said at the end of a session's last turn, from now on. */
  provideComments(comments: WaitingComments): void {
    this.#comments = comments;
    this.#store.add(comments.onDidChange(() => this.#fireSoon()));
  }

  get comments(): WaitingComments | undefined {
    return this.#comments;
  }

  get all(): readonly KnownReview[] {
    return this.#provided.at(-1)?.reviews.all ?? [];
  }

  of(agentId: string, sessionId: string): KnownReview | undefined {
    return this.#provided.at(-1)?.reviews.of(agentId, sessionId);
  }

  /** The number of files of a session that wait for a decision. */
  pendingIn(agentId: string, sessionId: string): number {
    return this.of(agentId, sessionId)?.pending.length ?? 0;
  }

  /** `undefined` if there are no reviews yet. */
  async actions(): Promise<ReviewActions | undefined> {
    return this.#provided.at(-1)?.actions();
  }

  /** Tells the records that the user has changed files by a command. */
  async noteSaved(saves: readonly UserSave[]): Promise<void> {
    const provided = this.#provided.at(-1);
    for (const save of saves) {
      await provided?.noteSaved(save);
    }
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
