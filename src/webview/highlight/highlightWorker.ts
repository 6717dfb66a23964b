import { createLowlight } from 'lowlight';
import { answerJobs } from '../workers/answering';
import { grammars } from './grammars';
import type { HighlightJob, HighlightNode } from './highlightJob';
import { toNodes } from './toNodes';

/** Runs in a worker, which the page terminates when some code takes too long. */
const engine = createLowlight();

answerJobs(({ code, language }: HighlightJob): readonly HighlightNode[] => {
  if (!engine.registered(language)) {
    engine.register(language, grammars[language]);
  }
  return toNodes(engine.highlight(language, code).children);
});
