/** The rows that the webview wants to hold: `end` is exclusive; with `follow`, the tail of that length as it moves. */
export interface RowWindow {
  readonly start: number;
  readonly end: number;
  readonly follow: boolean;
}

/** Rows held beyond the visible ones on each side when a window is asked for. */
const margin = 40;
/** A new window is asked for once fewer rows than this remain beyond the visible ones. */
const reserve = 15;
/** As many as the host sends. Most that are so many are folded into a few lines. */
const largest = 1000;

/**
 * The window to ask the host for so that rows `first` to `last` can be read and scrolled from, or
 * nothing while the one that is held will do.
 */
export function nextWindow(
  first: number,
  last: number,
  count: number,
  follow: boolean,
  held: RowWindow | undefined,
): RowWindow | undefined {
  const size = Math.min(last - first + 1 + 2 * margin, largest);
  if (follow) {
    const enough = Math.min(last - first + 1 + reserve, largest);
    if (held?.follow && held.end - held.start >= enough) {
      return undefined;
    }
    // Its length is what counts, so it stays whole even while the transcript is still shorter.
    const end = Math.max(count, size);
    return { start: end - size, end, follow };
  }
  if (
    held &&
    !held.follow &&
    held.start <= Math.max(0, first - reserve) &&
    held.end >= Math.min(count, last + 1 + reserve)
  ) {
    return undefined;
  }
  const start = Math.max(0, first - margin);
  const end = Math.max(start, Math.min(count, start + size));
  // More can't be had.
  return held?.start === start && held.end === end && !held.follow
    ? undefined
    : { start, end, follow };
}

/** The indexes that a window stands for in a transcript of `count` entries. */
export function windowRange(window: RowWindow, count: number): { start: number; end: number } {
  return window.follow
    ? { start: Math.max(0, count - (window.end - window.start)), end: count }
    : { start: window.start, end: Math.min(window.end, count) };
}
