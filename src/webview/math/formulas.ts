import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';
import type { MathJob, MathNode } from './mathJob';

/** Longest formula that is drawn, in UTF-16 units. */
const maxFormula = 5000;
/** Ordinary formulas take a few milliseconds; this leaves room for slow machines. */
const maxFormulaMs = 2000;

/** Typesets all formulas of the page. */
export const formulas = new WorkerQueue<MathJob, readonly MathNode[]>({
  start: workersOf(() => import('./mathWorker.ts?text')),
  maxMs: maxFormulaMs,
  accepts: ({ source }) => source.length <= maxFormula,
  keyOf: ({ source, isBlock }) => `${isBlock}\n${source}`,
  kept: 500,
  kindOf: () => 'formula',
});
