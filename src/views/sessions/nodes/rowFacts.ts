import type { Membership } from '../../../model/marks/groupRecords';

/** The facts about a row that don't come from the agent alone. */
export interface RowFacts {
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly alias: string | undefined;
  readonly unread: boolean;
  readonly open: boolean;
  /** Whether its turn was interrupted with its window, and the user hasn't looked since. */
  readonly interrupted: boolean;
  /** Whether some of its changes wait for the user's decision. */
  readonly review: boolean;
  /** Its place in one of the user's groups. */
  readonly group?: Membership;
  /** The place where it was forked, if it is a branch of another session. */
  readonly origin?: RowOrigin;
}

/** The place where a row's session was forked. */
export interface RowOrigin {
  /** The key of its origin's row. */
  readonly key: string;
  readonly turn: number;
}
