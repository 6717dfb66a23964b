import type { Agent } from '../../../model/agent';
import type { GoingBack } from '../../../model/changes/providedReviews';
import type { Session } from '../../../model/session/session';
import type { SessionRef } from '../../../shared/sessionRef';
import type { BranchAct, ShownBranches } from '../../../shared/transcript/branches';
import { Emitter } from '../../../util/emitter';
import type { Outline } from '../feed/outlineFeed';

/** What is known of a session for that. */
export type BranchedSession = Pick<Session, 'info' | 'phase'> & {
  readonly agent: Pick<Agent, 'id' | 'supports'>;
};

/** Sessions that begin before a prompt of another one, as a page shows and asks for them. */
export interface Branches {
  /**
   * Where the session comes from, and which others come from it; `undefined` if none can begin at its prompts.
   */
  shown(session: BranchedSession, outline: Outline): ShownBranches | undefined;
  /** Begins one before the prompt with this index. */
  begin(session: BranchedSession, act: BranchAct, index: number): unknown;
  /** Offered with restoring the files to what they were before a prompt; `undefined` if the agent can't fork. */
  goingBack(session: BranchedSession, index: number): GoingBack | undefined;
  /** The page of a new session of the same agent in another folder, with the conversation of this one. Sends nothing. */
  continueIn(session: SessionRef, folder: string): Promise<void>;
  openOrigin(session: BranchedSession): unknown;
  /** Shows a session, by default of the same agent, if it is known to come from this one: the page may ask for any. */
  openFork(session: BranchedSession, sessionId: string, agentId?: string): unknown;
}

/** The branches, once a feature provides them. */
export class ProvidedBranches {
  readonly #provided = new Emitter<void>();
  readonly onDidProvide = this.#provided.event;
  #current: Branches | undefined;

  get current(): Branches | undefined {
    return this.#current;
  }

  provide(branches: Branches): void {
    this.#current = branches;
    this.#provided.fire();
  }

  dispose(): void {
    this.#provided.dispose();
  }
}
