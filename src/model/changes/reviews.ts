import type { SessionRef } from '../../shared/sessionRef';
import type { ReviewedTurn } from '../../shared/transcript/reviewed';
import type { Event } from '../../util/emitter';

/** A change of a file that the user hasn't decided about. */
export interface PendingFile {
  /** Absolute path. */
  readonly file: string;
  /** The path that it had before the session moved it. */
  readonly movedFrom?: string;
  readonly kind: 'modified' | 'added' | 'deleted' | 'moved';
  /** The turns that changed it, ascending; see `TurnReview.turn`. */
  readonly turns: readonly number[];
  /** Lines; 0 if it isn't text. */
  readonly added: number;
  readonly removed: number;
  /** The form of the content: only a text can be decided hunk by hunk; `unkept`: nothing can be undone. */
  readonly form: 'text' | 'binary' | 'tooLarge' | 'unkept';
  /** The user has edited inside the agent's lines, so undoing them asks first. */
  readonly isMixed: boolean;
  /** Outside the session's folders: it is shown, and never changed. */
  readonly isOutside: boolean;
}

/** Why nothing more than what the agent reported is recorded; `full`: no more fits into the record of the session. */
export type NoRecord = NonNullable<ReviewedTurn['incomplete']>;

/** What became of the changes of one turn. */
export interface TurnReview {
  /** Counts the turns that were recorded, from 1. */
  readonly turn: number;
  /** The beginning of its prompt, to find it in a transcript that was loaded anew. */
  readonly prompt: string;
  /** The agent began it by itself: the prompt is the one before it. */
  readonly isUnprompted?: true;
  /** How many of the turns before it were begun like that. */
  readonly unpromptedBefore?: number;
  /** The time in ms since the epoch. */
  readonly began: number;
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly state: 'pending' | 'partly' | 'kept' | 'undone';
  /** Why only what the agent reported is recorded. */
  readonly incomplete?: NoRecord;
  /** The agent may have been working already when the checkpoint before the turn was taken. */
  readonly isLate?: true;
}

/** How a turn began, to find it in a transcript. */
export type TurnStart = Pick<
  TurnReview,
  'turn' | 'prompt' | 'isUnprompted' | 'unpromptedBefore' | 'began'
>;

/** A turn of which no change is recorded, because it couldn't be. */
export interface UnrecordedTurn extends TurnStart {
  readonly incomplete: NoRecord;
}

/** A turn with changes that may be another session's. */
export interface UncertainTurn extends TurnStart {
  readonly files: number;
}

/** What is recorded of a session's changes, and which of them wait for a decision. */
export interface KnownReview extends SessionRef {
  /** Sorted by path; the same array until something changes. */
  readonly pending: readonly PendingFile[];
  /** Turns that changed files, ascending; likewise. */
  readonly turns: readonly TurnReview[];
  /** Turns of which nothing is recorded, ascending; likewise. */
  readonly unrecorded: readonly UnrecordedTurn[];
  /** Recorded turns that changed nothing, ascending; likewise. */
  readonly quietTurns: readonly TurnStart[];
  /** Turns with changes that may be those of other sessions, ascending; likewise. */
  readonly uncertainTurns: readonly UncertainTurn[];
  /** The last decision that changed files, while nothing has taken it back. */
  readonly lastDecision: object | undefined;
  /**
   * The text of a file without the changes that are pending. `null`: there was no file. `undefined`: not a text, or not
   * recorded.
   */
  baseline(file: string): Promise<string | null | undefined>;
}

/** The changes of all sessions of the workspace's folders. */
export interface KnownReviews {
  /** The reviews that are known, pending or not; those of other windows appear as they change. */
  readonly all: readonly KnownReview[];
  of(agentId: string, sessionId: string): KnownReview | undefined;
  readonly onDidChange: Event<void>;
}
