import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { isMissing, sessionNotFound } from '../vocabulary/requestErrors';
import { byPlace } from './cursor';
import type { SessionMeta } from './records';
import {
  appendRecords,
  createSessionFile,
  type MetaScan,
  readMeta,
  readUpdates,
} from './sessionFile';

const extension = '.jsonl';

/** Milliseconds per day. */
const day = 24 * 60 * 60 * 1000;

/**
 * All sessions, one file each, in one folder. Several processes may share the folder: cached
 * metadata is only used if the file's size is unchanged.
 */
export class SessionStore {
  readonly #folder: string;
  readonly #scans = new Map<string, MetaScan>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates `<folder>/sessions` if it doesn't exist; nothing outside it is ever written. */
  static async open(folder: string): Promise<SessionStore> {
    const sessions = path.join(path.resolve(folder), 'sessions');
    await mkdir(sessions, { recursive: true, mode: 0o700 });
    return new SessionStore(sessions);
  }

  /** All sessions, newest first. */
  async list(): Promise<readonly SessionMeta[]> {
    const names = await readdir(this.#folder);
    const ids = names
      .filter((name) => name.endsWith(extension))
      .map((name) => path.parse(name).name);
    const metas = await Promise.all(ids.map((id) => this.find(id)));
    return metas.filter((meta) => meta !== undefined).sort(byPlace);
  }

  async find(sessionId: string): Promise<SessionMeta | undefined> {
    const file = this.#file(sessionId);
    if (file === undefined) {
      return undefined;
    }
    try {
      const scan = await readMeta(file, this.#scans.get(sessionId));
      // A file copied to another name would list the same id twice.
      if (scan?.meta.sessionId !== sessionId) {
        return undefined;
      }
      this.#scans.set(sessionId, scan);
      return scan.meta;
    } catch (error) {
      if (isMissing(error)) {
        this.#scans.delete(sessionId);
        return undefined;
      }
      throw error;
    }
  }

  async create(meta: SessionMeta, updates: readonly DemoUpdate[] = []): Promise<void> {
    await createSessionFile(this.#existing(meta.sessionId), updates, meta);
  }

  /** A session's whole history. */
  async history(sessionId: string): Promise<readonly DemoUpdate[]> {
    const history: DemoUpdate[] = [];
    for await (const updates of this.updates(sessionId)) {
      history.push(...updates);
    }
    return history;
  }

  /** Rejects with -32002 if the session has been deleted. */
  async append(sessionId: string, updates: readonly DemoUpdate[]): Promise<void> {
    const records = updates.map((update) => ({ type: 'update', update }) as const);
    await this.#ifThere(sessionId, (file) => appendRecords(file, records));
  }

  /**
   * Changes metadata; changes that another process made to other fields are kept. Rejects with
   * -32002 if the session has been deleted.
   */
  async patch(sessionId: string, change: Partial<SessionMeta>): Promise<SessionMeta> {
    const current = await this.find(sessionId);
    if (current === undefined) {
      throw sessionNotFound(sessionId);
    }
    const meta = { ...current, ...change };
    await this.#ifThere(sessionId, (file) => appendRecords(file, [{ type: 'meta', meta }]));
    return meta;
  }

  /** The history, oldest first, in batches. */
  updates(sessionId: string): AsyncGenerator<readonly DemoUpdate[]> {
    return readUpdates(this.#existing(sessionId));
  }

  /** Size of the session's file in bytes. */
  async size(sessionId: string): Promise<number> {
    return (await this.#ifThere(sessionId, (file) => stat(file))).size;
  }

  /** Deleting a session that doesn't exist succeeds (DEL-4). */
  async delete(sessionId: string): Promise<void> {
    const file = this.#file(sessionId);
    if (file !== undefined) {
      await rm(file, { force: true });
      this.#scans.delete(sessionId);
    }
  }

  /** Deletes the sessions that haven't been updated for this many days. */
  async deleteUntouched(days: number, now: number): Promise<void> {
    for (const meta of await this.list()) {
      if (meta.updatedAt < now - days * day) {
        await this.delete(meta.sessionId);
      }
    }
  }

  /** Ids are used as file names: an id of another form has no file. */
  #file(sessionId: string): string | undefined {
    return /^[\w-]{1,100}$/.test(sessionId)
      ? path.join(this.#folder, sessionId + extension)
      : undefined;
  }

  #existing(sessionId: string): string {
    const file = this.#file(sessionId);
    if (file === undefined) {
      throw sessionNotFound(sessionId);
    }
    return file;
  }

  async #ifThere<T>(sessionId: string, use: (file: string) => Promise<T>): Promise<T> {
    try {
      return await use(this.#existing(sessionId));
    } catch (error) {
      throw isMissing(error) ? sessionNotFound(sessionId) : error;
    }
  }
}
