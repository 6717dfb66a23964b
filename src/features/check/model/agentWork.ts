import type { KnownReview } from '../../../model/changes/reviews';
import type { Session } from '../../../model/session/session';
import type { ToolKind } from '../../../shared/transcript/content';
import type { Entry } from '../../../shared/transcript/entries';

/** What is known of a session's work. */
export type WorkingSession = Pick<Session, 'phase'> & {
  readonly turns: Pick<Session['turns'], 'promptedAt'>;
  readonly changes: Pick<Session['changes'], 'files'>;
};
export type WorkReview = Pick<KnownReview, 'turns' | 'unrecorded'>;

/** How far a session had come. */
export interface Work {
  /** In ms since the epoch. */
  readonly at: number;
  readonly edits: number;
  readonly promptedAt: number;
}

export function getWork(session: WorkingSession): Work {
  return { at: Date.now(), edits: countEdits(session), promptedAt: session.turns.promptedAt };
}

/**
 * Whether the agent has changed files since then: it has reported an edit, or a turn has that was recorded. Without a
 * record of the turn, any prompt may have led to changes.
 */
export function hasChanged(
  session: WorkingSession,
  review: WorkReview | undefined,
  before: Work,
): boolean {
  // While it is replayed, the edits are those of before.
  if (session.phase.kind !== 'loading' && countEdits(session) > before.edits) {
    return true;
  }
  if (review === undefined) {
    return session.turns.promptedAt !== before.promptedAt;
  }
  const { turns, unrecorded } = review;
  return (
    turns.some(({ began, files }) => began > before.at && files.length > 0) ||
    unrecorded.some(({ began }) => began > before.at)
  );
}

/** Kinds of calls that change no files. */
const looking: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'fetch']);

/** Whether the agent may have changed files since the last prompt: it has done more than look. */
export function mayHaveChanged(entries: readonly Entry[]): boolean {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.kind === 'user') {
      return false;
    }
    if (entry?.kind === 'toolCall' && !looking.has(entry.toolKind)) {
      return true;
    }
  }
  return false;
}

function countEdits({ changes }: WorkingSession): number {
  return changes.files.reduce((sum, { edits, change }) => sum + edits.length + (change ? 1 : 0), 0);
}
