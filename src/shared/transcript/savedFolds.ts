import { isObject } from '../../util/json';

/** Kinds of foldable parts that can be folded together; `other`: plans, summaries, resources. */
export const foldKinds = ['thought', 'tool', 'other'] as const;
export type FoldKind = (typeof foldKinds)[number];

/** The fold states of a transcript, for `setState`. */
export interface SavedFolds {
  /** Whether all parts of a kind are open; absent for kinds that the user hasn't folded or unfolded. */
  readonly kinds: Readonly<Partial<Record<FoldKind, boolean>>>;
  /** Parts that were opened (`true`) or closed individually, oldest first, limited in number. */
  readonly parts: readonly (readonly [part: string, open: boolean])[];
}

export const noFolds: SavedFolds = { kinds: {}, parts: [] };

/** Maximum number of saved parts; the oldest ones are dropped. */
export const maxSavedFolds = 500;
const maxPartLength = 200;

/** Reads saved folds; malformed parts are ignored. */
export function parseSavedFolds(value: unknown): SavedFolds {
  if (!isObject(value)) {
    return noFolds;
  }
  const { kinds, parts } = value;
  const known = foldKinds.flatMap((kind): [FoldKind, boolean][] => {
    const open = isObject(kinds) ? kinds[kind] : undefined;
    return typeof open === 'boolean' ? [[kind, open]] : [];
  });
  return {
    kinds: Object.fromEntries(known),
    parts: Array.isArray(parts) ? parts.filter(isPart).slice(-maxSavedFolds) : [],
  };
}

function isPart(value: unknown): value is [string, boolean] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    value[0].length <= maxPartLength &&
    typeof value[1] === 'boolean'
  );
}
