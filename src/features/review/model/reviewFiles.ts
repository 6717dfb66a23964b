/** A file as it is now. */
export type FileNow =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      /** The bytes on the disk. */
      readonly bytes: Uint8Array;
      readonly isExecutable: boolean;
      /** The text of its document if the user has unsaved changes in it. */
      readonly unsaved?: string;
    }
  /** `elsewhere`: it leads out of its folder by a link. */
  | {
      readonly kind: 'untouchable';
      readonly reason: 'tooLarge' | 'notAFile' | 'unreadable' | 'elsewhere';
    };

/** A file that is to be changed. `expected` and `wanted` are bytes on the disk; `undefined`: no file. */
export interface Replacement {
  readonly file: string;
  /** The file isn't touched unless it still is this. */
  readonly expected: Uint8Array | undefined;
  readonly wanted: Uint8Array | undefined;
  readonly isExecutable?: boolean;
  /** What a document may have unsaved besides: an interrupted decision has put it there, not the user. */
  readonly leftUnsaved?: Uint8Array;
  /** The user has agreed that this file is deleted without going to a trash. */
  readonly forGood?: boolean;
}

/** What becomes of files that are deleted. `declined`: they would be deleted for good, and the user doesn't want it. */
export type Deleting = 'toTrash' | 'forGood' | 'declined';

/** Why a file wasn't changed. */
export interface NotReplaced {
  readonly file: string;
  /** `noTrash`: it would be deleted, and couldn't go to the trash. */
  readonly reason: 'changedSince' | 'readOnly' | 'dirty' | 'noTrash' | 'failed';
  readonly detail?: string;
}

/** The files of the user, as the review sees and changes them; implemented with VS Code's documents. */
export interface ReviewFiles {
  look(file: string): Promise<FileNow>;
  /**
   * Changes texts by edits of their documents, so that Ctrl+Z in an editor brings them back, and saves them unless
   * they had unsaved changes; new files are created. Deleted ones go to the trash, or stay if that fails; where there is
   * none, only those are deleted about which the user was asked. Calls `done` after each file that is on the disk.
   * Never rejects.
   */
  replace(
    files: readonly Replacement[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]>;
  /** How these files would be deleted. Asks the user if they can't go to a trash. */
  howToDelete(files: readonly string[]): Promise<Deleting>;
  /** The text of these bytes in the encoding of this file, without a byte order mark; `undefined`: not a text. */
  decode(file: string, bytes: Uint8Array): Promise<string | undefined>;
  /** The bytes of this text in the file's encoding, with a byte order mark if `like` begins with one. */
  encode(file: string, text: string, like: Uint8Array | undefined): Promise<Uint8Array>;
}
