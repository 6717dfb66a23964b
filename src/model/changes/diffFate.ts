import type { Diff, ToolContent } from '../../shared/transcript/content';
import type { Entry } from '../../shared/transcript/entries';
import type { DiffFate, ReviewedTurn } from '../../shared/transcript/reviewed';
import { holds } from '../transcript/textBefore';

/** The texts in which a diff is looked for; `undefined`: there is none to compare with. */
export interface FateTexts {
  /** The file without the changes that are pending. */
  readonly baseline: string | undefined;
  readonly now: string | undefined;
}

/** Turns that are looked at: the latest ones without a decision for the whole turn. */
const maxTurns = 30;

interface UndecidedDiff {
  /** Indexes of its call, and in the content of that. */
  readonly index: number;
  readonly item: number;
  readonly diff: Diff;
  readonly state: 'pending' | 'partly';
}

/** The diffs of the turns that aren't decided as a whole, without those of calls that have changed nothing. */
export function* undecidedDiffs(
  turns: readonly ReviewedTurn[],
  entries: readonly Entry[],
): Generator<UndecidedDiff, void> {
  for (const { prompt, first = prompt, last, state } of turns.slice(-maxTurns).toReversed()) {
    for (let index = first; index <= last && (state === 'pending' || state === 'partly'); index++) {
      for (const [item, part] of contentChanged(entries[index]).entries()) {
        if (part.type === 'diff') {
          yield { index, item, diff: part, state };
        }
      }
    }
  }
}

function contentChanged(entry: Entry | undefined): readonly ToolContent[] {
  const hasChanged =
    entry?.kind === 'toolCall' &&
    entry.status !== 'failed' &&
    entry.status !== 'rejected' &&
    entry.status !== 'cancelled';
  return hasChanged ? entry.content : [];
}

/**
 * What became of a diff in a turn that isn't decided as a whole; `undefined` if it is pending, or
 * nobody can tell. Diffs are often fragments, so their texts are looked for in the file's.
 */
export function findFate(
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
