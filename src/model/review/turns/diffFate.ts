import type { Diff } from '../../../shared/transcript/content';
import type { DiffFate } from '../../../shared/transcript/reviewed';
import { holds } from '../../transcript/textBefore';

/** The texts in which a diff is looked for; `undefined`: there is none to compare with. */
export interface FateTexts {
  /** The file without the changes that are pending. */
  readonly baseline: string | undefined;
  readonly now: string | undefined;
}

/**
 * What became of a diff in a turn that isn't decided as a whole; `undefined` if it is pending, or
 * nobody can tell. Diffs are often fragments, so their texts are looked for in the file's.
 */
export function fateOf(
  diff: Diff,
  { baseline, now }: FateTexts,
  state: 'pending' | 'partly',
): DiffFate | undefined {
  if (diff.newText === '' || now === undefined) {
    return undefined;
  }
  const isThere = holds(now, diff);
  if (state === 'pending' || baseline === undefined) {
    return isThere ? undefined : 'changedSince';
  }
  const hadOld = holdsOld(baseline, diff);
  if (isThere) {
    return holds(baseline, diff) && !hadOld ? 'kept' : undefined;
  }
  return holdsOld(now, diff) ? 'undone' : 'changedSince';
}

function holdsOld(text: string, { path, oldText }: Diff): boolean {
  return (
    oldText !== null &&
    oldText !== '' &&
    holds(text, { type: 'diff', path, oldText, newText: oldText })
  );
}
