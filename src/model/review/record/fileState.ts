/** The content of a file at one moment; equal states have equal content. */
export type FileState =
  | { readonly kind: 'absent' }
  /** Its bytes are in the session's `Blobs`. */
  | {
      readonly kind: 'file';
      /** SHA-256 of the bytes, in hex. */
      readonly hash: string;
      /** In bytes. */
      readonly size: number;
      readonly isExecutable?: true;
      /** A symbolic link; the bytes are its target. It is recorded and never followed. */
      readonly isLink?: true;
    }
  /** Known to differ, but not kept, so nothing can be restored from it. */
  | { readonly kind: 'unkept'; readonly reason: UnkeptReason };

/** `filtered`: a filter such as Git LFS stores its content elsewhere. */
export type UnkeptReason = 'tooLarge' | 'filtered' | 'unreadable';

/** The contents of files, by their hash; those of one session are together, and go with it. */
export interface Blobs {
  /**
   * Returns the hash. The bytes are on the disk when it resolves. Rejects with a `RangeError` if
   * they are too many.
   */
  add(bytes: Uint8Array): Promise<string>;
  /** `undefined` if they are missing or damaged. */
  read(hash: string): Promise<Uint8Array | undefined>;
}
