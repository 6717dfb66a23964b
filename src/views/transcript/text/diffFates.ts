import { resolve } from 'node:path';
import type { SessionReview } from '../../../model/review/review';
import { type FateTexts, fateOf } from '../../../model/review/turns/diffFate';
import type { PathContext } from '../../../platform/ui/openers';
import type { Diff } from '../../../shared/transcript/content';
import type { Entry } from '../../../shared/transcript/entries';
import type { ReviewedTurn, ShownReview } from '../../../shared/transcript/reviewed';
import { Effort } from '../../../util/effort';
import { sessionFile, textOfFile } from './sessionFiles';

/** Turns that are looked at: the latest ones without a decision for the whole turn. */
const mostTurns = 30;
const mostDiffs = 300;
/** Characters that are searched. */
const mostSearched = 20_000_000;

/** Looks at the diffs of the turns that aren't decided as a whole. */
export async function fatesOf(
  turns: readonly ReviewedTurn[],
  entries: readonly Entry[],
  review: Pick<SessionReview, 'baseline'>,
  context: PathContext,
): Promise<ShownReview['diffs']> {
  const texts = new Map<string, FateTexts>();
  const effort = new Effort(mostSearched);
  const found: ShownReview['diffs'][number][] = [];
  let looked = 0;
  for (const { index, item, diff, state } of diffsOf(turns, entries)) {
    looked += 1;
    if (looked > mostDiffs || effort.isSpent) {
      break;
    }
    const file = resolve(context.cwd, diff.path);
    const known = texts.get(file) ?? (await textsOf(file, review, context));
    texts.set(file, known);
    effort.spend((known.now?.length ?? 0) + (known.baseline?.length ?? 0) + diff.newText.length);
    const fate = fateOf(diff, known, state);
    if (fate !== undefined) {
      found.push({ index, item, fate });
    }
  }
  return found;
}

interface LookedAt {
  readonly index: number;
  readonly item: number;
  readonly diff: Diff;
  readonly state: 'pending' | 'partly';
}

function* diffsOf(
  turns: readonly ReviewedTurn[],
  entries: readonly Entry[],
): Generator<LookedAt, void> {
  for (const { prompt, first = prompt, last, state } of turns.slice(-mostTurns).toReversed()) {
    for (let index = first; index <= last && (state === 'pending' || state === 'partly'); index++) {
      const entry = entries[index];
      for (const [item, diff] of entry?.kind === 'toolCall' ? entry.content.entries() : []) {
        if (diff.type === 'diff') {
          yield { index, item, diff, state };
        }
      }
    }
  }
}

async function textsOf(
  file: string,
  review: Pick<SessionReview, 'baseline'>,
  context: PathContext,
): Promise<FateTexts> {
  const found = await sessionFile(file, context);
  const now =
    found.kind === 'there'
      ? await textOfFile(found.real)
      : found.kind === 'missing'
        ? ''
        : undefined;
  return { now, baseline: (await review.baseline(file)) ?? undefined };
}
