import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Rows stay where they are for so long after the last move or key in them, in ms: a parked pointer holds nothing. */
const holdTime = 5_000;

/** Whether the user is about to do something in `element`, with the pointer or the keyboard. */
export function useHold(element: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = (): void => {
      clearTimeout(timer);
      setHeld(false);
    };
    const hold = (): void => {
      clearTimeout(timer);
      timer = setTimeout(release, holdTime);
      setHeld(true);
    };
    watched.addEventListener('pointermove', hold);
    watched.addEventListener('pointerdown', hold);
    watched.addEventListener('keydown', hold);
    watched.addEventListener('pointerleave', release);
    window.addEventListener('blur', release);
    return () => {
      clearTimeout(timer);
      watched.removeEventListener('pointermove', hold);
      watched.removeEventListener('pointerdown', hold);
      watched.removeEventListener('keydown', hold);
      watched.removeEventListener('pointerleave', release);
      window.removeEventListener('blur', release);
    };
  }, [element]);
  return isHeld;
}
