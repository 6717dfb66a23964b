import type { BackgroundWork } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { DemoUpdate, Ending, SessionState } from '../vocabulary/updates';

/** What a session does, told as one state for all that it does at a time. */
export class Activity {
  readonly #send: (update: DemoUpdate) => Promise<void>;
  readonly #beside = new Set<BackgroundWork>();
  #works = 0;
  #state: SessionState = { state: 'idle' };

  constructor(send: (update: DemoUpdate) => Promise<void>) {
    this.#send = send;
  }

  async begin(): Promise<void> {
    this.#works++;
    if (this.#works === 1) {
      await this.#become({ state: 'running' });
    }
  }

  async end(ending: Ending): Promise<void> {
    this.#works--;
    if (this.#works === 0) {
      await this.#become({ state: 'idle', ...ending });
    }
  }

  /** Waits for the user, and tells so if nothing else goes on meanwhile. */
  async waiting<T>(answer: () => Promise<T>): Promise<T> {
    if (this.#works !== 1) {
      return await answer();
    }
    await this.#become({ state: 'requires_action' });
    const answered = await answer();
    await this.#become({ state: 'running' });
    return answered;
  }

  /** Something goes on beside the turns until the returned function is called; told with the next state. */
  beside(work: BackgroundWork): () => void {
    this.#beside.add(work);
    return () => this.#beside.delete(work);
  }

  /** Tells the state once more. */
  tell(): Promise<void> {
    return this.#send({
      sessionUpdate: 'state_update',
      ...this.#state,
      background: [...this.#beside],
    });
  }

  #become(state: SessionState): Promise<void> {
    this.#state = state;
    return this.tell();
  }
}
