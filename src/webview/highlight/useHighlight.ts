import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { highlight, highlighted } from './highlighter';
import type { HighlightNode } from './job';
import type { LanguageName } from './languages';

/** The scopes of the beginning of a code. */
export interface Highlighted {
  readonly code: string;
  readonly nodes: readonly HighlightNode[];
}

/** Between two looks at code that still grows, each from its beginning, in milliseconds. */
const pause = 250;

/**
 * The scopes of a code once they are known, of as much as is known of it; nothing for languages that we don't
 * have. It is looked at when `place` comes near the screen.
 */
export function useHighlight(
  code: string,
  language: LanguageName | undefined,
  place: RefObject<Element | null>,
): Highlighted | undefined {
  const isNear = useIsNear(place);
  const [found, setFound] = useState<Highlighted>();
  const latest = useRef(code);
  latest.current = code;
  const known = language && highlighted(code, language);
  const isMissing = language !== undefined && known === undefined && found?.code !== code;
  const [tried, setTried] = useState<string>();
  const wants = isMissing && isNear && tried !== code;
  useEffect(() => {
    if (!wants) {
      return;
    }
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      const looked = latest.current;
      const nodes = await highlight(looked, language, abort.signal);
      if (!abort.signal.aborted) {
        setTried(looked);
        if (nodes) {
          setFound({ code: looked, nodes });
        }
      }
    };
    // Growing code goes on as it is until the pause is over, and is looked at as it stands then.
    const timer = setTimeout(() => void look(), tried === undefined ? 0 : pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wants, language, tried]);
  if (known) {
    return { code, nodes: known };
  }
  return found && code.startsWith(found.code) ? found : undefined;
}

const nearby = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element is on the screen or will be soon. */
function useIsNear(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) {
      return;
    }
    observer ??= new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          nearby.get(target)?.(isIntersecting);
        }
      },
      { scrollMargin: '500px' },
    );
    const watching = observer;
    nearby.set(element, setNear);
    watching.observe(element);
    return () => watching.unobserve(element);
  }, [place]);
  return isNear;
}
