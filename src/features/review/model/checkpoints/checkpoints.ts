import type { NoRecord } from '../../../../model/changes/reviews';
import type { Blobs, FileState } from '../record/fileState';

/** The state of the work tree at one moment. Valid for as long as the session's window. */
export interface Checkpoint {
  /** When it was begun and finished, in ms since the epoch. */
  readonly began: number;
  readonly ended: number;
}

/** Why the work tree can't be recorded. */
export type NoCheckpoint = Exclude<NoRecord, 'full'>;

/** A file that differs between two checkpoints. */
export interface TreeChange {
  /** Absolute. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Absolute; the file that it was before it was moved. */
  readonly movedFrom?: string;
}

/** Records the states of work trees. */
export interface Checkpoints {
  /**
   * Records these folders as they are; everything that git ignores stays out. Never rejects. Checkpoints of the same
   * folder are taken one after the other.
   */
  take(folders: readonly string[]): Promise<Checkpoint | NoCheckpoint>;
  /** Takes a checkpoint after which the next one of these folders is quick if they stay the same for a while. */
  prepare(folders: readonly string[]): Promise<Checkpoint | NoCheckpoint>;
  /** What changed between two checkpoints of the same folders; the contents are added to `blobs`. */
  changes(from: Checkpoint, to: Checkpoint, blobs: Blobs): Promise<readonly TreeChange[]>;
  /**
   * A file as it was in a checkpoint, if it wasn't the same as `now`; its content is added to
   * `blobs`. `undefined`: it was the same, or nothing is known of it.
   */
  earlier(
    checkpoint: Checkpoint,
    file: string,
    now: Uint8Array | undefined,
    blobs: Blobs,
  ): Promise<FileState | undefined>;
}
