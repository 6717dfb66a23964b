/** A mark of the ruler: how far down it is, in pixels, and the entry that it stands for. */
export interface RulerMark {
  readonly y: number;
  readonly index: number;
}

/**
 * Where entries are beside the scroll bar, one mark for each pixel at most. `startOf` says where an
 * entry begins in the list, `total` how high the list is.
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

/** The mark that is meant by a click at `y`, if there is one near it. */
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
