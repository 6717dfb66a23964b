import { setImmediate, setTimeout } from 'node:timers/promises';
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

/** The program of the worker: one answer to each request. */

type Put = Extract<IndexRequest, { method: 'put' }>;
type Result = Pick<IndexAnswer, 'value' | 'failed'>;

const retryMs = 15;

const { folder, patience } = workerData as WorkerStart;
const store = new SearchStore(folder, (message) => post({ type: 'log', message }));
const waiting: IndexRequest[] = [];
let isWorking = false;
let isEnding = false;

parentPort?.on('message', (message: unknown) => {
  const request = parseRequest(message);
  if (request !== undefined) {
    waiting.push(request);
  }
  isEnding ||= message === endOfWork;
  if (!isWorking) {
    void work();
  }
});

/** What somebody may wait for goes first; all that is to be put goes together, because each transaction costs. */
async function work(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ method }) => method !== 'put');
    const requests = next < 0 ? waiting.splice(0) : waiting.splice(next, 1);
    const result = await resultOf(requests);
    for (const { id } of requests) {
      post({ type: 'answer', id, ...result });
    }
    // Lets in what has come meanwhile.
    await setImmediate();
  }
  isWorking = false;
  if (isEnding) {
    store.close();
    parentPort?.close();
  }
}

async function resultOf(requests: readonly IndexRequest[]): Promise<Result> {
  const giveUp = Date.now() + patience;
  for (;;) {
    try {
      return { value: perform(requests) };
    } catch (error) {
      const problem = error instanceof SearchIndexError ? error.problem : 'failed';
      if (problem !== 'busy' || Date.now() > giveUp) {
        return { failed: { problem, message: messageOf(error) } };
      }
    }
    await setTimeout(retryMs * (0.5 + Math.random()));
  }
}

/** One request, or any number of parts to put. */
function perform(requests: readonly IndexRequest[]): unknown {
  const [request] = requests;
  switch (request?.method) {
    case undefined:
      return undefined;
    case 'put':
      store.put(
        requests.filter(isPut).map(({ parameters: [part] }) => part),
        request.parameters[1],
      );
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

function isPut(request: IndexRequest): request is Put {
  return request.method === 'put';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function post(message: IndexAnswer | IndexLogLine): void {
  parentPort?.postMessage(message);
}
