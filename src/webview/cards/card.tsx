import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { literal } from '../../shared/literal';
import { Fold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';
import { usePlace } from './place';

interface CardProps {
  readonly icon: string;
  readonly title: string;
  /**
   * The text of the collapsed card while earlier requests are pending; `undefined` if it is already
   * shown above.
   */
  readonly subject: string | undefined;
  /** Accessible name; defaults to the title. */
  readonly label?: string;
  /** Whether the card is drawn below its call's line. */
  readonly isInCall?: boolean;
  readonly card?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/**
 * A request to the user. While older requests are pending it is collapsed, since requests are shown
 * one at a time (PE-8).
 */
export function Card({ icon, title, subject, label, isInCall, card, children }: CardProps): VNode {
  const { position, count } = usePlace();
  const isLater = position > 1;
  const own = useRef<HTMLElement>(null);
  const shown = card ?? own;
  useSeen(shown, position === 1);
  const classes = [isInCall ? 'in-call' : 'entry', 'card', isLater && 'card-later'];
  return (
    <section class={classes.filter(Boolean).join(' ')} aria-label={label ?? title} ref={shown}>
      <div class="card-box">
        <div class="card-head">
          <Icon name={icon} />
          <h3>{title}</h3>
          {count > 1 && position > 0 && (
            <span class="card-place">{l10n.t('{0} of {1}', position, count)}</span>
          )}
        </div>
        {isLater ? (
          <>
            {subject !== undefined && <p class="card-subject">{literal(subject)}</p>}
            <p class="card-note">{l10n.t('Answer the earlier request first.')}</p>
          </>
        ) : (
          children
        )}
      </div>
    </section>
  );
}

interface OutcomeProps {
  readonly icon: string;
  /** The outcome of the request. */
  readonly text: string;
  /** The subject of the request; `undefined` if it is already shown above. */
  readonly subject: string | undefined;
  /** Rendered when the fold is opened. */
  readonly children: () => ComponentChildren;
}

/** An answered request: one line that can be unfolded. */
export function Outcome({ icon, text, subject, children }: OutcomeProps): VNode {
  return (
    <div class={subject === undefined ? 'in-call' : 'entry'}>
      <Fold
        part="outcome"
        class="outcome"
        summary={
          <>
            <Icon name={icon} />
            <span>{text}</span>
            {subject !== undefined && <span class="preview">{literal(subject)}</span>}
          </>
        }
      >
        {children}
      </Fold>
    </div>
  );
}

/** The share of a card, or of the list's height if the card is higher, from which on the user sees it. */
const seenShare = 0.5;
/** How much of a card comes or goes until its share is looked at again; a card can be much higher than the list. */
const steps = Array.from({ length: 41 }, (_, step) => step / 40);

/** Tells the page while the card of the request to answer next can be seen. */
function useSeen(card: RefObject<HTMLElement | null>, isNext: boolean): void {
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
