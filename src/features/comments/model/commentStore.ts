import { createHash } from 'node:crypto';
import { getKey } from '../../../model/list/sessionInfo';
import type { Log, StoredTexts } from '../../../model/ports';
import type { Sessions } from '../../../model/session/sessions';
import type { SessionRef } from '../../../shared/sessionRef';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import {
  type Comment,
  maxCommentBytes,
  maxComments,
  maxParagraphs,
  maxSaid,
  readComments,
  type SessionComments,
  writeComments,
} from './comment';

/** The delay from the first change to the write of all, in ms. */
const writePause = 300;
/** Of all sessions together. */
const maxAll = 1000;

export interface CommentStoreOptions {
  readonly texts: StoredTexts;
  readonly sessions: Pick<Sessions, 'onDidDelete'>;
  readonly log: Log;
}

/** The comments of the window's sessions, which are kept until the user deletes them or their session. */
export class CommentStore implements Disposable {
  readonly #options: CommentStoreOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #sessions = new Map<string, SessionComments>();
  readonly #dirty = new Set<string>();
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: CommentStoreOptions) {
    this.#options = options;
    this.#store.add(
      options.sessions.onDidDelete((deleted) => {
        // What is stored may not be read yet.
        void this.read().then(() => this.#set(getKey(deleted), undefined));
      }),
    );
  }

  /** Reads what is stored, once. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  get all(): readonly SessionComments[] {
    return [...this.#sessions.values()];
  }

  /** The comments for a session, in the order in which they were written. */
  of(session: SessionRef): readonly Comment[] {
    return this.#sessions.get(getKey(session))?.comments ?? [];
  }

  get(session: SessionRef, id: string): Comment | undefined {
    return this.of(session).find((comment) => comment.id === id);
  }

  /** Returns whether it could be kept. `adding` gets it before anybody else does. */
  add(
    saved: SavedTranscript,
    comment: Omit<Comment, 'id' | 'state'>,
    adding: (added: Comment) => void,
  ): boolean {
    const known = this.of(saved);
    const all = this.all.reduce((sum, { comments }) => sum + comments.length, 0);
    const id = String(1 + Math.max(0, ...known.map((one) => Number.parseInt(one.id, 10) || 0)));
    const added: Comment = { ...comment, id, state: 'unsent' };
    const isRoom = known.length < maxComments && all < maxAll;
    return isRoom && this.#put(saved, [...known, added], () => adding(added));
  }

  /** Replaces the comment with the same id. Returns whether it could be kept. */
  replace(session: SessionRef, comment: Comment): boolean {
    const known = this.#sessions.get(getKey(session));
    return (
      known !== undefined &&
      this.#put(
        known.saved,
        known.comments.map((one) => (one.id === comment.id ? comment : one)),
      )
    );
  }

  remove(session: SessionRef, id: string): void {
    const known = this.#sessions.get(getKey(session));
    const left = known?.comments.filter((one) => one.id !== id) ?? [];
    this.#set(
      getKey(session),
      known === undefined || left.length === 0 ? undefined : { ...known, comments: left },
    );
  }

  /** Writes what isn't written yet. */
  async end(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #put(
    saved: SavedTranscript,
    comments: readonly Comment[],
    before: () => void = () => undefined,
  ): boolean {
    const isRoom =
      comments.every(
        ({ said }) => said.length <= maxParagraphs && said.every((text) => text.length <= maxSaid),
      ) && Buffer.byteLength(writeComments({ saved, comments })) <= maxCommentBytes;
    if (isRoom) {
      before();
      this.#set(getKey(saved), { saved, comments });
    }
    return isRoom;
  }

  #set(key: string, comments: SessionComments | undefined): void {
    if (comments === undefined) {
      this.#sessions.delete(key);
    } else {
      this.#sessions.set(key, comments);
    }
    this.#dirty.add(key);
    this.#timer ??= setTimeout(() => this.#flush(), writePause);
    // `end` writes what is pending.
    this.#timer.unref();
    this.#changed.fire();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const key of this.#dirty) {
      const name = createHash('sha256').update(key).digest('hex');
      const comments = this.#sessions.get(key);
      const { texts, log } = this.#options;
      this.#writing = this.#writing
        .then(() =>
          comments === undefined ? texts.remove(name) : texts.write(name, writeComments(comments)),
        )
        .catch((error: unknown) => log.warn(`Can't store comments: ${getStack(error)}`));
    }
    this.#dirty.clear();
  }

  async #read(): Promise<void> {
    let left = maxAll;
    for (const text of (await this.#options.texts.readAll()).values()) {
      const read = readComments(text);
      if (read !== undefined && read.comments.length > 0 && read.comments.length <= left) {
        left -= read.comments.length;
        this.#sessions.set(getKey(read.saved), read);
      }
    }
    this.#changed.fire();
  }
}
