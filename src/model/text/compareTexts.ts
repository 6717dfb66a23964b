import { structuredPatch } from 'diff';
import type { Effort } from '../../util/effort';

type Hunks = ReturnType<typeof structuredPatch>['hunks'];

/** Larger comparisons take too long to wait for. */
const maxCharacters = 1_000_000;
const maxEdits = 500;
/** Characters that are read in the time of one comparison step. */
const charactersPerStep = 16;

/**
 * The line-by-line hunks of a change. The steps of a comparison are about the square of the number
 * of lines that differ; `undefined` if that exceeds what is left of `effort`, or if the texts are
 * too large.
 */
export function findHunks(before: string, after: string, effort: Effort): Hunks | undefined {
  const characters = before.length + after.length;
  const edits = Math.min(maxEdits, Math.floor(Math.sqrt(effort.left)));
  if (characters > maxCharacters || edits === 0) {
    return undefined;
  }
  const options = { context: 3, maxEditLength: edits };
  const hunks = structuredPatch('', '', before, after, '', '', options)?.hunks;
  effort.spend(Math.ceil(characters / charactersPerStep));
  effort.spend((hunks === undefined ? edits : editsIn(hunks)) ** 2);
  return hunks;
}

function editsIn(hunks: Hunks): number {
  return hunks.reduce(
    (sum, { lines }) =>
      sum + lines.filter((line) => line.startsWith('+') || line.startsWith('-')).length,
    0,
  );
}
