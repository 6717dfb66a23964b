import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * How long the controls stay inert, in milliseconds: a click or key during this time was meant for
 * what was there before.
 */
const inertTime = 500;

/**
 * Whether the controls in `element` may be used: they must be the pending request's, and have been
 * on screen for a while since they last appeared. Until then they are `aria-disabled` rather than
 * `disabled`, so that the keyboard can reach those still below the fold.
 */
export function useReady(element: RefObject<HTMLElement | null>, isAsked: boolean): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched || !isAsked) {
      return;
    }
    let inView = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      setReady(false);
      if (inView && document.visibilityState === 'visible') {
        timer = setTimeout(() => setReady(true), inertTime);
      }
    };
    const observer = new IntersectionObserver((changes) => {
      inView = changes.at(-1)?.isIntersecting ?? false;
      restart();
    });
    observer.observe(watched);
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      setReady(false);
      observer.disconnect();
      document.removeEventListener('visibilitychange', restart);
    };
  }, [element, isAsked]);
  return ready;
}
