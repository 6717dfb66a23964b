import { computed, type ReadonlySignal } from '@preact/signals';
import type {
  DiffFate,
  ReviewedTurn,
  ShownReview,
  UncertainTurn,
  UnrecordedTurn,
} from '../../shared/transcript/reviewed';

/** The record of the session's changes, as rows look it up. */
export class ReviewState {
  readonly #review: ReadonlySignal<ShownReview | undefined>;
  /** The turns that changed files, by the row below which the end of each is drawn. */
  readonly ends: ReadonlySignal<ReadonlyMap<number, readonly ReviewedTurn[]>>;
  /** Why nothing is recorded of turns, likewise. */
  readonly unrecorded: ReadonlySignal<ReadonlyMap<number, UnrecordedTurn['reason']>>;
  /** The turns with changes that may be another session's, likewise. */
  readonly uncertain: ReadonlySignal<ReadonlyMap<number, UncertainTurn>>;
  /** What became of single diffs, by `getKey`. */
  readonly #fates: ReadonlySignal<ReadonlyMap<string, DiffFate>>;

  /** `getRow`: the row in which an entry is drawn. */
  constructor(review: ReadonlySignal<ShownReview | undefined>, getRow: (index: number) => number) {
    this.#review = review;
    this.ends = computed(() => {
      const ends = new Map<number, readonly ReviewedTurn[]>();
      const { turns = [], comments } = review.value ?? {};
      for (const turn of turns) {
        const row = getRow(turn.last);
        const end = turn === turns.at(-1) && comments !== undefined ? { ...turn, comments } : turn;
        ends.set(row, [...(ends.get(row) ?? []), end]);
      }
      return ends;
    });
    this.unrecorded = computed(
      () =>
        new Map(
          review.value?.unrecorded.map(({ last, reason }) => [getRow(last), reason] as const),
        ),
    );
    this.uncertain = computed(
      () => new Map(review.value?.uncertain?.map((turn) => [getRow(turn.last), turn] as const)),
    );
    this.#fates = computed(
      () =>
        new Map(review.value?.diffs.map(({ index, item, fate }) => [getKey(index, item), fate])),
    );
  }

  /** What became of a diff of a tool call; `undefined` if it is pending, or unknown. */
  findFate(index: number, item: number): DiffFate | undefined {
    // A turn that the agent began may not be told apart from the one before it.
    const turns = this.#review.value?.turns.filter(
      ({ prompt, first = prompt, last }) => first <= index && index <= last,
    );
    const state = turns?.[0]?.state;
    return (state === 'kept' || state === 'undone') && turns?.every((turn) => turn.state === state)
      ? state
      : this.#fates.value.get(getKey(index, item));
  }

  /** The recorded turn that begins with this prompt, or the last that ends below this row. */
  findTurn(index: number): number | undefined {
    const turns = this.#review.value?.turns;
    const own = turns?.find(({ prompt, isUnprompted }) => prompt === index && !isUnprompted);
    return (own ?? this.ends.value.get(index)?.at(-1))?.turn;
  }

  /** Whether files can be restored to what they were before this prompt. */
  isRestorable(index: number): boolean {
    return (this.#review.value?.turns.at(-1)?.prompt ?? -1) >= index;
  }
}

function getKey(index: number, item: number): string {
  return `${index}:${item}`;
}
