import { asArray, isObject, parseJson } from './json';

const dayMs = 86_400_000;

/** Something that may become too old. */
export interface Aging {
  readonly name: string;
  /** When it was last changed, in ms since the epoch. */
  readonly at: number;
  /** The size, in any unit. */
  readonly size: number;
}

export interface SeenAges {
  /** Whole days, by name. */
  readonly days: ReadonlyMap<string, number>;
  /** The text for the next look. */
  readonly text: string;
}

/**
 * For how many days things haven't changed: by the clock, but at most by as many as have been seen to begin since. A look
 * sees one day begin if it is on a later day than the last one, however much later. So a clock that is years ahead makes
 * nothing old, least of all what has changed since the last look.
 *
 * `before` is the text of the last look.
 */
export function lookAtAges(
  before: string | undefined,
  things: readonly Aging[],
  now: number,
): SeenAges {
  const known = parseJson(before);
  const [lastDay, seen] = isObject(known) ? [known['day'], known['seen']] : [];
  const last = new Map(Object.entries(isObject(seen) ? seen : {}));
  const day = Math.floor(now / dayMs);
  const step = typeof lastDay === 'number' && day > lastDay ? 1 : 0;
  const seenDays = things.map(({ name, at, size }) => {
    const [lastAt, lastSize, lastDays] = asArray(last.get(name));
    const isSame = lastAt === at && lastSize === size && Number.isSafeInteger(lastDays);
    return isSame ? (lastDays as number) + step : 0;
  });
  const next = things.map(({ name, at, size }, index) => [name, [at, size, seenDays[index]]]);
  const days = things.map(({ name, at }, index): [string, number] => [
    name,
    Math.min(Math.floor((now - at) / dayMs), seenDays[index] ?? 0),
  ]);
  return {
    days: new Map(days),
    text: JSON.stringify({ day, seen: Object.fromEntries(next) as unknown }),
  };
}
