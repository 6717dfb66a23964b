import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../words/times';

interface ElapsedProps {
  /** When the turn started, in milliseconds since the epoch. */
  readonly began: number;
}

const second = 1000;

/** The turn's duration, counted in the page without messages from the host. Hidden from screen readers. */
export function Elapsed({ began }: ElapsedProps): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const time = Date.now();
      setNow(time);
      // Scheduled at the next displayed second, so that none is skipped.
      timer = setTimeout(tick, second - (Math.max(0, time - began) % second));
    };
    tick();
    return () => clearTimeout(timer);
  }, [began]);
  const ms = now - began;
  return (
    <span class="turn-elapsed" aria-hidden="true">
      {ms >= second && durationText(ms)}
    </span>
  );
}
