import { setNewest } from '../../util/setNewest';
import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';
import type { HighlightJob, HighlightNode } from './highlightJob';
import type { LanguageName } from './languages';

/** Longest code, and longest line in it, that is highlighted, in UTF-16 units. */
const longest = 60_000;
const maxLineLength = 5000;
/** Ordinary code takes a few milliseconds; this leaves room for slow machines. */
const maxHighlightMs = 2000;
const cached = 60;
// One cache and one worker for all code blocks of the page.
const results = new Map<string, readonly HighlightNode[]>();
const queue = new WorkerQueue<HighlightJob, readonly HighlightNode[]>({
  start: workersOf(() => import('./highlightWorker.ts?text')),
  maxMs: maxHighlightMs,
  kindOf: ({ language }) => language,
});

/** The cached result of `highlight`, so that a row that scrolls back in is drawn in color immediately. */
export function highlighted(
  code: string,
  language: LanguageName,
): readonly HighlightNode[] | undefined {
  return results.get(getKey(code, language));
}

/**
 * Highlights code in a worker, without blocking the page. Resolves to `undefined` if the code is
 * too long, takes too long, or `signal` is aborted first.
 */
export async function highlight(
  code: string,
  language: LanguageName,
  signal: AbortSignal,
): Promise<readonly HighlightNode[] | undefined> {
  if (code.length > longest || hasLongLine(code)) {
    return undefined;
  }
  const nodes = await queue.run({ code, language }, signal);
  if (nodes) {
    setNewest(results, getKey(code, language), nodes, cached);
  }
  return nodes;
}

function hasLongLine(code: string): boolean {
  for (let start = 0; start < code.length; ) {
    const found = code.indexOf('\n', start);
    const end = found === -1 ? code.length : found;
    if (end - start > maxLineLength) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

function getKey(code: string, language: LanguageName): string {
  return `${language}\n${code}`;
}
