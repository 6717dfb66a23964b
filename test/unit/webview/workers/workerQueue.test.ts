import assert from 'node:assert/strict';
import {
  type PageWorker,
  type WorkerAnswer,
  WorkerQueue,
} from '../../../../src/webview/workers/workerQueue';

interface Job {
  readonly text: string;
  readonly kind: string;
}

/** Workers that answer immediately, except for `slow` texts, which they never answer. */
class Workers {
  started = 0;
  ended = 0;
  readonly jobs: string[] = [];

  readonly start = (): Promise<PageWorker<Job, string>> => {
    this.started++;
    let answer: ((answer: WorkerAnswer<string>) => void) | undefined;
    setTimeout(() => answer?.({ type: 'ready' }));
    return Promise.resolve({
      listen: (onAnswer) => {
        answer = onAnswer;
      },
      ask: ({ text }) => {
        this.jobs.push(text);
        if (!text.startsWith('slow')) {
          queueMicrotask(() => answer?.({ type: 'done', result: `${text} done` }));
        }
      },
      end: () => {
        this.ended++;
      },
    });
  };
}

function queueOf(
  start: () => Promise<PageWorker<Job, string>>,
  maxMs: number,
): WorkerQueue<Job, string> {
  return new WorkerQueue({
    start,
    maxMs,
    accepts: ({ text }) => text.length < 100,
    keyOf: ({ text, kind }) => `${kind} ${text}`,
    kept: 2,
    kindOf: ({ kind }) => kind,
  });
}

describe('work beside the page', () => {
  const signal = new AbortController().signal;

  it('SEC-117: ends a worker that takes too long, and goes on with another', async () => {
    const workers = new Workers();
    const queue = queueOf(workers.start, 20);
    const found = await Promise.all([
      queue.run({ text: 'slow', kind: 'c' }, signal),
      queue.run({ text: 'quick', kind: 'c' }, signal),
    ]);
    assert.deepEqual(found, [undefined, 'quick done']);
    assert.deepEqual([workers.started, workers.ended], [2, 1]);
  });

  it('tries a kind no more that took too long three times, and others still', async () => {
    const workers = new Workers();
    const queue = queueOf(workers.start, 5);
    for (const text of ['slow 1', 'slow 2', 'slow 3', 'slow 4', 'quick']) {
      assert.equal(await queue.run({ text, kind: 'c' }, signal), undefined);
    }
    assert.deepEqual(workers.jobs, ['slow 1', 'slow 2', 'slow 3']);
    assert.deepEqual(await queue.run({ text: 'quick', kind: 'go' }, signal), 'quick done');
  });

  it('tries no kind any more after nine times in all', async () => {
    const workers = new Workers();
    const queue = queueOf(workers.start, 5);
    const kinds = ['c', 'cpp', 'ini', 'nix', 'go', 'css', 'php', 'sql', 'r', 'xml'] as const;
    for (const kind of kinds) {
      await queue.run({ text: 'slow', kind }, signal);
    }
    assert.equal(workers.jobs.length, 9);
    assert.equal(await queue.run({ text: 'quick', kind: 'json' }, signal), undefined);
    assert.equal(workers.started, workers.ended);
  });

  it('skips work that is no longer needed', async () => {
    const workers = new Workers();
    const queue = queueOf(workers.start, 1000);
    const abort = new AbortController();
    const first = queue.run({ text: 'first', kind: 'c' }, signal);
    const second = queue.run({ text: 'second', kind: 'c' }, abort.signal);
    abort.abort();
    assert.deepEqual(await Promise.all([first, second]), ['first done', undefined]);
    assert.deepEqual(workers.jobs, ['first']);
  });

  it('keeps the latest results, and tries nothing that is too large', async () => {
    const workers = new Workers();
    const queue = queueOf(workers.start, 1000);
    for (const text of ['a', 'b', 'c', 'a'.repeat(200)]) {
      await queue.run({ text, kind: 'c' }, signal);
    }
    assert.deepEqual(workers.jobs, ['a', 'b', 'c']);
    const known = ['a', 'b', 'c'].map((text) => queue.known({ text, kind: 'c' }));
    assert.deepEqual(known, [undefined, 'b done', 'c done']);
    assert.equal(queue.known({ text: 'c', kind: 'go' }), undefined);
  });

  it('leaves all text plain when there is no worker to be had, and tries once only', async () => {
    let tries = 0;
    const queue = queueOf(() => {
      tries++;
      return Promise.reject(new Error('No workers here'));
    }, 1000);
    assert.equal(await queue.run({ text: 'a', kind: 'c' }, signal), undefined);
    assert.equal(await queue.run({ text: 'b', kind: 'c' }, signal), undefined);
    assert.equal(tries, 1);
  });
});
