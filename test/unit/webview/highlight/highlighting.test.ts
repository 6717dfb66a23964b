import assert from 'node:assert/strict';
import {
  HighlightQueue,
  type HighlightWorker,
} from '../../../../src/webview/highlight/highlightQueue';
import type { HighlightAnswer, HighlightNode } from '../../../../src/webview/highlight/job';
import { type Child, toNodes } from '../../../../src/webview/highlight/toNodes';

const done = [{ type: 'text', value: 'done' }] as const;

/** Workers that answer immediately, except for `slow` code, which they never answer. */
class Workers {
  started = 0;
  ended = 0;
  readonly jobs: string[] = [];

  readonly start = (): Promise<HighlightWorker> => {
    this.started++;
    let answer: ((answer: HighlightAnswer) => void) | undefined;
    setTimeout(() => answer?.({ type: 'ready' }));
    return Promise.resolve({
      listen: (onAnswer) => {
        answer = onAnswer;
      },
      ask: ({ code }) => {
        this.jobs.push(code);
        if (!code.startsWith('slow')) {
          queueMicrotask(() => answer?.({ type: 'done', nodes: done }));
        }
      },
      end: () => {
        this.ended++;
      },
    });
  };
}

describe('highlighting beside the page', () => {
  const signal = new AbortController().signal;

  it('SEC-117: ends a worker that takes too long, and goes on with another', async () => {
    const workers = new Workers();
    const queue = new HighlightQueue(workers.start, 20);
    const found = await Promise.all([
      queue.highlight({ code: 'slow', language: 'c' }, signal),
      queue.highlight({ code: 'quick', language: 'c' }, signal),
    ]);
    assert.deepEqual(found, [undefined, done]);
    assert.deepEqual([workers.started, workers.ended], [2, 1]);
  });

  it('tries a language no more that took too long three times, and others still', async () => {
    const workers = new Workers();
    const queue = new HighlightQueue(workers.start, 5);
    for (const code of ['slow 1', 'slow 2', 'slow 3', 'slow 4', 'quick']) {
      assert.equal(
        await queue.highlight({ code, language: 'c' }, signal).then((nodes) => nodes?.length),
        undefined,
      );
    }
    assert.deepEqual(workers.jobs, ['slow 1', 'slow 2', 'slow 3']);
    assert.deepEqual(await queue.highlight({ code: 'quick', language: 'go' }, signal), done);
  });

  it('tries no language any more after nine times in all', async () => {
    const workers = new Workers();
    const queue = new HighlightQueue(workers.start, 5);
    const languages = ['c', 'cpp', 'ini', 'nix', 'go', 'css', 'php', 'sql', 'r', 'xml'] as const;
    for (const language of languages) {
      await queue.highlight({ code: 'slow', language }, signal);
    }
    assert.equal(workers.jobs.length, 9);
    assert.equal(await queue.highlight({ code: 'quick', language: 'json' }, signal), undefined);
    assert.equal(workers.started, workers.ended);
  });

  it('skips work that is no longer needed', async () => {
    const workers = new Workers();
    const queue = new HighlightQueue(workers.start, 1000);
    const abort = new AbortController();
    const first = queue.highlight({ code: 'first', language: 'c' }, signal);
    const second = queue.highlight({ code: 'second', language: 'c' }, abort.signal);
    abort.abort();
    assert.deepEqual(await Promise.all([first, second]), [done, undefined]);
    assert.deepEqual(workers.jobs, ['first']);
  });

  it('leaves all code plain when there is no worker to be had, and tries once only', async () => {
    let tries = 0;
    const queue = new HighlightQueue(() => {
      tries++;
      return Promise.reject(new Error('No workers here'));
    }, 1000);
    assert.equal(await queue.highlight({ code: 'a', language: 'c' }, signal), undefined);
    assert.equal(await queue.highlight({ code: 'b', language: 'c' }, signal), undefined);
    assert.equal(tries, 1);
  });
});

const text = (value: string): Child => ({ type: 'text', value });
const scope = (children: readonly Child[]): Child => ({
  type: 'element',
  properties: { className: ['hljs-string'] },
  children,
});

function textIn(nodes: readonly HighlightNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : textIn(node.children))).join('');
}

function countScopes(nodes: readonly HighlightNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (node.type === 'scope' ? 1 + countScopes(node.children) : 0),
    0,
  );
}

describe('scopes of code', () => {
  it('are drawn to the ten thousandth, with all of the text', () => {
    const nodes = toNodes(Array.from({ length: 20_000 }, () => scope([text('x')])));
    assert.equal(countScopes(nodes), 10_000);
    assert.equal(textIn(nodes), 'x'.repeat(20_000));
  });

  it('are drawn twenty deep, with all of the text', () => {
    let tree = [text('x')];
    for (let depth = 0; depth < 5000; depth++) {
      tree = [text('('), scope(tree), text(')')];
    }
    const nodes = toNodes(tree);
    assert.equal(countScopes(nodes), 20);
    assert.equal(textIn(nodes), `${'('.repeat(5000)}x${')'.repeat(5000)}`);
  });
});
