import type { Blobs, FileState } from './fileState';

/** The state of the work tree at one moment. Valid for as long as the session's window. */
export interface Checkpoint {
  /** When it was begun and finished, in ms since the epoch. */
  readonly began: number;
  readonly ended: number;
}

/** Why the work tree can't be recorded. */
export type NoCheckpoint =
  | 'off'
  | 'untrusted'
  | 'noGit'
  | 'tooManyFiles'
  | 'tooManyBytes'
  | 'failed';

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
   * Records these folders as they are; everything that git ignores stays out. Never rejects.
   * Takes of one folder run one after the other.
   */
  take(folders: readonly string[]): Promise<Checkpoint | NoCheckpoint>;
  /** What changed between two checkpoints of the same folders; the contents are added to `blobs`. */
  changes(from: Checkpoint, to: Checkpoint, blobs: Blobs): Promise<readonly TreeChange[]>;
}
