import { structuredPatch } from 'diff';
import type { Effort } from '../../util/effort';

type Hunks = ReturnType<typeof structuredPatch>['hunks'];

/** Beyond these a comparison takes longer than anybody wants to wait for. */
const maxCharacters = 1_000_000;
const maxEdits = 500;
/** Reading so many characters takes as long as one step of a comparison. */
const charactersPerStep = 16;

/**
 * The hunks of a change, line by line. A comparison takes about as many steps as the square of the lines that
 * differ; `undefined` when that is more than is left of `effort`, or the texts are too large.
 */
export function hunksOf(before: string, after: string, effort: Effort): Hunks | undefined {
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
