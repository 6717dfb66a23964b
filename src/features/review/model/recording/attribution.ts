import type { Whose } from '../atWork/evidence';
import type { TreeChange } from '../checkpoints/checkpoints';
import { absent, type FileState, isSameState } from '../record/fileState';
import type { StepBy } from '../record/journalLines';
import { matches } from '../record/recordState';
import type { Change } from '../record/sessionRecord';

/** A step that a change between two checkpoints consists of. */
export interface Share {
  readonly by: StepBy | 'uncertain';
  readonly change: Change;
}

/** What the record has of a file. */
interface Recorded {
  readonly seen: FileState;
  /** When that was recorded, by whichever window. */
  readonly at: number;
}

export interface Known {
  recorded(file: string): Recorded | undefined;
  /** The user's saves that aren't recorded: they matter only if the agent changes the file, too. */
  untold(file: string): readonly (Change & { readonly at: number })[];
  /** What a decision is making of the file at this moment; `undefined`: there is none. */
  becoming(file: string): FileState | undefined;
  /** When the two checkpoints were begun. */
  readonly from: number;
  readonly to: number;
  /** Tells who made a change that isn't recorded exactly. */
  whose(change: TreeChange): Whose;
}

export interface Attributed {
  /** Who has made the changes, in the order in which they were made. */
  readonly shares: readonly Share[];
  /** Whether these are the agent's or a decision's is told only by the next checkpoint. */
  readonly later: readonly TreeChange[];
}

/** Who has made the changes between two checkpoints of a turn. */
export function attribute(changes: readonly TreeChange[], known: Known): Attributed {
  const later = changes.filter((change) => isUnsettled(change, known));
  const settled = changes.filter((change) => !later.includes(change));
  const shares = settled
    .flatMap((change) => asMade(change, known))
    .flatMap((change) => computeShares(change, known));
  return { shares, later };
}

/** A move only if the same one has removed the one file and made the other; another may have made one like it. */
function asMade(change: TreeChange, known: Known): readonly TreeChange[] {
  const parts = partsOfMove(change);
  return new Set(parts.map((part) => known.whose(part))).size === 1 ? [change] : parts;
}

/** What was moved is gone at one place, and new at another. */
export function partsOfMove<T extends Change>(change: T): readonly T[] {
  const { movedFrom, ...rest } = change;
  return movedFrom === undefined || movedFrom === change.file
    ? [change]
    : [{ ...rest, file: movedFrom, after: absent } as T, { ...rest, before: absent } as T];
}

/** The changes of two pairs of checkpoints, one after the other. */
export function joined(
  earlier: readonly TreeChange[],
  changes: readonly TreeChange[],
): readonly TreeChange[] {
  const next = new Map(changes.map((change) => [change.movedFrom ?? change.file, change]));
  const first = earlier.map((change) => {
    const then = next.get(change.file);
    next.delete(change.file);
    const { movedFrom = then?.movedFrom } = change;
    return {
      ...{ file: then?.file ?? change.file, before: change.before },
      after: then?.after ?? change.after,
      ...(movedFrom !== undefined && { movedFrom }),
    };
  });
  return [...first, ...next.values()];
}

/** What is recorded may be newer than the checkpoint, or the file is being changed by a decision. */
function isUnsettled({ file, movedFrom, after }: TreeChange, known: Known): boolean {
  const path = movedFrom ?? file;
  const becoming = known.becoming(path);
  const recorded = known.recorded(path);
  return (
    (becoming !== undefined && !matches(becoming, after)) ||
    (recorded !== undefined && recorded.at >= known.to)
  );
}

function computeShares(change: TreeChange, known: Known): readonly Share[] {
  const { file, before, after, movedFrom } = change;
  const path = movedFrom ?? file;
  if (known.becoming(path) !== undefined) {
    // The end of the decision tells.
    return [];
  }
  const recorded = known.recorded(path);
  const isKnown = recorded !== undefined && recorded.at >= known.from;
  const by = known.whose(partsOfMove(change).at(-1) ?? change);
  const shares: Share[] = [];
  let now = isKnown ? recorded.seen : before;
  for (const save of known.untold(path)) {
    const isIn = save.at < known.to || isSameState(save.after, after);
    if (isIn) {
      if (!matches(now, save.before)) {
        shares.push({ by, change: { file: path, before: now, after: save.before } });
      }
      const { before: old, after: new_ } = save;
      shares.push({ by: 'user', change: { file: path, before: old, after: new_ } });
      now = new_;
    }
  }
  const isMoved = movedFrom !== undefined && movedFrom !== file;
  if (isMoved || !isSameState(now, after)) {
    const moved = isMoved && { movedFrom };
    shares.push({ by, change: { file, before: now, after, ...moved } });
  }
  // The user's changes to a file that no agent changed aren't recorded.
  return isKnown || shares.some((share) => share.by !== 'user') ? shares : [];
}
