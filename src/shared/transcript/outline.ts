/** The places in a transcript that the user can navigate between. */
export const landmarks = ['turn', 'toolCall', 'diff', 'error'] as const;
export type Landmark = (typeof landmarks)[number];

export const directions = ['next', 'previous'] as const;
export type Direction = (typeof directions)[number];

/** A turn: a prompt and everything up to the next one. */
export interface OutlineTurn {
  /** Index of the prompt's entry. */
  readonly index: number;
  /** 1-based. */
  readonly number: number;
  /** The prompt as a single clean line of limited length. */
  readonly prompt: string;
}

/** Indexes of the entries to mark beside the scroll bar, ascending and limited in number. */
export interface Marks {
  readonly turn: readonly number[];
  readonly diff: readonly number[];
  readonly error: readonly number[];
}
