import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { useEntryIndex, useTranscript } from '../state/context';

/** The share of a card, or of the list's height if the card is higher, from which on the user sees it. */
const seenShare = 0.5;
/** How much of a card comes or goes until its share is looked at again; a card can be much higher than the list. */
const steps = Array.from({ length: 41 }, (_, step) => step / 40);

/** Tells the page while the card of the request to answer next can be seen. */
export function useSeen(card: RefObject<HTMLElement | null>, isNext: boolean): void {
  const { seenRequest } = useTranscript().state;
  const index = useEntryIndex();
  useEffect(() => {
    const watched = card.current;
    if (!watched || !isNext) {
      return;
    }
    const forget = (): void => {
      if (seenRequest.peek() === index) {
        seenRequest.value = undefined;
      }
    };
    const observer = new IntersectionObserver(
      (changes) => {
        const change = changes.at(-1);
        if (change && isSeen(change)) {
          seenRequest.value = index;
        } else {
          forget();
        }
      },
      // The page is in a frame of another origin: only of an element in it the height is told.
      { root: watched.closest('.scroller'), threshold: steps },
    );
    observer.observe(watched);
    return () => {
      observer.disconnect();
      forget();
    };
  }, [card, isNext, index, seenRequest]);
}

function isSeen({
  intersectionRect,
  boundingClientRect,
  rootBounds,
}: IntersectionObserverEntry): boolean {
  const most = Math.min(boundingClientRect.height, rootBounds?.height ?? Number.POSITIVE_INFINITY);
  return most > 0 && intersectionRect.height >= seenShare * most;
}
