import './hideWorker';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { answerJobs } from '../workers/answering';
import { cleanSvg } from './cleanSvg';

/** A mixture of the text's color with the background's, clearer than the library's own. */
const mix = (percent: number): string => `color-mix(in srgb, var(--fg) ${percent}%, var(--bg))`;

/** Runs in a worker, which the page terminates when a diagram takes too long. */
answerJobs((source: string): string =>
  cleanSvg(
    renderMermaidSVG(source, {
      transparent: true,
      font: 'system-ui',
      padding: 8,
      muted: mix(80),
      line: mix(65),
      border: mix(45),
    }),
  ),
);
