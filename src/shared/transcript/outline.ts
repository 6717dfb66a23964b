/** What the user can move between in a transcript. */
export const landmarks = ['turn', 'toolCall', 'diff', 'error'] as const;
export type Landmark = (typeof landmarks)[number];

export const directions = ['next', 'previous'] as const;
export type Direction = (typeof directions)[number];

/** A turn: what the user wrote and everything up to the next prompt. */
export interface OutlineTurn {
  /** Index of the prompt's entry. */
  readonly index: number;
  /** Counted from 1. */
  readonly number: number;
  /** The prompt as one clean line, bounded. */
  readonly prompt: string;
}

/** Indexes of the entries that are marked beside the scroll bar, ascending, bounded. */
export interface Marks {
  readonly turn: readonly number[];
  readonly diff: readonly number[];
  readonly error: readonly number[];
}
