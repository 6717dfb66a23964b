import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';
import type { HighlightJob, HighlightNode } from './highlightJob';

/** Longest code, and longest line in it, that is highlighted, in UTF-16 units. */
const longest = 60_000;
const maxLineLength = 5000;
/** Ordinary code takes a few milliseconds; this leaves room for slow machines. */
const maxHighlightMs = 2000;

/** Highlights all code blocks of the page. */
export const highlighter = new WorkerQueue<HighlightJob, readonly HighlightNode[]>({
  start: workersOf(() => import('./highlightWorker.ts?text')),
  maxMs: maxHighlightMs,
  accepts: ({ code }) => code.length <= longest && !hasLongLine(code),
  keyOf: ({ code, language }) => `${language}\n${code}`,
  kept: 60,
  kindOf: ({ language }) => language,
});

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
