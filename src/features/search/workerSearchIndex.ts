import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { freeLock } from '../../model/files/fileLock';
import type { Log } from '../../model/ports';
import { maxQueryLength } from '../../model/text/searchWords';
import { type Deferred, deferred, watchProgress } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import {
  type SearchHit,
  type SearchIndex,
  SearchIndexError,
  type SessionPart,
  type TouchHit,
} from './model/searchIndex';
import { indexFileName } from './searchIndex/machine';
import {
  endOfWork,
  type IndexAnswer,
  type IndexCalls,
  packPart,
  parseFromWorker,
  type WorkerStart,
} from './searchIndex/workerMessages';

export interface WorkerSearchIndexOptions {
  /** Path of the worker's bundle. */
  readonly program: string;
  /** The folder that all files are written to; created on the first write. */
  readonly folder: string;
  /** Maximum size of the index on disk, in bytes. */
  readonly limit: () => number;
  readonly log: Log;
  /** How long requests that the user waits for may wait for another window, in ms. */
  readonly patience?: number;
  /** How long all other requests may wait for another window, in ms. */
  readonly longPatience?: number;
  /** Time without a message after which the worker is given up, in ms. */
  readonly stallMs?: number;
}

/** Consecutive crashes of the worker after which its requests fail. */
const maxCrashes = 3;
/** Consecutive crashes after which the index file is taken for the cause. */
const suspectCrashes = 2;
/** Limit of the worker's heap; the engine's memory has a separate limit. */
const maxHeapMb = 512;

interface Waiting {
  /** The posted message, kept to be posted again if the worker ends. */
  readonly request: object;
  readonly answer: Deferred<unknown>;
}

/**
 * The index in a worker, which is started by the first request. If the worker crashes, its requests
 * are sent to a new one, a bounded number of times; every request settles.
 */
export class WorkerSearchIndex implements SearchIndex, Disposable {
  readonly #options: WorkerSearchIndexOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Distinguishes this window's worker from those of other windows. */
  readonly #id = randomBytes(8).toString('hex');
  #worker: Worker | undefined;
  #lastId = 0;
  #received = 0;
  #crashes = 0;
  #isGivenUp = false;
  #isDisposed = false;

  constructor(options: WorkerSearchIndexOptions) {
    this.#options = options;
  }

  async put(...parts: readonly SessionPart[]): Promise<void> {
    await this.#ask('put', [parts.map(packPart), this.#options.limit()]);
  }

  version(agentId: string, sessionId: string): Promise<string | undefined> {
    return this.#read('version', [agentId, sessionId], undefined);
  }

  search(text: string): Promise<readonly SearchHit[]> {
    return this.#read('search', [text.slice(0, maxQueryLength)], []);
  }

  touching(files: readonly string[]): Promise<readonly TouchHit[]> {
    return this.#read('touching', [files], []);
  }

  forget(agentId: string, sessionId: string): Promise<void> {
    return this.#read('forget', [agentId, sessionId], undefined);
  }

  clear(): Promise<void> {
    return this.#read('clear', [], undefined);
  }

  /** Settles when the worker has released the files. */
  get ended(): Promise<void> {
    const worker = this.#worker;
    return worker === undefined
      ? Promise.resolve()
      : new Promise((resolve) => void worker.once('exit', () => resolve()));
  }

  dispose(): void {
    this.#isDisposed = true;
    // The worker exits by itself after its current write.
    this.#worker?.postMessage(endOfWork);
    this.#fail('The window is closing');
  }

  /** If nothing was ever written, returns the empty result without starting the worker. */
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
    if (this.#isDisposed || this.#isGivenUp) {
      const message = this.#isDisposed
        ? 'The window is closing'
        : 'The search index does not respond';
      return Promise.reject(new SearchIndexError('failed', message));
    }
    const id = ++this.#lastId;
    const request = { id, method, parameters };
    const answer = deferred<unknown>();
    this.#waiting.set(id, { request, answer });
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
    return answer.promise;
  }

  #start(): Worker {
    const { program, folder, log, stallMs = 120_000 } = this.#options;
    const worker = new Worker(program, {
      workerData: this.#startData(folder),
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    const watching = watchProgress(
      () => (this.#waiting.size > 0 ? this.#received : ++this.#received),
      stallMs,
      () => this.#giveUp(worker),
    );
    worker.on('message', (message: unknown) => this.#receive(message));
    worker.on('error', (error) => log.error(`The search index has stopped: ${error.message}`));
    worker.on('exit', (code) => {
      watching.dispose();
      this.#ended(code);
    });
    return worker;
  }

  #startData(folder: string): WorkerStart {
    const { patience = 5_000, longPatience = 600_000 } = this.#options;
    const isSuspect = this.#crashes >= suspectCrashes;
    return { folder, worker: this.#id, patience, longPatience, isSuspect };
  }

  /** The answer may never come: the worker may be waiting for a disk that doesn't respond. */
  #giveUp(worker: Worker): void {
    this.#isGivenUp = true;
    this.#options.log.error('The search index does not respond and is terminated');
    this.#fail('The search index does not respond');
    void worker.terminate();
  }

  #ended(code: number): void {
    this.#worker = undefined;
    this.#isGivenUp = false;
    if (code !== 0) {
      freeLock(`${path.join(this.#options.folder, indexFileName())}.lock`, this.#id);
    }
    if (this.#waiting.size === 0) {
      return;
    }
    this.#crashes++;
    if (this.#crashes >= maxCrashes) {
      // The next request gets one more try.
      this.#crashes = maxCrashes - 1;
      this.#fail('The search index has stopped');
      return;
    }
    this.#options.log.warn('The search index worker stopped unexpectedly and is restarted');
    this.#worker = this.#start();
    for (const { request } of this.#waiting.values()) {
      this.#worker.postMessage(request);
    }
  }

  #receive(value: unknown): void {
    const message = parseFromWorker(value);
    this.#received++;
    if (message?.type === 'log') {
      this.#options.log.warn(message.message);
    } else if (message?.type === 'answer') {
      this.#settle(message);
    }
  }

  #settle({ id, value, failed }: IndexAnswer): void {
    const answer = this.#waiting.get(id)?.answer;
    this.#waiting.delete(id);
    this.#crashes = 0;
    if (failed === undefined) {
      answer?.resolve(value);
    } else {
      answer?.reject(new SearchIndexError(failed.problem, failed.message));
    }
  }

  #fail(message: string): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { answer } of waiting) {
      answer.reject(new SearchIndexError('failed', message));
    }
  }
}
