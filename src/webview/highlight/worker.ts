import { createLowlight } from 'lowlight';
import { grammars } from './grammars';
import type { HighlightAnswer, HighlightJob, HighlightNode } from './job';
import { toNodes } from './toNodes';

/** Runs in a worker, which the page terminates when some code takes too long. */
const engine = createLowlight();

function highlight({ code, language }: HighlightJob): readonly HighlightNode[] | undefined {
  try {
    if (!engine.registered(language)) {
      engine.register(language, grammars[language]);
    }
    return toNodes(engine.highlight(language, code).children);
  } catch {
    // Code is readable without colors, so a failure isn't reported.
    return undefined;
  }
}

function answer(message: HighlightAnswer): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<HighlightJob>) => {
  answer({ type: 'done', nodes: highlight(data) });
});
answer({ type: 'ready' });
