import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FindState } from './findState';

const everywhere = 'find-match';
const inCurrent = 'find-current';
/** More marks on one screen help nobody. */
const mostRanges = 2000;
/** A match doesn't go on from one of these into the next. */
const blocks = 'p, li, h3, td, th, pre, div, button';

/**
 * Marks what was found in the rows that are drawn, without touching their elements (CSS custom
 * highlights), again whenever rows change; and scrolls the current row's first match into view.
 */
export function useHighlights(find: FindState, scroller: RefObject<HTMLElement | null>): void {
  const open = find.open.value;
  const text = find.text.value;
  const matchCase = find.matchCase.value;
  const current = find.current.value;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !open || text === '') {
      return;
    }
    let unseen = current;
    let frame: number | undefined;
    const mark = (): void => {
      frame = undefined;
      const ranges = markRows(element, text, matchCase, current);
      const [first] = ranges;
      if (first && unseen !== undefined) {
        unseen = undefined;
        bringIntoView(element, first);
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
      CSS.highlights.delete(everywhere);
      CSS.highlights.delete(inCurrent);
    };
  }, [scroller, open, text, matchCase, current]);
}

/** Marks all matches on the screen; the answer are those of the current row. */
function markRows(
  scroller: HTMLElement,
  text: string,
  matchCase: boolean,
  current: number | undefined,
): Range[] {
  const others: Range[] = [];
  const own: Range[] = [];
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-index]')) {
    const list = Number(row.dataset['index']) === current ? own : others;
    for (const range of matchesIn(row, text, matchCase)) {
      if (others.length + own.length >= mostRanges) {
        break;
      }
      list.push(range);
    }
  }
  CSS.highlights.set(everywhere, new Highlight(...others));
  CSS.highlights.set(inCurrent, new Highlight(...own));
  return own;
}

/** The places of a text in a row, wherever its inline elements begin and end. */
function* matchesIn(row: HTMLElement, text: string, matchCase: boolean): Generator<Range> {
  const { nodes, content } = textOf(row);
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  for (const match of content.matchAll(new RegExp(literal, matchCase ? 'gu' : 'giu'))) {
    const end = match.index + match[0].length;
    const from = nodeAt(nodes, match.index);
    const to = nodeAt(nodes, end - 1);
    if (from && to) {
      const range = document.createRange();
      range.setStart(from.node, match.index - from.start);
      range.setEnd(to.node, end - to.start);
      yield range;
    }
  }
}

interface PlacedText {
  readonly node: Text;
  readonly start: number;
}

/** The text that can be seen of a row, with a line break wherever another block begins. */
function textOf(row: HTMLElement): { nodes: readonly PlacedText[]; content: string } {
  const nodes: PlacedText[] = [];
  let content = '';
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest('.sr-only')) {
      const around = node.parentElement?.closest(blocks);
      content += around === block ? '' : '\n';
      block = around;
      nodes.push({ node, start: content.length });
      content += node.data;
    }
  }
  return { nodes, content };
}

function nodeAt(nodes: readonly PlacedText[], offset: number): PlacedText | undefined {
  return nodes.findLast(({ node, start }) => start <= offset && offset < start + node.length);
}

function bringIntoView(scroller: HTMLElement, range: Range): void {
  const match = range.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  if (match.top < view.top || match.bottom > view.bottom) {
    scroller.scrollTop += match.top - view.top - view.height / 2;
  }
}
