import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { escapeRegExp } from '../../util/escapeRegExp';
import type { TranscriptState } from '../state/state';
import { drawnRows, rangesIn } from './useHighlights';

const hitWord = 'hit-word';

/**
 * Highlights the words of a search across sessions in the entry it led to, until the user's next
 * key press or click.
 */
export function useHitWords(state: TranscriptState, scroller: RefObject<HTMLElement | null>): void {
  const reveal = state.reveal.value;
  useLayoutEffect(() => {
    const element = scroller.current;
    const pattern = findPattern(reveal?.words ?? []);
    if (!reveal || !element || !pattern) {
      return;
    }
    const mark = (): void => {
      const row = drawnRows(element).get(reveal.index);
      const ranges = row ? [...rangesIn(row, findSpans(row.content, pattern))] : [];
      CSS.highlights.set(hitWord, new Highlight(...ranges));
    };
    // The row may be drawn, and change, later.
    const changes = new MutationObserver(mark);
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    mark();
    const end = new AbortController();
    const forget = (): void => {
      end.abort();
      changes.disconnect();
      CSS.highlights.delete(hitWord);
    };
    for (const gesture of ['keydown', 'pointerdown']) {
      document.addEventListener(gesture, forget, { signal: end.signal });
    }
    return forget;
  }, [reveal, scroller]);
}

/**
 * Matches words of scripts that separate words by spaces: the session search matches these from
 * their start.
 */
const startsWord = /^[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{N}]/u;
const wordStart = String.raw`(?<![\p{L}\p{N}])`;

function findPattern(words: readonly string[]): RegExp | undefined {
  const sources = words.map(getSource);
  return sources.length === 0 ? undefined : new RegExp(sources.join('|'), 'giu');
}

function getSource(word: string): string {
  const source = escapeRegExp(word);
  return startsWord.test(word) ? wordStart + source : source;
}

function* findSpans(content: string, pattern: RegExp): Generator<number> {
  for (const { 0: found, index } of content.matchAll(pattern)) {
    yield index;
    yield index + found.length;
  }
}
