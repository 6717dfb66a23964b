import './engineMemory';
import process from 'node:process';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { SearchIndexError, type SearchIndexProblem } from '../model/searchIndex';
import { getProblem } from './indexProblem';
import { SearchStore } from './searchStore';
import {
  endOfWork,
  type FromWorker,
  type IndexAnswer,
  type IndexRequest,
  parseRequest,
  type WorkerStart,
} from './workerMessages';

/** The entry point of the worker: answers each request once. */

type Result = Pick<IndexAnswer, 'value' | 'failed'>;

interface Waiting {
  readonly request: IndexRequest;
  /** When it stops waiting for another window, as a `performance.now()` time. */
  giveUp: number;
}

/** Pause between two attempts to take the lock, in ms; doubles with each attempt. */
const shortestPause = 10;
const maxPauseMs = 500;
/** How long pending requests may still wait once the window closes, in ms. */
const endPatience = 1_000;
/** Waiting time after which the log names the holder of the lock, in ms. */
const quietMs = 2_000;

const { folder, worker, patience, longPatience, isSuspect } = workerData as WorkerStart;
const store = new SearchStore({ folder, worker, log: (message) => post({ type: 'log', message }) });
// The state of the only thing that this thread does; it ends with the thread.
let waiting: Waiting[] = [];
let isWorking = false;
let isEnding = false;
let mustBeginAnew = isSuspect;
/** When the lock was first found busy since it was last taken. */
let busySince: number | undefined;
let isBusyTold = false;

parentPort?.on('message', (message: unknown) => {
  const request = parseRequest(message);
  if (request !== undefined) {
    const isSoon = ['search', 'touching', 'clear'].includes(request.method);
    waiting.push({ request, giveUp: performance.now() + (isSoon ? patience : longPatience) });
  }
  if (message === endOfWork) {
    isEnding = true;
    for (const one of waiting) {
      one.giveUp = Math.min(one.giveUp, performance.now() + endPatience);
    }
  }
  if (!isWorking) {
    void work();
  }
});

async function work(): Promise<void> {
  isWorking = true;
  let pause = shortestPause;
  for (let next = nextOne(); next !== undefined; next = nextOne()) {
    const result = getResult(next.request);
    if (result.failed?.problem !== 'busy') {
      busySince = undefined;
      isBusyTold = false;
      pause = shortestPause;
      answer([next], result);
      // Lets in the messages that have arrived meanwhile.
      await setImmediate();
      continue;
    }
    tellBusy(result.failed.message);
    post({ type: 'waits' });
    answer(
      waiting.filter(({ giveUp }) => giveUp <= performance.now()),
      result,
    );
    // Another process holds the lock; the system doesn't tell when it is released.
    await setTimeout(pause * (0.5 + Math.random()));
    pause = Math.min(2 * pause, maxPauseMs);
  }
  isWorking = false;
  if (isEnding) {
    store.dispose();
    parentPort?.close();
  }
}

/** Requests that someone may be waiting for go first. */
function nextOne(): Waiting | undefined {
  return waiting.find(({ request }) => request.method !== 'put') ?? waiting[0];
}

function answer(some: readonly Waiting[], result: Result): void {
  waiting = waiting.filter((one) => !some.includes(one));
  for (const { request } of some) {
    post({ type: 'answer', id: request.id, ...result });
  }
}

function tellBusy(message: string): void {
  busySince ??= performance.now();
  if (!isBusyTold && performance.now() - busySince > quietMs) {
    isBusyTold = true;
    post({ type: 'log', message: `The search index is waiting for another window: ${message}` });
  }
}

function getResult(request: IndexRequest): Result {
  try {
    if (mustBeginAnew) {
      store.discard();
      mustBeginAnew = false;
    }
    return { value: perform(request) };
  } catch (error) {
    return { failed: { problem: problemFor(error), message: getMessage(error) } };
  }
}

/**
 * The answers of a broken engine can't be trusted any more: the worker exits, and another replaces
 * it.
 */
function problemFor(error: unknown): SearchIndexProblem {
  if (error instanceof SearchIndexError) {
    return error.problem;
  }
  if (getProblem(error) === 'broken') {
    post({
      type: 'log',
      message: `The search index worker must be restarted: ${getMessage(error)}`,
    });
    process.exit(1);
  }
  return 'failed';
}

function perform(request: IndexRequest): unknown {
  switch (request.method) {
    case 'put':
      store.put(...request.parameters);
      return undefined;
    case 'version':
      return store.version(...request.parameters);
    case 'search':
      return store.search(...request.parameters);
    case 'touching':
      return store.touching(...request.parameters);
    case 'forget':
      store.forget(...request.parameters);
      return undefined;
    case 'clear':
      store.clear();
      return undefined;
  }
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
