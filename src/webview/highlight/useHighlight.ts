import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { highlighter } from './highlighter';
import type { HighlightNode } from './highlightJob';
import type { LanguageName } from './languages';

/** The scopes of the code, or of its first part. */
export interface Highlighted {
  readonly code: string;
  readonly nodes: readonly HighlightNode[];
}

/** Time between two passes over growing code, in milliseconds; each starts from the beginning. */
const pause = 250;

/**
 * The scopes of a piece of code, or of its known beginning; `undefined` for unsupported languages.
 * Highlighting starts when `place` comes near the viewport.
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
  const known = language && highlighter.known({ code, language });
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
      const nodes = await highlighter.run({ code: looked, language }, abort.signal);
      if (!abort.signal.aborted) {
        setTried(looked);
        if (nodes) {
          setFound({ code: looked, nodes });
        }
      }
    };
    // Growing code keeps its current colors until the pause is over; the latest text is highlighted then.
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

// One observer watches all code blocks of the page.
const nearby = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element is in the viewport or near it. */
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
