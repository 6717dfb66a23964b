import { useEntryIndex, useSessionPart } from '../context';

/** Where a request stands among those that wait: `position` from 1, or 0 while it isn't known to wait. */
interface Place {
  readonly position: number;
  readonly count: number;
}

/** Requests are answered one by one, the oldest first (PE-8). */
export function usePlace(): Place {
  const index = useEntryIndex();
  const waiting = useSessionPart('waiting') ?? [];
  return { position: waiting.indexOf(index) + 1, count: waiting.length };
}
