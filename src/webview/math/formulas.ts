import { setNewest } from '../../util/setNewest';
import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';
import type { MathJob, MathNode } from './mathJob';

/** Longest formula that is drawn, in UTF-16 units. */
const maxFormula = 5000;
/** Ordinary formulas take a few milliseconds; this leaves room for slow machines. */
const maxFormulaMs = 2000;
const cached = 500;
// One cache and one worker for all formulas of the page.
const results = new Map<string, readonly MathNode[]>();
const queue = new WorkerQueue<MathJob, readonly MathNode[]>({
  start: workersOf(() => import('./mathWorker.ts?text')),
  maxMs: maxFormulaMs,
  kindOf: () => 'formula',
});

/** The cached result of `typeset`, so that a row that scrolls back in has its formulas immediately. */
export function typesetBefore(job: MathJob): readonly MathNode[] | undefined {
  return results.get(getKey(job));
}

/**
 * Typesets a formula in a worker. Resolves to `undefined` if it is too long, takes too long, isn't
 * LaTeX, or `signal` is aborted first.
 */
export async function typeset(
  job: MathJob,
  signal: AbortSignal,
): Promise<readonly MathNode[] | undefined> {
  if (job.source.length > maxFormula) {
    return undefined;
  }
  const nodes = await queue.run(job, signal);
  if (nodes) {
    setNewest(results, getKey(job), nodes, cached);
  }
  return nodes;
}

function getKey({ source, isBlock }: MathJob): string {
  return `${isBlock}\n${source}`;
}
