import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../times';

interface ElapsedProps {
  /** When the turn began, in ms since the epoch. */
  readonly began: number;
}

const second = 1000;

/** How long the turn has been running, a second at a time; the host says nothing for it. Nobody has it read aloud. */
export function Elapsed({ began }: ElapsedProps): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const time = Date.now();
      setNow(time);
      // With the second that is shown next, so that none is left out.
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
