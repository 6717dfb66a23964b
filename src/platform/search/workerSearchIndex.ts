import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../model/ports';
import {
  type SearchHit,
  type SearchIndex,
  SearchIndexError,
  type SessionPart,
} from '../../model/searchIndex';
import { type Deferred, deferred } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import {
  endOfWork,
  type IndexAnswer,
  type IndexCalls,
  packPart,
  parseFromWorker,
  type WorkerStart,
} from './messages';

export interface WorkerSearchIndexOptions {
  /** The worker's bundle. */
  readonly program: string;
  /** The folder that everything is written into; made when something is. */
  readonly folder: string;
  /** Bytes that the index may take on the disk. */
  readonly limit: () => number;
  readonly log: Log;
  /** How long another window may hold the index, in ms. */
  readonly patience?: number;
}

type Waiting = Deferred<unknown>;

/** The index behind a worker, which is started when something is first asked of it. */
export class WorkerSearchIndex implements SearchIndex, Disposable {
  readonly #options: WorkerSearchIndexOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isDisposed = false;

  constructor(options: WorkerSearchIndexOptions) {
    this.#options = options;
  }

  async put(part: SessionPart): Promise<void> {
    await this.#ask('put', [packPart(part), this.#options.limit()]);
  }

  version(agentId: string, sessionId: string): Promise<string | undefined> {
    return this.#read('version', [agentId, sessionId], undefined);
  }

  search(text: string): Promise<readonly SearchHit[]> {
    return this.#read('search', [text], []);
  }

  touching(files: readonly string[]): Promise<readonly SearchHit[]> {
    return this.#read('touching', [files], []);
  }

  forget(agentId: string, sessionId: string): Promise<void> {
    return this.#read('forget', [agentId, sessionId], undefined);
  }

  clear(): Promise<void> {
    return this.#read('clear', [], undefined);
  }

  dispose(): void {
    this.#isDisposed = true;
    // It ends by itself, after what it is writing just now.
    this.#worker?.postMessage(endOfWork);
    this.#fail(new SearchIndexError('failed', 'The window closes'));
  }

  /** Where nothing was ever written, no worker is needed to say so. */
  #read<M extends keyof IndexCalls, T>(
    method: M,
    parameters: Parameters<IndexCalls[M]>,
    nothing: T,
  ): Promise<T> {
    return this.#worker === undefined && !existsSync(this.#options.folder)
      ? Promise.resolve(nothing)
      : (this.#ask(method, parameters) as Promise<T>);
  }

  #ask<M extends keyof IndexCalls>(
    method: M,
    parameters: Parameters<IndexCalls[M]>,
  ): Promise<unknown> {
    if (this.#isDisposed) {
      return Promise.reject(new SearchIndexError('failed', 'The window closes'));
    }
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const answer = deferred<unknown>();
    this.#waiting.set(id, answer);
    this.#worker.postMessage({ id, method, parameters });
    return answer.promise;
  }

  #start(): Worker {
    const { program, folder, log, patience = 5_000 } = this.#options;
    const start: WorkerStart = { folder, patience };
    const worker = new Worker(program, { workerData: start });
    worker.on('message', (message: unknown) => this.#receive(message));
    worker.on('error', (error) => log.error(`The search index has stopped: ${error.message}`));
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#fail(new SearchIndexError('failed', 'The search index has stopped'));
    });
    return worker;
  }

  #receive(value: unknown): void {
    const message = parseFromWorker(value);
    if (message?.type === 'log') {
      this.#options.log.warn(message.message);
    } else if (message !== undefined) {
      this.#settle(message);
    }
  }

  #settle({ id, value, failed }: IndexAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed === undefined) {
      waiting?.resolve(value);
    } else {
      waiting?.reject(new SearchIndexError(failed.problem, failed.message));
    }
  }

  #fail(error: SearchIndexError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const answer of waiting) {
      answer.reject(error);
    }
  }
}
