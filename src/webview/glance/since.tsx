import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { exactTime, shortDurationText } from '../words/times';

const second = 1000;
const minute = 60 * second;

/** How long ago this was, counted in the page: by the second for a minute, then by the minute. */
export function Since({ time }: { readonly time: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const passed = Date.now();
      setNow(passed);
      const age = Math.max(0, passed - time);
      const step = age < minute ? second : minute;
      timer = setTimeout(tick, step - (age % step));
    };
    tick();
    return () => clearTimeout(timer);
  }, [time]);
  return (
    <time class="glance-since" title={exactTime(time)}>
      {now - time >= second && shortDurationText(now - time)}
    </time>
  );
}
