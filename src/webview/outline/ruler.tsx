import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RowVirtualizer } from '../rows/virtualizer';
import { useTranscript } from '../state/context';

/** Width of the ruler and heights of its marks, in pixels. */
const width = 9;
const turnHeight = 2;
const markHeight = 3;
/** Maximum distance between a click and the mark it selects, in pixels. */
const reach = 4;

interface RulerProps {
  readonly virtualizer: RowVirtualizer;
  /** Indexes of the entries with matches, ascending. */
  readonly found: ReadonlySignal<readonly number[]>;
}

/**
 * Marks turns, changes, errors and matches beside the scroll bar, like VS Code's overview ruler.
 * Mouse only: keyboard users have commands that go from one to the next.
 */
export function Ruler({ virtualizer, found }: RulerProps): VNode {
  const { state } = useTranscript();
  const height = virtualizer.scrollRect?.height ?? 0;
  const total = virtualizer.getTotalSize();
  const marks = state.outline.marks.value;
  const indexes = found.value;
  const lanes = useMemo(() => {
    const place = (of: readonly number[]): RulerMark[] =>
      placeMarks(of, (index) => virtualizer.measurementsCache[index]?.start, total, height);
    return {
      turn: place(marks.turn),
      diff: place(marks.diff),
      found: place(indexes),
      error: place(marks.error),
    };
  }, [virtualizer, marks, indexes, total, height]);
  const jump = (y: number): void => {
    const { turn, diff, found: matches, error } = lanes;
    const mark = [error, matches, diff, turn].map((lane) => markAt(lane, y, reach)).find(Boolean);
    if (mark) {
      state.show(mark.index, 'entry');
    } else {
      state.follow.value = false;
      virtualizer.scrollToOffset((y / Math.max(height, 1)) * total - height / 2);
    }
  };
  return (
    <svg
      class="ruler"
      aria-hidden="true"
      width={width}
      height={height}
      onPointerDown={(event) => {
        event.preventDefault();
        jump(event.offsetY);
      }}
    >
      <path class="ruler-turn" d={getPath(lanes.turn, 0, width, turnHeight)} />
      <path class="ruler-diff" d={getPath(lanes.diff, 0, width / 3, markHeight)} />
      <path class="ruler-found" d={getPath(lanes.found, width / 3, width / 3, markHeight)} />
      <path class="ruler-error" d={getPath(lanes.error, (width * 2) / 3, width / 3, markHeight)} />
    </svg>
  );
}

function getPath(marks: readonly RulerMark[], x: number, wide: number, high: number): string {
  return marks.map(({ y }) => `M${x} ${y}h${wide}v${high}h${-wide}z`).join('');
}

/** A mark on the ruler: its vertical position in pixels, and its entry. */
interface RulerMark {
  readonly y: number;
  readonly index: number;
}

/**
 * Positions of entries beside the scroll bar, at most one mark per pixel. `findStart` is an entry's
 * offset in the list, `total` the list's height, in pixels.
 */
function placeMarks(
  indexes: readonly number[],
  findStart: (index: number) => number | undefined,
  total: number,
  height: number,
): RulerMark[] {
  const marks: RulerMark[] = [];
  const scale = height / Math.max(total, height, 1);
  let last: number | undefined;
  for (const index of indexes) {
    const start = findStart(index);
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
function markAt(marks: readonly RulerMark[], y: number, reach: number): RulerMark | undefined {
  let nearest: RulerMark | undefined;
  for (const mark of marks) {
    const distance = Math.abs(mark.y - y);
    if (distance <= reach && (nearest === undefined || distance < Math.abs(nearest.y - y))) {
      nearest = mark;
    }
  }
  return nearest;
}
