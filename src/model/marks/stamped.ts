import { asArray } from '../../util/json';

/** A value with the time it was set: of two, the one with the later stamp wins. */
export interface Stamped<T> {
  readonly value: T;
  /** Ms since the epoch, or just enough later to exceed all stamps seen before. */
  readonly stamp: number;
}

type Comparable = boolean | string | number;

/** Ids are opaque, but no agent could work with a longer one. */
const maxIdLength = 2_000;
/** The latest time of a `Date`; leaves room for stamps that count up. */
const lastTime = 8_640_000_000_000_000;

/**
 * The later of two values. For equal stamps, any rule works that doesn't depend on the order; `toComparable` makes
 * values comparable that aren't.
 */
export function later<T>(
  a: Stamped<T> | undefined,
  b: Stamped<T> | undefined,
  toComparable: (value: T) => Comparable,
): Stamped<T> | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  if (a.stamp !== b.stamp) {
    return a.stamp > b.stamp ? a : b;
  }
  return toComparable(a.value) > toComparable(b.value) ? a : b;
}

/** The stored form of a value. */
export function pair<T>(stamped: Stamped<T> | undefined): readonly [T, number] | undefined {
  return stamped && [stamped.value, stamped.stamp];
}

/** Reads what `pair` has written; `undefined` if `readValue` takes it for none. */
export function readStamped<T>(
  value: unknown,
  readValue: (value: unknown) => T | undefined,
): Stamped<T> | undefined {
  const [stored, stamp] = asArray(value);
  const content = readValue(stored);
  return content !== undefined && isStamp(stamp) ? { value: content, stamp } : undefined;
}

/** A member of an object, absent without a value. */
export function field<K extends string, T>(
  name: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: T });
}

export function isId(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value.length <= maxIdLength;
}

export function readTime(value: unknown): number | undefined {
  return isTime(value) ? value : undefined;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= lastTime;
}

function isStamp(value: unknown): value is number {
  return isTime(value) && value > 0;
}
