import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { getPattern } from '../../shared/transcript/findQuery';
import type { FindState } from './findState';

const everywhere = 'find-match';
const inCurrent = 'find-current';
/** Maximum highlights on one screen; more would be of no use. */
const maxRanges = 2000;
/** Elements in a row that aren't part of its entry's text. */
const added = '.sr-only, .turn-time';
/** A match doesn't extend across the boundaries of these. */
const blocks = 'p, li, h3, td, th, pre, div, button';

/**
 * Highlights matches in the drawn rows without touching their elements (CSS custom highlights),
 * again whenever rows change, and scrolls to the current match after navigation.
 */
export function useHighlights(find: FindState, scroller: RefObject<HTMLElement | null>): void {
  const open = find.open.value;
  const search = find.search.value;
  const current = find.current.value;
  const marks = find.marks.value;
  const gone = find.gone.value;
  const shown = useRef(0);
  // A layout effect, so that the next frame has the highlights of new rows.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !open || search.text === '') {
      CSS.highlights.delete(everywhere);
      CSS.highlights.delete(inCurrent);
      return;
    }
    let frame: number | undefined;
    const mark = (): void => {
      frame = undefined;
      const range = markRows(element, find);
      if (range && shown.current !== gone) {
        shown.current = gone;
        bringIntoView(element, range);
      }
    };
    const schedule = (): void => {
      frame ??= requestAnimationFrame(mark);
    };
    const changes = new MutationObserver(schedule);
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    schedule();
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame ?? 0);
    };
  }, [scroller, find, open, search, current, marks, gone]);
}

/** Highlights all drawn matches; returns the current one if it is drawn. */
function markRows(scroller: HTMLElement, find: FindState): Range | undefined {
  const rows = drawnRows(scroller);
  const spansOf = find.search.peek().isPattern ? hostSpans(find, rows) : ownSpans(find);
  const found = new Map<number, readonly Range[]>();
  let left = maxRanges;
  for (const [index, row] of rows) {
    const ranges = [...take(rangesIn(row, spansOf(index, row.content)), left)];
    left -= ranges.length;
    found.set(index, ranges);
  }
  find.guess([...found].flatMap(([index, { length }]) => (length > 0 ? [index] : [])));
  const current = find.current.peek();
  const own = [...(found.get(current?.index ?? -1) ?? [])];
  const others = [...found].flatMap(([index, ranges]) => (index === current?.index ? [] : ranges));
  // A drawn row can have fewer matches than its entry, because it is truncated or rendered differently.
  const at = Math.min(current?.match ?? 0, own.length - 1);
  const [range] = own.splice(Math.max(at, 0), 1);
  CSS.highlights.set(everywhere, new Highlight(...others, ...own));
  CSS.highlights.set(inCurrent, range ? new Highlight(range) : new Highlight());
  return range;
}

export function drawnRows(scroller: HTMLElement): ReadonlyMap<number, RowText> {
  const rows = scroller.querySelectorAll<HTMLElement>('[data-index]');
  return new Map([...rows].map((row) => [Number(row.dataset['index']), getText(row)]));
}

type Spans = (index: number, content: string) => Iterable<number>;

/** Searches plain text in the page. */
function ownSpans(find: FindState): Spans {
  const { source, flags } = getPattern(find.search.peek());
  const pattern = new RegExp(source, flags);
  return function* (_index, content) {
    for (const match of content.matchAll(pattern)) {
      yield match.index;
      yield match.index + match[0].length;
    }
  };
}

/** Regular expressions run only in the host, which can abort one that takes too long. */
function hostSpans(find: FindState, rows: ReadonlyMap<number, RowText>): Spans {
  find.askForMarks(new Map([...rows].map(([index, { content }]) => [index, content])));
  const marks = find.marks.peek();
  return (index, content) => {
    const marked = marks.get(index);
    return marked && content.startsWith(marked.text) ? marked.spans : [];
  };
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let left = most;
  for (const value of values) {
    if (left-- <= 0) {
      return;
    }
    yield value;
  }
}

/** Ranges of the matches in a row, which may span inline elements. */
export function* rangesIn({ nodes }: RowText, spans: Iterable<number>): Generator<Range> {
  let start: number | undefined;
  for (const offset of spans) {
    if (start === undefined) {
      start = offset;
      continue;
    }
    const from = nodeAt(nodes, start);
    const to = nodeAt(nodes, offset - 1);
    if (from && to) {
      const range = document.createRange();
      range.setStart(from.node, start - from.start);
      range.setEnd(to.node, offset - to.start);
      yield range;
    }
    start = undefined;
  }
}

interface PlacedText {
  readonly node: Text;
  readonly start: number;
}

interface RowText {
  readonly nodes: readonly PlacedText[];
  readonly content: string;
}

/** A row's visible text, with a line break between blocks. */
function getText(row: HTMLElement): RowText {
  const nodes: PlacedText[] = [];
  let content = '';
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest(added)) {
      const around = node.parentElement?.closest(blocks);
      content += around === block ? '' : '\n';
      block = around;
      nodes.push({ node, start: content.length });
      content += node.data;
    }
  }
  return { nodes, content };
}

/** Binary search: a row of highlighted code has thousands of text nodes, and may have as many matches. */
function nodeAt(nodes: readonly PlacedText[], offset: number): PlacedText | undefined {
  let low = 0;
  let high = nodes.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.start ?? 0) <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const found = nodes[low];
  return found && found.start <= offset && offset < found.start + found.node.length
    ? found
    : undefined;
}

/** Scrolls the list, and any scrollable parts of the row. */
function bringIntoView(scroller: HTMLElement, range: Range): void {
  let around = range.startContainer.parentElement;
  while (around && scroller.contains(around)) {
    if (around.scrollHeight > around.clientHeight && around.clientHeight > 0) {
      const match = range.getBoundingClientRect();
      const view = around.getBoundingClientRect();
      if (match.top < view.top || match.bottom > view.bottom) {
        around.scrollTop += match.top - view.top - view.height / 2;
      }
    }
    around = around.parentElement;
  }
}
