import path from 'node:path';
import type { Entry } from '../../shared/transcript/entries';
import { indexAt, numberAt } from '../../shared/transcript/places';
import type { SessionChange, SessionChanges } from '../transcript/changes';
import { promptsAt, startsTurn } from '../transcript/turnStarts';
import type { KnownReview } from './reviews';
import { placeTurns } from './turnPlaces';

type Recorded = Pick<KnownReview, 'turns' | 'unrecorded' | 'quietTurns' | 'pending'>;

interface Changing {
  readonly changes: Pick<SessionChanges, 'files' | 'filesIn'>;
  readonly shown: { readonly entries: readonly Entry[] };
  readonly info: { readonly cwd: string };
}

interface Known {
  readonly from: readonly unknown[];
  readonly changes: readonly SessionChange[];
}

const known = new WeakMap<object, Known>();

/**
 * The changes that a session's calls reported in turns that aren't recorded: before the record began, or elsewhere.
 * Without a record, all. Together with those that wait for review they are all changes of the session that nothing was
 * decided about. The same array until something changes.
 */
export function unreviewedChanges(
  session: Changing,
  review: Recorded | undefined,
): readonly SessionChange[] {
  const { changes, shown } = session;
  if (review === undefined || changes.files.length === 0) {
    return changes.files;
  }
  const { turns, unrecorded, quietTurns, pending } = review;
  const from = [changes.files, shown.entries.length, turns, unrecorded, quietTurns, pending];
  const old = known.get(changes);
  if (old !== undefined && old.from.every((it, at) => it === from[at])) {
    return old.changes;
  }
  const found = gather(session, review);
  known.set(changes, { from, changes: found });
  return found;
}

function gather(
  { changes, shown: { entries }, info }: Changing,
  { turns, unrecorded, quietTurns, pending }: Recorded,
): readonly SessionChange[] {
  const starts = [...entries.keys()].filter((index) => startsTurn(entries, index));
  const all = [...turns, ...unrecorded, ...quietTurns].sort((a, b) => a.turn - b.turn);
  const places = placeTurns(all, promptsAt(starts, entries));
  const covered = new Set([...turns, ...quietTurns].map(({ turn }) => places.get(turn)));
  const named = new Set(turns.flatMap(({ files }) => files));
  const waiting = new Set(pending.map(({ file }) => file));
  const real = (file: string): string => path.resolve(info.cwd, file);
  // Which turn a subagent's call belongs to isn't known here.
  return changes
    .filesIn((place, file) => {
      const index = indexAt(place);
      const start = starts.findLast((at) => at <= index);
      return numberAt(place) > 0
        ? !named.has(real(file))
        : start === undefined || !covered.has(start);
    })
    .filter((change) => !waiting.has(real(change.path)));
}
