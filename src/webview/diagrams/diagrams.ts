import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';

/** Longest source of a diagram that is drawn, in UTF-16 units. */
const maxDiagram = 20_000;
/** Ordinary diagrams take less than a second; this leaves room for slow machines. */
const maxDiagramMs = 5000;

/** Draws all Mermaid diagrams of the page as SVG; there is no result for kinds that the library doesn't know. */
export const diagrams = new WorkerQueue<string, string>({
  start: workersOf(() => import('./diagramWorker.ts?text')),
  maxMs: maxDiagramMs,
  accepts: (source) => source.length <= maxDiagram,
  keyOf: (source) => source,
  kept: 30,
  kindOf: () => 'diagram',
});
