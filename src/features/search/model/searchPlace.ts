import { setImmediate } from 'node:timers/promises';
import { fold, parseQuery } from '../../../model/text/searchWords';
import type { Entry } from '../../../shared/transcript/entries';
import { toSearchEntry } from './searchEntries';
import type { SearchEntry, SearchHit } from './searchIndex';

/** Time after which to yield to the event loop, in ms. */
const sliceMs = 8;
/** Characters that are enough to tell texts apart. */
const compared = 80;

export type Fits = (entry: SearchEntry) => boolean;

/**
 * Tests for the entry of a hit: it contains the shown text; otherwise, if that has changed, one of
 * the typed words.
 */
export function getFits({ snippet }: SearchHit, typed: string): readonly Fits[] {
  const shown = snippet.replace(/^…/, '').slice(0, compared);
  const terms = parseQuery(typed)?.terms ?? [];
  return [
    ({ text }) => shown !== '' && text.includes(shown),
    ({ text }) => terms.some((term) => term.test(fold(text))),
  ];
}

/**
 * The index of the entry that matches, nearest to `at`, by the first of `fits` that any entry
 * satisfies. `undefined` if there is none.
 */
export async function findPlace(
  entries: readonly Entry[],
  cwd: string,
  at: number,
  fits: readonly Fits[],
): Promise<number | undefined> {
  for (const fit of fits) {
    const place = await nearest(entries, at, (entry) => fit(toSearchEntry(entry, cwd)));
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
