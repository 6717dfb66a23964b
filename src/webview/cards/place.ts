import { useEntryIndex, useSessionPart } from '../state/context';

/** A request's place among the pending ones: `position` is 1-based, 0 when it isn't pending. */
interface Place {
  readonly position: number;
  readonly count: number;
}

/** Requests are answered one at a time, the oldest first (PE-8). */
export function usePlace(): Place {
  const index = useEntryIndex();
  const waiting = useSessionPart('waiting') ?? [];
  return { position: waiting.indexOf(index) + 1, count: waiting.length };
}
