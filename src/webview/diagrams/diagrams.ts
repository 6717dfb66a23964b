import { setNewest } from '../../util/setNewest';
import { workersOf } from '../workers/startWorker';
import { WorkerQueue } from '../workers/workerQueue';

/** Longest source of a diagram that is drawn, in UTF-16 units. */
const maxDiagram = 20_000;
/** Ordinary diagrams take less than a second; this leaves room for slow machines. */
const maxDiagramMs = 5000;
const cached = 30;
// One cache and one worker for all diagrams of the page.
const results = new Map<string, string>();
const queue = new WorkerQueue<string, string>({
  start: workersOf(() => import('./diagramWorker.ts?text')),
  maxMs: maxDiagramMs,
  kindOf: () => 'diagram',
});

/** The cached result of `drawDiagram`, so that a row that scrolls back in has its picture immediately. */
export function drawnBefore(source: string): string | undefined {
  return results.get(source);
}

/**
 * Draws a Mermaid diagram as SVG in a worker. Resolves to `undefined` if it is too long, takes too
 * long, is of a kind that the library doesn't know, or `signal` is aborted first.
 */
export async function drawDiagram(
  source: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (source.length > maxDiagram) {
    return undefined;
  }
  const svg = await queue.run(source, signal);
  if (svg) {
    setNewest(results, source, svg, cached);
  }
  return svg;
}
