/** A mark on the ruler: its vertical position in pixels, and its entry. */
export interface RulerMark {
  readonly y: number;
  readonly index: number;
}

/**
 * Positions of entries beside the scroll bar, at most one mark per pixel. `startOf` is an entry's
 * offset in the list, `total` the list's height, in pixels.
 */
export function placeMarks(
  indexes: readonly number[],
  startOf: (index: number) => number | undefined,
  total: number,
  height: number,
): RulerMark[] {
  const marks: RulerMark[] = [];
  const scale = height / Math.max(total, height, 1);
  let last: number | undefined;
  for (const index of indexes) {
    const start = startOf(index);
    if (start !== undefined) {
      const y = Math.round(start * scale);
      if (y !== last) {
        marks.push({ y, index });
        last = y;
      }
    }
  }
  return marks;
}

/** The mark nearest to a click at `y`, within `reach` pixels. */
export function markAt(
  marks: readonly RulerMark[],
  y: number,
  reach: number,
): RulerMark | undefined {
  let nearest: RulerMark | undefined;
  for (const mark of marks) {
    const distance = Math.abs(mark.y - y);
    if (distance <= reach && (nearest === undefined || distance < Math.abs(nearest.y - y))) {
      nearest = mark;
    }
  }
  return nearest;
}
