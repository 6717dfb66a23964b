import type { KnownReview, KnownReviews, PendingFile } from '../../../model/changes/reviews';
import type { SessionRef } from '../../../shared/sessionRef';
import type { Event } from '../../../util/emitter';

/** A change that nobody has named, made while other sessions were at work in the folder, too. */
export interface UncertainFile extends Omit<PendingFile, 'movedFrom' | 'isMixed' | 'isOutside'> {
  readonly kind: 'modified' | 'added' | 'deleted';
  /** The sessions whose it may be, besides this one. */
  readonly beside: readonly SessionRef[];
}

/** What a turn did to one file, whatever was decided about it since. */
export interface TurnFile {
  /** The file's path after the turn. */
  readonly file: string;
  /** The file's path before the turn, if the turn moved it. */
  readonly movedFrom?: string;
  readonly kind: PendingFile['kind'];
  readonly form: PendingFile['form'];
  /** The file still is as the turn left it. */
  readonly isAsLeft: boolean;
}

export type TurnSide = 'before' | 'after';

/** 1-based lines of the file as it is now; an empty range lies before `start`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines that differ; both ranges exclude `end`. */
export interface Hunk {
  /** Lines of the baseline. */
  readonly before: LineRange;
  /** Lines of the file as it is now. */
  readonly now: LineRange;
}

/** What the user decides about pending changes. */
export type Decision = 'keep' | 'undo';

/** The changes that a decision is about. */
export type Selection =
  | {
      readonly type: 'all' /** The only files that it is about. */;
      readonly files?: readonly string[];
    }
  | { readonly type: 'files'; readonly files: readonly string[] }
  /** What is uncertain in these files, which no other selection is about. */
  | { readonly type: 'uncertain'; readonly files: readonly string[] }
  | { readonly type: 'turn'; readonly turn: number; readonly files?: readonly string[] }
  /** The hunks that touch these lines of the file as it is now. */
  | { readonly type: 'lines'; readonly file: string; readonly lines: readonly LineRange[] };

/** A file that a decision left as it was. */
export interface LeftAlone {
  readonly file: string;
  readonly reason:
    | 'changedSince' // the text that would be replaced isn't the recorded one
    | 'mixed' // the user's own edits overlap, and the selection didn't name this file: ask, then name it
    | 'overlaid' // a later turn changed the same lines: undo that one first
    | 'unkept'
    | 'outside'
    | 'readOnly'
    | 'dirty'
    | 'noTrash' // it would be deleted, and couldn't go to the trash
    | 'declined'
    | 'failed';
  /** Details for the log, with `noTrash` and `failed`. */
  readonly detail?: string;
}

/** The result of a decision. Everything else of the selection was decided. */
export interface Outcome {
  readonly decided: readonly string[];
  readonly leftAlone: readonly LeftAlone[];
  /** If it changed files and can be taken back: its `LastDecision.id`. */
  readonly decision?: string;
}

/** The last decision of a session that changed files, while nothing has taken it back. */
export interface LastDecision {
  readonly what: 'undo' | 'restore';
  /** Tells it from every other one. */
  readonly id: string;
  /** The time in ms since the epoch; 0 if that isn't known. */
  readonly at: number;
  /** The files that it changed. */
  readonly files: readonly string[];
}

/** What restoring would do to one file. */
export interface PlannedFile {
  readonly file: string;
  /** The present path of a file that moves. */
  readonly movedFrom?: string;
  readonly kind: 'modified' | 'added' | 'deleted' | 'moved';
  /** The text afterwards, for the preview; `undefined` if it isn't text; `null`: no file. */
  readonly text: string | null | undefined;
  /** The user's own later changes are merged in. */
  readonly isMerged: boolean;
}

/** How the files would be restored to what they were before a turn. */
export interface RestorePlan {
  readonly turn: number;
  readonly files: readonly PlannedFile[];
  /** Files that stay as they are, with the reason. */
  readonly leftAlone: readonly LeftAlone[];
}

/** How the files would be if a decision were taken back. */
export interface TakeBackPlan extends Omit<RestorePlan, 'turn'> {
  readonly decision: LastDecision;
}

/** The changes of one session, and the decisions about them. */
export interface SessionReview extends KnownReview {
  /**
   * Changes that may be those of other sessions; the same array until something changes. They aren't among those that
   * are pending.
   */
  readonly uncertain: readonly UncertainFile[];
  /** Fires at most once for each step of the record. */
  readonly onDidChange: Event<void>;
  /** Takes a checkpoint now, while a turn runs, so that `pending` is up to date. */
  refresh(): Promise<void>;
  /** `since`: only without those of this turn and later ones. */
  baseline(file: string, since?: number): Promise<string | null | undefined>;
  /** The text of a file without what is uncertain in it, like that of a baseline. */
  certainText(file: string): Promise<string | null | undefined>;
  /** What a turn did, decided or not, sorted by path; no more than `most` files. */
  getFiles(turn: number, most: number): Promise<readonly TurnFile[]>;
  /** The text of one of these files before or after the turn, like that of a baseline. */
  findText(turn: number, file: string, side: TurnSide): Promise<string | null | undefined>;
  /** The pending hunks in `now`, the text that the editor shows. */
  hunks(file: string, now: string): Promise<readonly Hunk[]>;
  /** Accepts changes: from now on they are part of the baseline. Changes no file. */
  keep(selection: Selection): Promise<Outcome>;
  /** Undoes changes, in the files. */
  undo(selection: Selection): Promise<Outcome>;
  /** What is uncertain but isn't in these files any more is settled; by default, in all of them. */
  settleUndone(files?: readonly string[]): Promise<void>;
  planRestore(turn: number): Promise<RestorePlan>;
  /** Restores as planned; what changed since the plan was made is left alone. */
  restore(plan: RestorePlan): Promise<Outcome>;
  /** The last undo or restore, whichever came later, in any window. */
  readonly lastDecision: LastDecision | undefined;
  /** How the last decision would be taken back; `undefined`: there is none. */
  planTakeBack(): Promise<TakeBackPlan | undefined>;
  /** Takes a decision back, as planned or at once; nothing is done if it isn't the last one any more. */
  takeBack(decision?: TakeBackPlan | string): Promise<Outcome>;
}

/** A decision that was interrupted, by a crash for example. */
export interface InterruptedDecision {
  readonly review: SessionReview;
  readonly what: 'undo' | 'restore';
  /** Files that were changed already, and those that weren't. */
  readonly done: readonly string[];
  readonly left: readonly string[];
  /** Completes it. */
  goOn(): Promise<Outcome>;
  /** Reverts what was done. */
  goBack(): Promise<Outcome>;
}

/** The changes of all sessions of the workspace's folders. */
export interface Reviews extends KnownReviews {
  readonly all: readonly SessionReview[];
  of(agentId: string, sessionId: string): SessionReview | undefined;
  /** The sessions with pending changes of a file, the last changed first. */
  ofFile(file: string): readonly SessionReview[];
  /** The files among these that running turns of any window have changed, with their sessions. */
  inUse(files: readonly string[]): Promise<ReadonlyMap<string, readonly SessionRef[]>>;
  readonly interrupted: readonly InterruptedDecision[];
  /** Deletes a session's record; its pending changes count as kept. */
  forget(agentId: string, sessionId: string): Promise<void>;
}
