import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { SearchIndexError } from '../../model/searchIndex';
import {
  endOfWork,
  type IndexAnswer,
  type IndexLogLine,
  type IndexRequest,
  parseRequest,
  type WorkerStart,
} from './messages';
import { SearchStore } from './store';

/** The program of the worker: one request after the other, each with one answer. */

const retryMs = 15;

const { folder, patience } = workerData as WorkerStart;
const store = new SearchStore(folder, (message) => post({ type: 'log', message }));
let work = Promise.resolve();

parentPort?.on('message', (message: unknown) => {
  if (message === endOfWork) {
    work = work.then(() => {
      store.close();
      parentPort?.close();
    });
    return;
  }
  const request = parseRequest(message);
  if (request !== undefined) {
    work = work.then(async () => post(await answer(request)));
  }
});

async function answer(request: IndexRequest): Promise<IndexAnswer> {
  const { id } = request;
  const giveUp = Date.now() + patience;
  for (;;) {
    try {
      return { type: 'answer', id, value: perform(request) };
    } catch (error) {
      const problem = error instanceof SearchIndexError ? error.problem : 'failed';
      if (problem !== 'busy' || Date.now() > giveUp) {
        return { type: 'answer', id, failed: { problem, message: messageOf(error) } };
      }
    }
    await setTimeout(retryMs * (0.5 + Math.random()));
  }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function post(message: IndexAnswer | IndexLogLine): void {
  parentPort?.postMessage(message);
}
