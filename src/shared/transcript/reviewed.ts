/** The changes of one turn, and what the user decided about them; drawn at the end of the turn. */
export interface ReviewedTurn {
  readonly turn: number;
  /** Index of its prompt. */
  readonly prompt: number;
  /** The agent began it by itself, after that prompt. */
  readonly isUnprompted?: true;
  /** Index of its first entry, if that isn't its prompt and is known. */
  readonly first?: number;
  /** Index of its last entry. */
  readonly last: number;
  /** Numbers of files and lines. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly state: 'pending' | 'partly' | 'kept' | 'undone';
  /** Whether nothing of it waits any more, although it was decided in parts. */
  readonly isDecided?: true;
  /** Why only what the agent reported is recorded. */
  readonly incomplete?:
    | 'off'
    | 'untrusted'
    | 'noGit'
    | 'tooManyFiles'
    | 'tooManyBytes'
    | 'failed'
    | 'full';
  /** The agent may have been working already when the record of the turn began. */
  readonly isLate?: true;
  /** The number of comments that wait to be sent, at the end of the last turn. */
  readonly comments?: number;
}

/** A turn of which no change is recorded; drawn at its end. */
export interface UnrecordedTurn {
  /** Index of its last entry. */
  readonly last: number;
  readonly reason: NonNullable<ReviewedTurn['incomplete']>;
}

/** What has changed in a turn while other sessions were at work, too, and nobody has named; drawn at its end. */
export interface UncertainTurn {
  readonly turn: number;
  /** Index of its last entry. */
  readonly last: number;
  readonly files: number;
}

/** What became of a diff that a tool call reported. */
export type DiffFate = 'kept' | 'undone' | 'changedSince';

/** The record of a session's changes, as far as the transcript shows it. */
export interface ShownReview {
  /** The turns in the transcript's order. */
  readonly turns: readonly ReviewedTurn[];
  readonly unrecorded: readonly UnrecordedTurn[];
  readonly uncertain?: readonly UncertainTurn[];
  /** The number of comments that wait to be sent. */
  readonly comments?: number;
  /**
   * Single diffs of turns without a decision that is the same for all: those that were decided, or
   * that the file no longer holds. `item` is the index in the call's content.
   */
  readonly diffs: readonly {
    readonly index: number;
    readonly item: number;
    readonly fate: DiffFate;
  }[];
}
