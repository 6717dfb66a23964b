import type { Session } from '../../../model/session/session';

/** Whether a session's entries may still change: it is being loaded, or works. */
export function isStreaming({ phase, turns }: Session): boolean {
  return phase.kind === 'loading' || turns.current.kind !== 'idle';
}
