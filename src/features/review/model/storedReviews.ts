import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from '../../../model/files/heldFiles';
import { readBeginning } from '../../../model/files/regularFile';
import type { Log } from '../../../model/ports';
import type { SessionRef } from '../../../shared/sessionRef';
import { shared } from '../../../util/async';
import type { Disposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import { SharedWork } from './atWork/sharedWork';
import { AbandonedDecision } from './decisions/abandonedDecision';
import { isAbandoned } from './decisions/carryOut';
import type { Blobs } from './record/fileState';
import { type HeadLine } from './record/journalLines';
import { readLine } from './record/readLine';
import { SessionRecord } from './record/sessionRecord';
import { RecordedReview } from './recordedReview';
import { isRecordName, recordFolder, recordName } from './recordFolders';
import type { InterruptedDecision, Reviews, SessionReview } from './review';
import type { ReviewFiles } from './reviewFiles';

export interface StoredReviewsOptions {
  /** The folder in which all records are stored. */
  readonly folder: string;
  readonly files: ReviewFiles;
  /** The contents in a session's folder. */
  blobs(folder: string): Blobs;
  /** The real paths of the folders whose sessions belong to this window. */
  places(): Promise<readonly string[]>;
  /** The session's own folder, if it is known: an agent may use an id again in another folder. */
  findFolder?(agentId: string, sessionId: string): string | undefined;
  readonly log: Pick<Log, 'warn'>;
}

/** Sessions whose records are loaded by themselves, the last changed first. */
const maxLoadedSessions = 200;
/** Maximum total size of their journals, in bytes. */
const maxBytes = 64 * 1024 * 1024;
const headBytes = 16 * 1024;

/** The reviews of all sessions that belong to this window, as they are stored. */
export class StoredReviews implements Reviews, Disposable {
  readonly #options: StoredReviewsOptions;
  readonly #reviews = new Map<string, RecordedReview>();
  readonly #opening = new Map<string, Promise<RecordedReview>>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Emitter<void>();
  /** What is at work, in all windows. */
  readonly work: SharedWork;
  readonly onDidChange = this.#changed.event;
  #all: readonly SessionReview[] | undefined;
  #interrupted: readonly InterruptedDecision[] = [];
  #loading: Promise<void> | undefined;
  /** Something has appeared since the last look. */
  #isStale = false;
  #isDisposed = false;

  constructor(options: StoredReviewsOptions) {
    this.#options = options;
    this.work = new SharedWork(path.join(options.folder, 'at-work'), options.log);
  }

  get all(): readonly SessionReview[] {
    this.#all ??= [...this.#reviews.values()];
    return this.#all;
  }

  of(agentId: string, sessionId: string): SessionReview | undefined {
    const found = this.all.filter((it) => it.agentId === agentId && it.sessionId === sessionId);
    if (found.length < 2) {
      return found[0];
    }
    const { folder } = this.#options;
    const place = this.#options.findFolder?.(agentId, sessionId);
    const own = place && this.#reviews.get(recordFolder(folder, place, [agentId, sessionId]));
    return own || found[0];
  }

  /** Whether a folder has a record that this window has loaded. */
  uses(folder: string): boolean {
    return this.#reviews.has(folder);
  }

  ofFile(file: string): readonly SessionReview[] {
    return [...this.#reviews.values()]
      .filter(({ pending }) => pending.some((it) => it.file === file))
      .sort((a, b) => b.changedAt - a.changedAt);
  }

  /** The reviews whose record has the file, pending or not. */
  tracking(file: string): readonly RecordedReview[] {
    return [...this.#reviews.values()].filter(({ record }) => record.state.files.has(file));
  }

  async inUse(files: readonly string[]): Promise<ReadonlyMap<string, readonly SessionRef[]>> {
    const going = (await this.work.all()).filter(
      ({ kind, ended }) => kind === 'turn' && ended === undefined,
    );
    const used = files.flatMap((file) => {
      const by = going
        .filter(({ claims }) => claims.has(file))
        .map(({ agentId, sessionId }) => ({ agentId, sessionId }));
      return by.length === 0 ? [] : [[file, by] as const];
    });
    return new Map(used);
  }

  get interrupted(): readonly InterruptedDecision[] {
    return this.#interrupted;
  }

  /** Reads what is stored and isn't read yet. Never rejects. */
  load(): Promise<void> {
    this.#isStale = true;
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** The review of a session that works in this folder (a real path); begins its record with the first line. */
  open(place: string, agentId: string, sessionId: string): Promise<RecordedReview> {
    const folder = recordFolder(this.#options.folder, place, [agentId, sessionId]);
    return this.#open(folder, agentId, sessionId);
  }

  async forget(agentId: string, sessionId: string): Promise<void> {
    for (const [folder, review] of [...this.#reviews]) {
      if (review.agentId === agentId && review.sessionId === sessionId) {
        await review.alone(async () => {
          this.#drop(folder, review);
          // What is still being recorded may come into the folder while it is emptied.
          await whileHeld(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
        });
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.work.dispose();
    for (const review of this.#reviews.values()) {
      review.dispose();
    }
    for (const watcher of this.#watchers.values()) {
      watcher.close();
    }
    this.#changed.dispose();
  }

  async #loadAll(): Promise<void> {
    while (this.#isStale && !this.#isDisposed) {
      this.#isStale = false;
      try {
        await this.#load();
      } catch (error) {
        this.#options.log.warn(`Stored reviews could not be read: ${getStack(error)}`);
      }
    }
  }

  async #load(): Promise<void> {
    const { folder: all } = this.#options;
    this.#watch(all);
    const places = await this.#options.places();
    const there = new Set(await readdir(all).catch(() => []));
    const names = places.map(recordName).filter((name) => there.has(name));
    const folders = names.map((name) => path.join(all, name));
    for (const folder of folders) {
      this.#watch(folder);
    }
    const found = (await Promise.all(folders.map(storedIn))).flat();
    let bytes = 0;
    for (const { folder, size } of found
      .sort((a, b) => b.time - a.time)
      .slice(0, maxLoadedSessions)) {
      bytes += size;
      const isKnown = this.#reviews.has(folder) || this.#opening.has(folder);
      if (bytes <= maxBytes && !isKnown && !this.#isDisposed) {
        await this.#find(folder).catch((error: unknown) =>
          this.#options.log.warn(`${folder} could not be read: ${getStack(error)}`),
        );
      }
    }
  }

  /** Another window may only just have begun the record. */
  async #find(folder: string): Promise<void> {
    this.#watch(folder);
    const head = await findHead(folder);
    if (head !== undefined && isRecordFolder(folder, head)) {
      await this.#open(folder, head.agentId, head.sessionId);
      this.#unwatch(folder);
    }
  }

  #open(folder: string, agentId: string, sessionId: string): Promise<RecordedReview> {
    const known = this.#reviews.get(folder);
    return known === undefined
      ? shared(this.#opening, folder, () => this.#create(folder, agentId, sessionId))
      : Promise.resolve(known);
  }

  async #create(folder: string, agentId: string, sessionId: string): Promise<RecordedReview> {
    const files = this.#getFiles({ agentId, sessionId });
    const blobs = this.#options.blobs(folder);
    const record = new SessionRecord({ folder, agentId, sessionId, blobs, files });
    const review = new RecordedReview(record, files);
    await record.catchUp();
    this.#reviews.set(folder, review);
    this.#all = undefined;
    record.watch();
    review.onDidChange(() => this.#changed.fire());
    await this.#lookForInterrupted(review);
    this.#changed.fire();
    return review;
  }

  async #lookForInterrupted(review: RecordedReview): Promise<void> {
    const now = Date.now();
    for (const intent of review.record.state.openDecisions.values()) {
      if (isAbandoned(intent, now)) {
        const files = this.#getFiles(review);
        const found: AbandonedDecision = await AbandonedDecision.of({
          ...{ review, files, intent },
          onEnd: () => {
            this.#interrupted = this.#interrupted.filter((it) => it !== found);
            this.#changed.fire();
          },
        });
        this.#interrupted = [...this.#interrupted, found];
      }
    }
  }

  /** The files, as decisions about a session change them. */
  #getFiles({ agentId, sessionId }: SessionRef): ReviewFiles {
    const { files } = this.#options;
    return {
      look: (file) => files.look(file),
      howToDelete: (deleted) => files.howToDelete(deleted),
      decode: (file, bytes) => files.decode(file, bytes),
      encode: (file, text, like) => files.encode(file, text, like),
      replace: async (all, done) => {
        const changed = all.map(({ file }) => file);
        const name = { agentId, sessionId };
        const left = await this.work.decided(name, changed, () => files.replace(all, done));
        this.#settleUndone(changed);
        return left;
      },
    };
  }

  /** What was uncertain in the records of other sessions may be undone now. */
  #settleUndone(files: readonly string[]): void {
    for (const review of this.#reviews.values()) {
      const uncertain = review.uncertain.filter(({ file }) => files.includes(file));
      if (uncertain.length > 0) {
        void review
          .settleUndone(uncertain.map(({ file }) => file))
          .catch((error: unknown) => this.#options.log.warn(`Not settled: ${getStack(error)}`));
      }
    }
  }

  #drop(folder: string, review: RecordedReview): void {
    review.dispose();
    this.#reviews.delete(folder);
    this.#interrupted = this.#interrupted.filter((it) => it.review !== review);
    this.#all = undefined;
    this.#changed.fire();
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Finds the sessions of other windows. */
  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#isDisposed) {
      return;
    }
    try {
      mkdirSync(folder, { recursive: true });
      const watcher = watch(folder, { persistent: false }, () => void this.load());
      watcher.on('error', () => undefined);
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#options.log.warn(`${folder} could not be watched: ${getStack(error)}`);
    }
  }
}

interface Stored {
  readonly folder: string;
  readonly size: number;
  readonly time: number;
}

async function storedIn(folder: string): Promise<readonly Stored[]> {
  const names = await readdir(folder).catch(() => []);
  const found: Stored[] = [];
  for (const name of names.filter(isRecordName)) {
    const session = path.join(folder, name);
    if ((await lstat(session).catch(() => undefined))?.isSymbolicLink()) {
      // It would be a record of another folder.
      continue;
    }
    const journal = await stat(path.join(session, 'journal.ndjson')).catch(() => undefined);
    const facts = journal ?? (await stat(session).catch(() => undefined));
    if (facts !== undefined) {
      found.push({ folder: session, size: journal?.size ?? 0, time: facts.mtimeMs });
    }
  }
  return found;
}

/** The first line, which says whose record it is; `undefined` if a later version of the extension has written it. */
async function findHead(folder: string): Promise<HeadLine | undefined> {
  try {
    const bytes = await readBeginning(path.join(folder, 'journal.ndjson'), headBytes);
    const [first = ''] = bytes.toString('utf8').split('\n').filter(Boolean);
    const line = readLine(first);
    return typeof line === 'object' && line.type === 'record' ? line : undefined;
  } catch {
    // It isn't a file.
    return undefined;
  }
}

function isRecordFolder(folder: string, { agentId, sessionId }: HeadLine): boolean {
  return path.basename(folder) === recordName(JSON.stringify([agentId, sessionId]));
}
