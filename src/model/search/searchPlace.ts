import { setImmediate } from 'node:timers/promises';
import type { Entry } from '../../shared/transcript/entries';
import { searchEntryOf } from './searchEntries';
import type { SearchEntry, SearchHit } from './searchIndex';
import { fold, parseQuery } from './searchWords';

/** The extension host does something else after each of these, in ms. */
const sliceMs = 8;
/** Enough to tell one text from another. */
const compared = 80;

export type Fits = (entry: SearchEntry) => boolean;

/** What the entry of a hit has: the text that was shown; else, when that has changed, one of the words. */
export function fitsOf({ snippet }: SearchHit, typed: string): readonly Fits[] {
  const shown = snippet.replace(/^…/, '').slice(0, compared);
  const terms = parseQuery(typed)?.terms ?? [];
  return [
    ({ text }) => shown !== '' && text.includes(shown),
    ({ text }) => terms.some((term) => term.test(fold(text))),
  ];
}

/**
 * The place of the entry that fits, the one nearest to where it was; by the first of `fits` that any
 * entry has. `undefined` when none does.
 */
export async function placeOf(
  entries: readonly Entry[],
  cwd: string,
  at: number,
  fits: readonly Fits[],
): Promise<number | undefined> {
  for (const fit of fits) {
    const place = await nearest(entries, at, (entry) => fit(searchEntryOf(entry, cwd)));
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

async function nearest(
  entries: readonly Entry[],
  at: number,
  fits: (entry: Entry) => boolean,
): Promise<number | undefined> {
  const start = Math.max(0, Math.min(at, entries.length - 1));
  let sliceEnd = performance.now() + sliceMs;
  for (let away = 0; away < entries.length; away++) {
    for (const place of away === 0 ? [start] : [start - away, start + away]) {
      const entry = entries[place];
      if (entry !== undefined && fits(entry)) {
        return place;
      }
    }
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  return undefined;
}
