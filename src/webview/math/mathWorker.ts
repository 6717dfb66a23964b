import temml from 'temml';
import { answerJobs } from '../workers/answering';
import type { MathJob, MathNode } from './mathJob';
import { toMathNodes } from './toMathNodes';

/** Runs in a worker, which the page terminates when a formula takes too long. */

/** Expansions of macros in one formula. */
const maxExpand = 1000;
/** Largest width and height of a rule or a space, in em. */
const maxSize: [number, number] = [40, 40];

answerJobs(({ source, isBlock }: MathJob): readonly MathNode[] =>
  toMathNodes(
    temml.__renderToMathMLTree(source, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand,
      maxSize,
    }),
  ),
);
