import type { Diff } from '../../shared/transcript/content';
import { Effort } from '../../util/effort';
import { getPlaces } from '../text/getPlaces';

/** Characters that may be compared for one file, or for all files of a session. */
const maxComparedCharacters = 50_000_000;
/** Longest text that is shown beside the file, in characters. */
const longest = 10_000_000;

/** The budget for locating changes in files. */
export function lookingEffort(): Effort {
  return new Effort(maxComparedCharacters);
}

/**
 * The text of a file before these changes, which are in the order in which they were made; `null`:
 * the file didn't exist. Agents report a change as the whole file or as a fragment and don't say
 * which, so each change is located in the text without the later ones. `undefined`: a change can't
 * be located unambiguously or within `effort`.
 */
export function textBefore(
  now: string,
  changes: readonly Diff[],
  effort = lookingEffort(),
): string | null | undefined {
  const lineEnd = now.includes('\r\n') ? '\r\n' : '\n';
  let text: string | null = now;
  for (const change of [...changes].reverse()) {
    if (text === null || !pays(effort, text, change)) {
      return undefined;
    }
    const before = undo(text, change, lineEnd);
    if (before === undefined || (before !== null && before.length > longest)) {
      return undefined;
    }
    text = before;
  }
  return text;
}

/** The 1-based line of the last change whose new text is found in the file. */
export function lineOfLast(
  now: string,
  changes: readonly Diff[],
  effort: Effort,
): number | undefined {
  const text = withLineEnd(now, '\n');
  for (const change of [...changes].reverse()) {
    if (!pays(effort, text, change)) {
      return undefined;
    }
    const [place] = getPlaces(text, withLineEnd(change.newText, '\n'), 1);
    if (place !== undefined) {
      return text.slice(0, place).split('\n').length;
    }
  }
  return undefined;
}

/** Whether the new text of a change is the whole file or occurs in it; patches don't tell whether its last line ends. */
export function holds(text: string, { newText }: Diff): boolean {
  const wanted = withLineEnd(newText, '\n');
  return wanted === '' || getPlaces(`${withLineEnd(text, '\n')}\n`, wanted, 1).length > 0;
}

function undo(text: string, change: Diff, lineEnd: string): string | null | undefined {
  const newText = withLineEnd(change.newText, lineEnd);
  if (newText === text || newText === `${text}${lineEnd}`) {
    return change.oldText === null ? null : withLineEnd(change.oldText, lineEnd);
  }
  if (change.oldText === null || change.oldText === '') {
    // The new text isn't the whole file any more, so the file has changed since.
    return undefined;
  }
  const oldText = withLineEnd(change.oldText, lineEnd);
  if (oldText === newText) {
    return text;
  }
  const [at, other] = getPlaces(text, newText, 2);
  return at !== undefined && other === undefined
    ? text.slice(0, at) + oldText + text.slice(at + newText.length)
    : undefined;
}

/** Charges `effort` for locating a change; `false` if it was spent already. */
function pays(effort: Effort, text: string, { oldText, newText }: Diff): boolean {
  if (effort.isSpent) {
    return false;
  }
  effort.spend(1 + text.length + newText.length + (oldText?.length ?? 0));
  return true;
}

/** Normalizes line ends and removes the byte order mark, which editors don't show either. */
function withLineEnd(text: string, lineEnd: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n|\n/g, lineEnd);
}
