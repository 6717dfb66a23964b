/** Something that the user did to a file in this window. The bytes are those on the disk; `undefined`: no file. */
export interface UserSave {
  /** Absolute; links may be unresolved. */
  readonly file: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}
