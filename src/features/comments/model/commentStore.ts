import { createHash, randomUUID } from 'node:crypto';
import { getKey } from '../../../model/list/sessionInfo';
import type { Log } from '../../../model/ports';
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

/** Texts by name, which other windows may write at any time. */
export interface CommentTexts {
  /** `undefined` if there is none that can be read. Never rejects. */
  read(name: string): Promise<string | undefined>;
  /** All readable texts. Never rejects. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Does something while no other window does, as long as that one doesn't take too long. Rejects as the work does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface CommentStoreOptions {
  readonly texts: CommentTexts;
  readonly sessions: Pick<Sessions, 'onDidDelete'>;
  readonly log: Log;
}

/** What of a session's comments isn't written yet: some by their ids, or that the session is gone. */
type Unwritten = Set<string> | 'gone';

/** The comments of the window's sessions, which are kept until the user deletes them or their session. */
export class CommentStore implements Disposable {
  readonly #options: CommentStoreOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #sessions = new Map<string, SessionComments>();
  readonly #unwritten = new Map<string, Unwritten>();
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: CommentStoreOptions) {
    this.#options = options;
    this.#store.add(
      options.sessions.onDidDelete((deleted) => {
        // What is stored may not be read yet.
        void this.read().then(() => this.#set(getKey(deleted), undefined, 'gone'));
      }),
    );
  }

  /** Reads what is stored, once. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Reads again what other windows may have written since. Returns whether they have. Never rejects. */
  async readAgain(): Promise<boolean> {
    await this.read();
    const again = this.#writing.then(() => this.#readAgain());
    this.#writing = again.then(() => undefined);
    return again;
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
    const id = randomUUID().slice(0, 8);
    const added: Comment = { ...comment, id, state: 'unsent' };
    const isRoom = known.length < maxComments && all < maxAll;
    return isRoom && this.#put(saved, [...known, added], id, () => adding(added));
  }

  /** Replaces the comment with the same id. Returns whether it could be kept. */
  replace(session: SessionRef, comment: Comment): boolean {
    const known = this.#sessions.get(getKey(session));
    return (
      known !== undefined &&
      this.#put(
        known.saved,
        known.comments.map((one) => (one.id === comment.id ? comment : one)),
        comment.id,
      )
    );
  }

  remove(session: SessionRef, id: string): void {
    const known = this.#sessions.get(getKey(session));
    const left = known?.comments.filter((one) => one.id !== id) ?? [];
    this.#set(getKey(session), known && { ...known, comments: left }, id);
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
    changed: string,
    before: () => void = () => undefined,
  ): boolean {
    const isRoom =
      comments.every(
        ({ said }) => said.length <= maxParagraphs && said.every((text) => text.length <= maxSaid),
      ) && Buffer.byteLength(writeComments({ saved, comments })) <= maxCommentBytes;
    if (isRoom) {
      before();
      this.#set(getKey(saved), { saved, comments }, changed);
    }
    return isRoom;
  }

  #set(key: string, comments: SessionComments | undefined, changed: string): void {
    this.#take(key, comments);
    const unwritten = this.#unwritten.get(key);
    if (changed === 'gone') {
      this.#unwritten.set(key, changed);
    } else if (unwritten !== 'gone') {
      this.#unwritten.set(key, new Set(unwritten).add(changed));
    }
    this.#timer ??= setTimeout(() => this.#flush(), writePause);
    // `end` writes what is pending.
    this.#timer.unref();
    this.#changed.fire();
  }

  #take(key: string, comments: SessionComments | undefined): void {
    if (comments === undefined || comments.comments.length === 0) {
      this.#sessions.delete(key);
    } else {
      this.#sessions.set(key, comments);
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const key of this.#unwritten.keys()) {
      this.#writing = this.#writing
        .then(() => this.#options.texts.alone(() => this.#write(key)))
        .catch((error: unknown) =>
          this.#options.log.warn(`Can't store comments: ${getStack(error)}`),
        );
    }
  }

  /** Writes the changes of this window into what another one may have written since. */
  async #write(key: string): Promise<void> {
    const { texts } = this.#options;
    const name = createHash('sha256').update(key).digest('hex');
    const text = this.#unwritten.get(key) === 'gone' ? undefined : await texts.read(name);
    const unwritten = this.#unwritten.get(key);
    this.#unwritten.delete(key);
    const stored = text === undefined ? undefined : readComments(text);
    const own = this.#sessions.get(key);
    if (stored !== undefined && unwritten instanceof Set) {
      const comments = merge(stored.comments, own?.comments ?? [], unwritten);
      this.#take(key, { saved: own?.saved ?? stored.saved, comments });
      this.#changed.fire();
    }
    const now = this.#sessions.get(key);
    await (now === undefined ? texts.remove(name) : texts.write(name, writeComments(now)));
  }

  async #read(): Promise<void> {
    for (const [key, stored] of await this.#readStored()) {
      this.#sessions.set(key, stored);
    }
    this.#changed.fire();
  }

  async #readAgain(): Promise<boolean> {
    const all = await this.#readStored();
    const keys = [...new Set([...this.#sessions.keys(), ...all.keys()])];
    // What this window has changed meanwhile is merged when it is written.
    const changed = keys.filter(
      (key) => !this.#unwritten.has(key) && !isSame(this.#sessions.get(key), all.get(key)),
    );
    for (const key of changed) {
      this.#take(key, all.get(key));
    }
    if (changed.length > 0) {
      this.#changed.fire();
    }
    return changed.length > 0;
  }

  async #readStored(): Promise<ReadonlyMap<string, SessionComments>> {
    const all = new Map<string, SessionComments>();
    let left = maxAll;
    for (const text of (await this.#options.texts.readAll()).values()) {
      const read = readComments(text);
      if (read !== undefined && read.comments.length > 0 && read.comments.length <= left) {
        left -= read.comments.length;
        all.set(getKey(read.saved), read);
      }
    }
    return all;
  }
}

function isSame(a: SessionComments | undefined, b: SessionComments | undefined): boolean {
  return a === undefined || b === undefined ? a === b : writeComments(a) === writeComments(b);
}

/** What is stored, with those of this window's comments that have changed since they were read. */
function merge(
  stored: readonly Comment[],
  own: readonly Comment[],
  changed: ReadonlySet<string>,
): readonly Comment[] {
  const mine = new Map(own.map((comment) => [comment.id, comment]));
  const kept = stored.flatMap((comment) =>
    changed.has(comment.id) ? (mine.get(comment.id) ?? []) : comment,
  );
  const ids = new Set(stored.map(({ id }) => id));
  return [...kept, ...own.filter(({ id }) => changed.has(id) && !ids.has(id))].slice(
    0,
    maxComments,
  );
}
