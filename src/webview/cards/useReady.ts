import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A click or key that was meant for what stood here before comes within this time, in ms. */
const inertTime = 500;

/**
 * Whether the controls in `element` may be used: while they are asked for and have been on screen for a
 * while. The time starts again whenever they newly appear. Until then they are `aria-disabled`, not
 * `disabled`: the keyboard has to get to those that are still below the fold.
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
