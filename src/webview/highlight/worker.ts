import { createLowlight } from 'lowlight';
import { grammars } from './grammars';
import type { HighlightAnswer, HighlightJob, HighlightNode } from './job';
import { toNodes } from './nodes';

/** Runs beside the page, which ends it when some code takes it too long. */
const engine = createLowlight();

function highlight({ code, language }: HighlightJob): readonly HighlightNode[] | undefined {
  try {
    if (!engine.registered(language)) {
      engine.register(language, grammars[language]);
    }
    return toNodes(engine.highlight(language, code).children);
  } catch {
    // Code is readable without colours, so a failure isn't worth a word.
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
