/**
 * `after`, with every property that deeply equals the one in `before` taken from there, so that
 * components that watch it don't re-render.
 */
export function keepEqual<T extends object>(before: T | undefined, after: T): T {
  if (!before) {
    return after;
  }
  const kept = { ...after };
  for (const key of Object.keys(after) as (keyof T)[]) {
    if (isEqual(before[key], after[key])) {
      kept[key] = before[key];
    }
  }
  return kept;
}

/** Deep equality of JSON values. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const entries = Object.entries(a);
  const other = b as Record<string, unknown>;
  return (
    Array.isArray(a) === Array.isArray(b) &&
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.hasOwn(b, key) && isEqual(value, other[key]))
  );
}
