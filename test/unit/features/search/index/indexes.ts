import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type {
  IndexedSession,
  SearchHit,
  SessionPart,
  Touch,
} from '../../../../../src/features/search/model/searchIndex';
import { indexFileName } from '../../../../../src/features/search/searchIndex/machine';
import { WorkerSearchIndex } from '../../../../../src/features/search/workerSearchIndex';
import type { Log } from '../../../../../src/model/ports';
import { inProject } from '../../../../support/project';

export const program = inProject('dist/searchWorker.js');

/** Bytes; larger than what any test puts. */
export const usualLimit = 100e6;

/** Indexes over one folder, as in several windows; call `dispose` in `afterEach`. */
export class Indexes {
  readonly folder: string;
  readonly logged: string[] = [];
  readonly #all: WorkerSearchIndex[] = [];
  limit = usualLimit;
  patience = 5_000;
  stallMs = 120_000;
  program = program;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Indexes> {
    return new Indexes(await mkdtemp(path.join(os.tmpdir(), 'acp-search-')));
  }

  get file(): string {
    return path.join(this.folder, indexFileName());
  }

  get lock(): string {
    return `${this.file}.lock`;
  }

  open(): WorkerSearchIndex {
    const note = (message: string) => void this.logged.push(message);
    const log: Log = { error: note, warn: note, info: note, debug: note, trace: note };
    const { folder, patience, stallMs, program: own } = this;
    const index = new WorkerSearchIndex({
      program: own,
      folder,
      limit: () => this.limit,
      log,
      patience,
      stallMs,
    });
    this.#all.push(index);
    return index;
  }

  async dispose(): Promise<void> {
    const ended = this.#all.map((index) => index.ended);
    for (const index of this.#all) {
      index.dispose();
    }
    // A worker that is still writing would recreate the folder.
    await Promise.all(ended);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export function session(sessionId: string, more: Partial<IndexedSession> = {}): IndexedSession {
  const updatedAt = '2026-03-01T12:00:00Z';
  return {
    agentId: 'a',
    sessionId,
    title: `Session ${sessionId}`,
    cwd: '/project',
    additionalDirectories: [],
    updatedAt,
    ...more,
  };
}

/** A whole session with these texts. */
export function part(
  sessionId: string,
  texts: readonly string[],
  more: Partial<SessionPart> = {},
): SessionPart {
  return {
    session: session(sessionId),
    from: 0,
    entries: texts.map((text) => ({ text, touches: [] })),
    version: `${texts.length}`,
    seen: 0,
    ...more,
  };
}

/** A touch of a file: a read, or a change with this number of added lines. */
export function touch(file: string, act: Touch['act'] = 'read', added = 0): Touch {
  return { file, act, added, removed: 0 };
}

/** The session and entry of each hit. */
export function places(hits: readonly Pick<SearchHit, 'session' | 'entry'>[]): string[] {
  return hits.map((hit) => `${hit.session.sessionId}:${hit.entry ?? 'title'}`);
}
