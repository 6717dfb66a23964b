import path from 'node:path';
import type { Entry } from '../../shared/transcript/entries';
import { indexAt, numberAt } from '../../shared/transcript/places';
import type { Turn } from '../../shared/transcript/prompt';
import type { SessionChanges } from '../transcript/changes';
import { startsTurn } from '../transcript/turnStarts';
import type { KnownReview } from './reviews';

interface Changing {
  readonly changes: Pick<SessionChanges, 'filesIn'>;
  readonly transcript: { readonly entries: readonly Entry[] };
  readonly turns: { readonly current: Turn };
  readonly info: { readonly cwd: string };
}

/** A turn is recorded from a moment before its prompt is sent, in ms, as long as what goes with that takes to be read. */
const leadMs = 15_000;

/**
 * The files that a session's running turn has changed, without one its last: what its calls say, and what is recorded of
 * commands. Those of subagents count to every turn.
 */
export function changedInTurn(
  { changes, transcript: { entries }, turns, info }: Changing,
  review: Pick<KnownReview, 'turns'> | undefined,
): readonly string[] {
  const start = [...entries.keys()].findLast((index) => startsTurn(entries, index)) ?? 0;
  const said = changes
    .filesIn((place) => numberAt(place) > 0 || indexAt(place) >= start)
    .filter(({ change }) => change?.operation !== 'delete')
    .map((change) => path.resolve(info.cwd, change.path));
  const { current } = turns;
  const began = current.kind === 'running' ? (current.began ?? 0) : 0;
  const last = review?.turns.at(-1);
  const recorded = last !== undefined && last.began >= began - leadMs ? last.files : [];
  return [...new Set([...said, ...recorded])];
}
