/** The content of a file at one moment; equal states have equal content. */
export type FileState =
  | { readonly kind: 'absent' }
  /** The bytes are in the session's `Blobs`. */
  | {
      readonly kind: 'file';
      /** SHA-256 of the bytes, in hex. */
      readonly hash: string;
      /** The size in bytes. */
      readonly size: number;
      readonly isExecutable?: true;
      /** A symbolic link; the bytes are its target. It is recorded and never followed. */
      readonly isLink?: true;
    }
  /** Known to differ, but not kept, so nothing can be restored from it. */
  | { readonly kind: 'unkept'; readonly reason: UnkeptReason };

/** `filtered`: a filter such as Git LFS stores its content elsewhere. */
type UnkeptReason = 'tooLarge' | 'filtered' | 'unreadable';

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

const written = /^([0-9a-f]{64}):(\d{1,15})(x?)(l?)$/;
const unkeptReasons: readonly string[] = [
  'tooLarge',
  'filtered',
  'unreadable',
] satisfies UnkeptReason[];

export const absent: FileState = { kind: 'absent' };

/** The form of a state in a journal. */
export function writeState(state: FileState): string {
  switch (state.kind) {
    case 'absent':
      return '-';
    case 'unkept':
      return `?${state.reason}`;
    case 'file':
      return `${state.hash}:${state.size}${state.isExecutable ? 'x' : ''}${state.isLink ? 'l' : ''}`;
  }
}

/** States that were read last: the same come again and again, as a step begins with what the one before has left. */
const known = new Map<string, FileState>();
const maxKnownFiles = 10_000;

export function readState(text: unknown): FileState | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  const found = known.get(text);
  const state = found ?? parseState(text);
  if (found === undefined && state !== undefined) {
    if (known.size >= maxKnownFiles) {
      known.clear();
    }
    known.set(text, state);
  }
  return state;
}

function parseState(text: string): FileState | undefined {
  if (text === '-') {
    return absent;
  }
  if (text.startsWith('?') && unkeptReasons.includes(text.slice(1))) {
    return { kind: 'unkept', reason: text.slice(1) as UnkeptReason };
  }
  const [, hash, size, isExecutable, isLink] = written.exec(text) ?? [];
  return hash === undefined
    ? undefined
    : {
        kind: 'file',
        hash,
        size: Number(size),
        ...(isExecutable && { isExecutable: true }),
        ...(isLink && { isLink: true }),
      };
}

/** Whether both are known to be the same; nothing is known of what isn't kept. */
export function isSameState(one: FileState, other: FileState): boolean {
  return one.kind !== 'unkept' && writeState(one) === writeState(other);
}
