import { resolve } from 'node:path';
import type { SessionReview } from '../../../model/review/review';
import { type FateTexts, fateOf, undecidedDiffs } from '../../../model/review/turns/diffFate';
import type { PathContext } from '../../../platform/openers';
import type { Entry } from '../../../shared/transcript/entries';
import type { ReviewedTurn, ShownReview } from '../../../shared/transcript/reviewed';
import { Effort } from '../../../util/effort';
import { sessionFile, textOfFile } from '../../sessionFiles';

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
  for (const { index, item, diff, state } of undecidedDiffs(turns, entries)) {
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
