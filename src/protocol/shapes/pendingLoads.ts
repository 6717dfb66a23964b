import { type Deferred, deferred } from '../../util/async';

/** The loads of sessions that the agent hasn't answered yet, including aborted ones (T-10). */
export class PendingLoads {
  readonly #loads = new Map<string, Set<Deferred<undefined>>>();

  /** Counts a load as pending until the returned function is called. */
  track(sessionId: string): () => void {
    const load = deferred<undefined>();
    const loads = this.#loads.get(sessionId) ?? new Set();
    this.#loads.set(sessionId, loads.add(load));
    return () => {
      load.resolve(undefined);
      loads.delete(load);
      if (loads.size === 0) {
        this.#loads.delete(sessionId);
      }
    };
  }

  async whenEnded(sessionId: string): Promise<void> {
    const loads = [...(this.#loads.get(sessionId) ?? [])];
    await Promise.all(loads.map((load) => load.promise));
  }
}
