import { setImmediate } from 'node:timers/promises';
import { Slot } from '../../util/slot';
import type { Session } from '../session/session';

/** What is known of a session before its agent has replayed it. */
export interface KnownTranscripts {
  /**
   * Shows that of a session that is being opened, unless the agent is quicker. Resolves when that is shown, or there is
   * nothing.
   */
  recall(session: Session): Promise<void>;
  /** Shows all of it for a session that couldn't be loaded, to be read at once. */
  recallWhole(session: Session): Promise<void>;
}

/** The known transcripts, which a feature provides: the first session that is opened waits for it. Never reject. */
export class ProvidedTranscripts extends Slot<KnownTranscripts> implements KnownTranscripts {
  async recall(session: Session): Promise<void> {
    await (this.provided ?? (await this.#known()))?.recall(session);
  }

  async recallWhole(session: Session): Promise<void> {
    await (this.provided ?? (await this.#known()))?.recallWhole(session);
  }

  async #known(): Promise<KnownTranscripts | undefined> {
    // What is being sent to VS Code goes first: the features are loaded in one task.
    await setImmediate();
    // Whoever starts them tells the user if that fails; sessions are opened all the same.
    return this.awaited().catch(() => undefined);
  }
}
