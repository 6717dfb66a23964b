import type { TreeChange } from './checkpoints';
import type { FileState } from './fileState';
import type { StepBy } from './journalLines';
import { matches } from './recordState';
import type { Change } from './sessionRecord';
import { isSameState } from './stateText';

/** One step that a change between two checkpoints consists of. */
export interface Share {
  readonly by: StepBy;
  readonly change: Change;
}

/** What is known of a file from elsewhere than checkpoints. */
export interface Touched {
  /** When its last step was recorded in this turn; `undefined` if none was. */
  readonly at: number | undefined;
  /** The user's saves that aren't recorded: they matter only if the agent changes the file, too. */
  readonly untold: readonly (Change & { readonly at: number })[];
}

export interface Known {
  /** The file as the record last knew it. */
  seen(file: string): FileState | undefined;
  readonly touched: ReadonlyMap<string, Touched>;
  /** When the later checkpoint was begun. */
  readonly began: number;
  /** Whether a change that nobody has explained belongs to this session. */
  isOurs(file: string): boolean;
}

/** Who has made the changes between two checkpoints of a turn, in the order in which they were made. */
export function attribute(changes: readonly TreeChange[], known: Known): readonly Share[] {
  return changes.flatMap((change) => sharesOf(change, known));
}

function sharesOf({ file, before, after, movedFrom }: TreeChange, known: Known): readonly Share[] {
  const path = movedFrom ?? file;
  const { at, untold } = known.touched.get(path) ?? { at: undefined, untold: [] };
  if (at !== undefined && at >= known.began) {
    // What is recorded is newer than the checkpoint; the next one tells.
    return [];
  }
  const by = known.isOurs(file) ? 'agent' : 'other';
  const shares: Share[] = [];
  let now = (at === undefined ? undefined : known.seen(path)) ?? before;
  for (const save of untold) {
    const isIn = save.at < known.began || isSameState(save.after, after);
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
  // The user's changes of a file that the agent didn't change are nobody's business.
  return shares.some((share) => share.by !== 'user') || at !== undefined ? shares : [];
}
