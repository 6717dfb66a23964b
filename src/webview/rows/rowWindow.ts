import { maxWindow } from '../../shared/transcript/validators';

/**
 * The range of rows to hold; `end` is exclusive. With `follow`, it is the tail of that length,
 * which moves as entries arrive.
 */
export interface RowWindow {
  readonly start: number;
  readonly end: number;
  readonly follow: boolean;
}

/** Rows requested beyond the visible ones on each side. */
const margin = 40;
/** A new window is requested once fewer rows than this remain beyond the visible ones. */
const reserve = 15;

/**
 * The window to request from the host so that rows `first` to `last` can be read and scrolled;
 * `undefined` while the held one suffices.
 */
export function nextWindow(
  first: number,
  last: number,
  count: number,
  follow: boolean,
  held: RowWindow | undefined,
): RowWindow | undefined {
  // When more rows than that are visible, most of them are folded into a few lines.
  const size = Math.min(last - first + 1 + 2 * margin, maxWindow);
  if (follow) {
    const enough = Math.min(last - first + 1 + reserve, maxWindow);
    if (held?.follow && held.end - held.start >= enough) {
      return undefined;
    }
    // Only the length matters here, so it isn't clamped while the transcript is shorter.
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
  // The host has no more to send.
  return held?.start === start && held.end === end && !held.follow
    ? undefined
    : { start, end, follow };
}

/** The indexes that a window covers in a transcript of `count` entries. */
export function windowRange(window: RowWindow, count: number): { start: number; end: number } {
  return window.follow
    ? { start: Math.max(0, count - (window.end - window.start)), end: count }
    : { start: window.start, end: Math.min(window.end, count) };
}
