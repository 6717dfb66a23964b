import { keepContexts } from '../../platform/ui/contexts';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { tracesContextKeys as contextKeys } from './contextKeys';
import { Recordings } from './recordings';
import { Replays } from './replays';
import type { TraceServices } from './traceServices';

/** Recording the connections of agents, and opening what was recorded. */
export class Traces implements Disposable {
  readonly #store = new DisposableStore();
  readonly recordings: Recordings;
  readonly replays: Replays;

  constructor(services: TraceServices) {
    this.recordings = this.#store.add(new Recordings(services));
    this.replays = this.#store.add(new Replays(services));
    this.#store.add(
      keepContexts(
        () => ({
          [contextKeys.tracing]: this.recordings.isRecording,
          [contextKeys.replaying]: this.replays.agents.length > 0,
        }),
        [this.recordings.onDidChange, this.replays.onDidChange],
      ),
    );
  }

  async end(): Promise<void> {
    await this.recordings.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
