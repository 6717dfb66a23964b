import { createHash } from 'node:crypto';
import type { PendingFile } from '../../../../model/changes/reviews';
import { hunksBetween, linesIn } from '../decisions/lines';
import { merge3, type Preferred } from '../decisions/merge3';
import type { Hunk } from '../review';
import type { ReviewFiles } from '../reviewFiles';
import { absent, type Blobs, type FileState, isSameState } from './fileState';

/** A larger file is decided as a whole. */
const maxTextBytes = 5 * 1024 * 1024;
/** Maximum number of characters of all cached texts. */
const maxCachedLength = 8 * 1024 * 1024;

/** A merged file; `conflicts`: places where both sides changed the same lines. */
export interface MergedState {
  readonly state: FileState;
  readonly conflicts: number;
}

/** The contents of a session's recorded files, as bytes and as texts. */
export class Contents {
  readonly #blobs: Blobs;
  readonly #files: ReviewFiles;
  /** The texts by file and hash, the last used last. `null`: not a text. */
  readonly #texts = new Map<string, string | null>();
  #cached = 0;

  constructor(blobs: Blobs, files: ReviewFiles) {
    this.#blobs = blobs;
    this.#files = files;
  }

  /** A content that is too large, or for which there is no room, isn't kept. */
  async add(bytes: Uint8Array, isExecutable = false): Promise<FileState> {
    try {
      const hash = await this.#blobs.add(bytes);
      return { kind: 'file', hash, size: bytes.length, ...(isExecutable && { isExecutable }) };
    } catch (error) {
      if (error instanceof RangeError) {
        return { kind: 'unkept', reason: 'tooLarge' };
      }
      throw error;
    }
  }

  /** `undefined`: no file, or its content isn't kept. */
  async bytes(state: FileState): Promise<Uint8Array | undefined> {
    return state.kind === 'file' ? this.#blobs.read(state.hash) : undefined;
  }

  /** `null`: no file. `undefined`: not a text that can be decided by lines, or not kept. */
  async text(file: string, state: FileState): Promise<string | null | undefined> {
    if (state.kind === 'absent') {
      return null;
    }
    if (state.kind === 'unkept' || state.isLink || state.size > maxTextBytes) {
      return undefined;
    }
    const key = `${state.hash} ${file}`;
    const cached = this.#texts.get(key);
    if (cached !== undefined) {
      this.#texts.delete(key);
      this.#texts.set(key, cached);
      return cached ?? undefined;
    }
    const bytes = await this.#blobs.read(state.hash);
    if (bytes === undefined) {
      return undefined;
    }
    const text = await this.exactText(file, bytes);
    this.#remember(key, text ?? null);
    return text;
  }

  /** The text of these bytes, if it encodes to the same bytes again. */
  async exactText(file: string, bytes: Uint8Array): Promise<string | undefined> {
    const text = await this.#files.decode(file, bytes);
    const again = text === undefined ? undefined : await this.#files.encode(file, text, bytes);
    return again !== undefined && Buffer.compare(again, bytes) === 0 ? text : undefined;
  }

  /** The bytes of a text in the form of another state of the file. */
  async encode(file: string, text: string, like: FileState): Promise<Uint8Array> {
    return this.#files.encode(file, text, await this.bytes(like));
  }

  /** Adds a text in the form of another state, whose permissions it gets. */
  async addText(file: string, text: string, like: FileState): Promise<FileState> {
    const isExecutable = like.kind === 'file' && like.isExecutable === true;
    return this.add(await this.encode(file, text, like), isExecutable);
  }

  async lines(file: string, state: FileState): Promise<readonly string[] | undefined> {
    const text = await this.text(file, state);
    return text === undefined ? undefined : linesIn(text ?? '');
  }

  /** `undefined` if one of them isn't a text. */
  async hunks(file: string, from: FileState, to: FileState): Promise<readonly Hunk[] | undefined> {
    const before = await this.lines(file, from);
    const now = await this.lines(file, to);
    return before === undefined || now === undefined ? undefined : hunksBetween(before, now);
  }

  async form(file: string, one: FileState, other: FileState): Promise<PendingFile['form']> {
    const both = [one, other];
    if (both.some((state) => state.kind === 'unkept' || (state.kind === 'file' && state.isLink))) {
      return 'unkept';
    }
    if (both.some((state) => state.kind === 'file' && state.size > maxTextBytes)) {
      return 'tooLarge';
    }
    const texts = await Promise.all(both.map((state) => this.text(file, state)));
    return texts.includes(undefined) ? 'binary' : 'text';
  }

  /** What both sides made of `base`; where they conflict, the preferred side stays. */
  async merge(
    file: string,
    [base, ours, theirs]: readonly [FileState, FileState, FileState],
    preferred: Preferred = 'ours',
  ): Promise<MergedState> {
    if (isSameState(base, theirs) || isSameState(ours, theirs)) {
      return { state: ours, conflicts: 0 };
    }
    if (isSameState(base, ours)) {
      return { state: theirs, conflicts: 0 };
    }
    const kept = preferred === 'ours' ? ours : theirs;
    const [b, o, t] = await Promise.all([base, ours, theirs].map((s) => this.lines(file, s)));
    const isAnyAbsent = [base, ours, theirs].some(({ kind }) => kind === 'absent');
    if (isAnyAbsent || b === undefined || o === undefined || t === undefined) {
      return { state: kept, conflicts: 1 };
    }
    const { lines, conflicts } = merge3(b, o, t, preferred);
    const state = await this.addText(file, lines.join(''), kept);
    return { state: withMode(state, [base, ours, theirs]), conflicts };
  }

  #remember(key: string, text: string | null): void {
    this.#texts.set(key, text);
    this.#cached += text?.length ?? 0;
    for (const [first, old] of this.#texts) {
      if (this.#cached <= maxCachedLength && this.#texts.size <= maxTexts) {
        break;
      }
      this.#texts.delete(first);
      this.#cached -= old?.length ?? 0;
    }
  }
}

const maxTexts = 2_000;

function withMode(
  state: FileState,
  [base, ours, theirs]: readonly [FileState, FileState, FileState],
): FileState {
  if (state.kind !== 'file') {
    return state;
  }
  const [b, o, t] = [isExecutable(base), isExecutable(ours), isExecutable(theirs)];
  const { kind, hash, size } = state;
  return { kind, hash, size, ...((b === o ? t : o) && { isExecutable: true }) };
}

export function isExecutable(state: FileState): boolean {
  return state.kind === 'file' && state.isExecutable === true;
}

/** Whether these bytes are the recorded content; the permissions aren't compared. */
export function isContent(state: FileState, bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined || state.kind !== 'file') {
    return bytes === undefined && state.kind === absent.kind;
  }
  return bytes.length === state.size && computeHash(bytes) === state.hash;
}

export function computeHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
