import { randomUUID } from 'node:crypto';
import { constants, type FSWatcher, watch } from 'node:fs';
import { lstat, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { getMark, mayLive } from '../../../../model/files/processMark';
import { readRegularFile } from '../../../../model/files/regularFile';
import { isInside } from '../../../../model/files/roots';
import type { Log } from '../../../../model/ports';
import type { SessionRef } from '../../../../shared/sessionRef';
import { inSequence } from '../../../../util/async';
import type { Disposable } from '../../../../util/disposable';
import { Emitter } from '../../../../util/emitter';
import { getStack } from '../../../../util/getStack';
import type { Claim, Work, WorkKind } from './work';
import { beginLine, claimsLine, endLine, readWork, workBounds } from './workLines';

/** Maximum number of works that are read; no machine has so many at a time. */
const maxWorks = 500;
/** What has ended is known for so long at least, in ms. */
const keptMs = 60_000;
/** The paths of so many fit. */
const filesPerWork = 400;
/** A file has been written for so long at most when it is told that it was saved, in ms. */
const savingMs = 2_000;
const noLinks = (constants.O_NOFOLLOW as number | undefined) ?? 0;
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLinks;
const fileName = /^([^.]+)\.([0-9a-f-]{36})\.ndjson$/;

/** A work of another window, as its file had it. */
interface Stored {
  readonly bytes: number;
  readonly work: Work | undefined;
}

/**
 * Which sessions are at work in which folders, and which files they have changed or named, for all windows of this
 * machine. Each work has a file, to which only its window appends. The work of a window that is gone ends when the next
 * one looks.
 */
export class SharedWork implements Disposable {
  readonly #folder: string;
  readonly #log: Pick<Log, 'warn'>;
  readonly #own = new Set<OwnWork>();
  readonly #stored = new Map<string, Stored>();
  readonly #changed = new Emitter<void>();
  /** A work has begun or ended, or named a file; also fires for those of other windows. */
  readonly onDidChange = this.#changed.event;
  #watcher: FSWatcher | undefined;
  #hasWarned = false;

  constructor(folder: string, log: Pick<Log, 'warn'>) {
    this.#folder = folder;
    this.#log = log;
  }

  /** A session begins to work in these folders (real paths). Other windows know when `isKnown` has resolved. */
  begin(session: SessionRef, folders: readonly string[]): OwnWork {
    return this.#begin('turn', session, folders.slice(0, workBounds.folders));
  }

  /** The user has saved a file in this window; the sessions of others don't take that for their own change. */
  async saved(file: string): Promise<void> {
    const others = await this.#others();
    if (others.some(({ ended, folders }) => ended === undefined && isInside(file, folders))) {
      const now = Date.now();
      const work = this.#begin('save', { agentId: 'user', sessionId: 'user' }, []);
      work.claim([{ file, from: now - savingMs, to: now, by: 'written' }]);
      await work.end();
    }
  }

  /** Changes files as the user has decided about a session's changes; no other session takes that for its own change. */
  async decided<T>(
    session: SessionRef,
    files: readonly string[],
    change: () => Promise<T>,
  ): Promise<T> {
    const works: OwnWork[] = [];
    for (let from = 0; from < files.length; from += filesPerWork) {
      const work = this.#begin('decision', session, []);
      const claim = { from: Date.now(), to: Number.MAX_SAFE_INTEGER, by: 'written' } as const;
      work.claim(files.slice(from, from + filesPerWork).map((file) => ({ file, ...claim })));
      works.push(work);
    }
    try {
      await Promise.all(works.map((work) => work.told()));
      return await change();
    } finally {
      await Promise.all(works.map((work) => work.end()));
    }
  }

  #begin(kind: WorkKind, session: SessionRef, folders: readonly string[]): OwnWork {
    const { agentId, sessionId } = session;
    const work = new OwnWork({
      ...{ kind, agentId, sessionId, folders },
      append: (name, text) => this.#append(name, text),
      changed: () => this.#changed.fire(),
    });
    this.#own.add(work);
    this.#changed.fire();
    return work;
  }

  /** All running works, and those that ended during one of these. */
  async all(): Promise<readonly Work[]> {
    const others = await this.#others();
    const all = [...this.#own, ...others];
    const going = all.filter(({ ended }) => ended === undefined).map(({ began }) => began);
    // Whoever has only just ended may still wait for what others name.
    const since = Math.min(Date.now() - keptMs, ...going);
    for (const work of this.#own) {
      if (work.ended !== undefined && work.ended < since) {
        this.#own.delete(work);
        void this.#remove(work.name);
      }
    }
    for (const [name, { work }] of this.#stored) {
      if (work?.ended !== undefined && work.ended < since && isOfTheDead(name)) {
        void this.#remove(name);
      }
    }
    return all;
  }

  /** Follows the other windows, while something is still unsettled here. */
  watch(): void {
    try {
      this.#watcher ??= watch(this.#folder, { persistent: false }, () => this.#changed.fire());
      this.#watcher.on('error', () => undefined);
    } catch {
      // Nobody has worked yet; then the next checkpoint looks.
    }
  }

  dispose(): void {
    this.#watcher?.close();
    for (const work of this.#own) {
      void work.end();
    }
    this.#changed.dispose();
  }

  async #others(): Promise<readonly Work[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const own = new Set([...this.#own].map(({ name }) => name));
    const others = names.filter((name) => fileName.test(name) && !own.has(name));
    for (const name of [...this.#stored.keys()].filter((it) => !others.includes(it))) {
      this.#stored.delete(name);
    }
    const works = await Promise.all(others.slice(0, maxWorks).map((name) => this.#read(name)));
    return works.filter((work) => work !== undefined);
  }

  async #read(name: string): Promise<Work | undefined> {
    const file = path.join(this.#folder, name);
    try {
      const { size } = await stat(file);
      let stored = this.#stored.get(name);
      if (stored?.bytes !== size) {
        const bytes = await readRegularFile(file, { maxBytes: workBounds.bytes });
        stored = { bytes: size, work: readWork(bytes.toString('utf8')) };
        this.#stored.set(name, stored);
      }
      const { work } = stored;
      if (work?.ended === undefined && isOfTheDead(name)) {
        const ended = Date.now();
        await (work === undefined ? this.#remove(name) : this.#append(name, endLine(ended)));
        return work && { ...work, ended };
      }
      return work;
    } catch {
      // It was removed in between.
      return undefined;
    }
  }

  async #append(name: string, text: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const handle = await open(path.join(this.#folder, name), appending, 0o600);
      try {
        await handle.write(text);
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Once: it would be so with each line.
      const warn = this.#hasWarned ? undefined : this.#log;
      this.#hasWarned = true;
      warn?.warn(`Other windows don’t know what works here: ${getStack(error)}`);
    }
  }

  async #remove(name: string): Promise<void> {
    await unlink(path.join(this.#folder, name)).catch(() => undefined);
  }
}

/** Nobody else ends or removes the work of a window that is gone. */
function isOfTheDead(name: string): boolean {
  return !mayLive(fileName.exec(name)?.[1] ?? '');
}

interface OwnWorkParts extends SessionRef {
  readonly folders: readonly string[];
  readonly kind: WorkKind;
  append(name: string, text: string): Promise<void>;
  changed(): void;
}

/** A work of this window. */
export class OwnWork implements Work {
  readonly #parts: OwnWorkParts;
  readonly #one = inSequence();
  readonly name = `${getMark('0')}.${randomUUID()}.ndjson`;
  readonly began = Date.now();
  readonly claims = new Map<string, Claim[]>();
  readonly isKnown: Promise<void>;
  #trees: readonly string[] = [];
  #ended: number | undefined;
  #count = 0;
  #bytes = 0;

  constructor(parts: OwnWorkParts) {
    this.#parts = parts;
    this.isKnown = this.#one(() => this.#begin());
  }

  get kind(): WorkKind {
    return this.#parts.kind;
  }

  get agentId(): string {
    return this.#parts.agentId;
  }

  get sessionId(): string {
    return this.#parts.sessionId;
  }

  get folders(): readonly string[] {
    return this.#parts.folders;
  }

  get trees(): readonly string[] {
    return this.#trees;
  }

  get ended(): number | undefined {
    return this.#ended;
  }

  /** The session has changed these files within the time, or named them; more than there is room for are left out. */
  claim(claims: readonly Claim[]): void {
    const text = claimsLine(claims);
    const hasRoom = this.#bytes + text.length <= workBounds.bytes / 4;
    const added = hasRoom ? claims.slice(0, workBounds.claims - this.#count) : [];
    this.#count += added.length;
    this.#bytes += text.length;
    for (const claim of added) {
      const known = this.claims.get(claim.file) ?? [];
      known.push(claim);
      this.claims.set(claim.file, known);
    }
    if (added.length > 0) {
      this.#tell(claimsLine(added));
    }
  }

  /** Resolves when all that it has to tell is written. */
  end(): Promise<void> {
    if (this.#ended === undefined) {
      this.#ended = Date.now();
      this.#tell(endLine(this.#ended));
    }
    return this.told();
  }

  /** Resolves when other windows can know everything of it. */
  told(): Promise<void> {
    return this.#one(() => Promise.resolve());
  }

  async #begin(): Promise<void> {
    const { folders } = this;
    const own = await Promise.all(folders.map(isTree));
    this.#trees = folders.filter((_, at) => own[at]);
    await this.#parts.append(this.name, beginLine(this));
  }

  #tell(text: string): void {
    this.#parts.changed();
    void this.#one(() => this.#parts.append(this.name, text));
  }
}

/** Whether Git's files begin in this folder. */
async function isTree(folder: string): Promise<boolean> {
  return lstat(path.join(folder, '.git')).then(
    () => true,
    () => false,
  );
}
