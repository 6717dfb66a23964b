import type { Session } from '../../model/session/session';

/** The state of a session, for its row in the tree and its tab's icon; `idle` when it isn't open. */
export type Standing =
  | 'idle'
  | 'loading'
  | 'open'
  | 'running'
  | 'needsYou'
  /** A turn runs, and waits for an answer that isn't asked for here (V2-TURN-9). */
  | 'asksElsewhere'
  /** A turn has ended or failed, and the user hasn't looked since. */
  | 'unread'
  | 'failed';

/** What the standing of an open session depends on. */
export type Stands = Pick<Session, 'phase'> & {
  readonly turns: Pick<Session['turns'], 'current'>;
  readonly requests: Pick<Session['requests'], 'waiting'>;
};

export function getStanding(session: Stands | undefined, isUnread: boolean): Standing {
  if (session === undefined) {
    return 'idle';
  }
  if (session.phase.kind === 'failed') {
    return 'failed';
  }
  if (session.requests.waiting.length > 0) {
    return 'needsYou';
  }
  if (session.phase.kind === 'loading') {
    return 'loading';
  }
  const { current } = session.turns;
  if (current.kind !== 'idle') {
    return current.waits ? 'asksElsewhere' : 'running';
  }
  return isUnread ? 'unread' : 'open';
}
