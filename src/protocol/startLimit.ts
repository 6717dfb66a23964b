import { setTimeout as delay } from 'node:timers/promises';
import { AcpError } from './errors';

export interface StartLimits {
  /** Milliseconds for the agent's own start. */
  readonly startMs: number;
  /** Milliseconds in all, however long the program is fetched. */
  readonly fetchMs: number;
  /** Milliseconds between two looks at whether it is still fetched. */
  readonly lookMs: number;
}

/**
 * Rejects once a start that fetches its program first has taken too long: the time for the agent's own start begins
 * when nothing is fetched any more. Never resolves; ends with `signal`.
 */
export async function startTakesTooLong(
  isFetching: () => Promise<boolean>,
  { startMs, fetchMs, lookMs }: StartLimits,
  onFetching: (isFetching: boolean) => void,
  signal: AbortSignal,
): Promise<never> {
  const began = performance.now();
  let fetchedUntil = began;
  for (;;) {
    await delay(lookMs, undefined, { signal });
    const fetches = await isFetching();
    signal.throwIfAborted();
    const now = performance.now();
    fetchedUntil = fetches ? now : fetchedUntil;
    onFetching(fetches);
    if (now - fetchedUntil > startMs || now - began > fetchMs) {
      const times = `${Math.round(now - began)} ms, of which ${Math.round(fetchedUntil - began)} ms to fetch it`;
      throw new AcpError('timeout', `No answer to initialize within ${times}`);
    }
  }
}
