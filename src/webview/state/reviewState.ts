import { computed, type ReadonlySignal } from '@preact/signals';
import type { DiffFate, ReviewedTurn, ShownReview } from '../../shared/transcript/reviewed';

/** The record of the session's changes, as rows look it up. */
export class ReviewState {
  readonly #review: ReadonlySignal<ShownReview | undefined>;
  /** The turns that changed files, by the row below which the end of each is drawn. */
  readonly ends: ReadonlySignal<ReadonlyMap<number, ReviewedTurn>>;
  /** What became of single diffs, by `keyOf`. */
  readonly #fates: ReadonlySignal<ReadonlyMap<string, DiffFate>>;

  /** `rowOf`: the row in which an entry is drawn. */
  constructor(review: ReadonlySignal<ShownReview | undefined>, rowOf: (index: number) => number) {
    this.#review = review;
    this.ends = computed(
      () => new Map(review.value?.turns.map((turn) => [rowOf(turn.last), turn] as const)),
    );
    this.#fates = computed(
      () => new Map(review.value?.diffs.map(({ index, item, fate }) => [keyOf(index, item), fate])),
    );
  }

  /** What became of a diff of a tool call; `undefined` if it is pending, or unknown. */
  fateOf(index: number, item: number): DiffFate | undefined {
    const turn = this.#review.value?.turns.find(
      ({ prompt, last }) => prompt <= index && index <= last,
    );
    return turn?.state === 'kept' || turn?.state === 'undone'
      ? turn.state
      : this.#fates.value.get(keyOf(index, item));
  }

  /** Whether files can be restored to what they were before this prompt. */
  isRestorable(index: number): boolean {
    return (this.#review.value?.turns.at(-1)?.prompt ?? -1) >= index;
  }
}

function keyOf(index: number, item: number): string {
  return `${index}:${item}`;
}
