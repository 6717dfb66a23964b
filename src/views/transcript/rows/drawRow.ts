import type { DrawnEntry } from '../../../shared/transcript/drawn';
import type { Entry } from '../../../shared/transcript/entries';
import { Effort } from '../../../util/effort';
import { drawEntry, rowEffort } from './draw';
import { fit, type Room } from './fit';

/** The maximum size of a row, whatever an agent sends. */
const rowRoom: Room = { bytes: 1_000_000, images: 20_000_000 };

/** A row is measured once, however many windows of the transcript it is in. */
const sizes = new WeakMap<DrawnEntry, number>();

/**
 * An entry as it is sent to the webview, with a bounded size. One that can't be drawn becomes a row that says so,
 * and `report` gets the error, so that other rows aren't affected. The work is subtracted from `effort` but not
 * limited by it: whether a change is compared doesn't depend on the rows beside it.
 */
export function drawRow(
  entry: Entry,
  cwd: string,
  effort: Effort,
  report: (error: unknown) => void,
): DrawnEntry {
  const own = new Effort(rowEffort);
  try {
    const fitted = fit(drawEntry(entry, cwd, own), rowRoom);
    if (fitted === undefined) {
      return { kind: 'unshown', reason: 'broken' };
    }
    const { value, isShortened, bytes } = fitted;
    const row: DrawnEntry = isShortened ? { ...value, shortened: true } : value;
    sizes.set(row, bytes);
    return row;
  } catch (error) {
    report(error);
    return { kind: 'unshown', reason: 'broken' };
  } finally {
    effort.spend(rowEffort - own.left);
  }
}

/** The size of a row when it is sent, in bytes. */
export function sizeOf(row: DrawnEntry): number {
  return sizes.get(row) ?? 0;
}
