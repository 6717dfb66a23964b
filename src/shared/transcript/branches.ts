/**
 * What a session that was forked at a prompt really holds of its origin: that is up to the agent, so it is found by
 * comparing what the fork replays.
 * - `before`: what comes before that prompt, as asked.
 * - `turn`: also that prompt, to the end of the agent's turn.
 * - `whole`: the whole history.
 * - `less`: not everything that comes before that prompt.
 * - `other`: something that the origin doesn't have.
 * - `unknown`: the agent hasn't shown it, or not yet.
 * - `text`: nothing; the agent can't fork, so the conversation is attached as a text.
 */
export type Held = 'before' | 'turn' | 'whole' | 'less' | 'other' | 'unknown' | 'text';

/** Where a session comes from. */
export interface ShownOrigin {
  readonly title: string;
  /** The agent of the session that it continues; absent if it was forked. */
  readonly agentTitle?: string;
  /** The turn before whose prompt it was forked, or up to which it continues it, counted from 1. */
  readonly turn: number;
  readonly held: Held;
}

/** The origin of the shown session, and the sessions that come from it. */
export interface ShownBranches {
  readonly origin?: ShownOrigin;
  /** The sessions that continue it with an agent that was chosen; the latest ones come last. */
  readonly continued?: readonly {
    readonly agentId: string;
    readonly sessionId: string;
    readonly title: string;
    readonly agentTitle: string;
  }[];
  /** The forks in the order of their turns. */
  readonly forks: readonly {
    readonly sessionId: string;
    readonly title: string;
    /** Index of the prompt before which it was forked. */
    readonly index: number;
  }[];
}

/**
 * `fork`: beside, to be edited. `edit`: in the same place. `retry`: also there, sent at once. `withoutImage`: like `edit`,
 * before the first of the turns in a row that an image has made fail, and without the images of its prompt.
 */
export const branchActs = ['fork', 'edit', 'retry', 'withoutImage'] as const;
export type BranchAct = (typeof branchActs)[number];
