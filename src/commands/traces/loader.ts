import { type Disposable, DisposableStore } from '../../util/disposable';
import type { TraceServices } from './traceServices';
import type { Traces } from './traces';

/** Loads the separate bundle for traces with the first one that is recorded or opened. */
export class TraceLoader implements Disposable {
  readonly #store = new DisposableStore();
  readonly #services: TraceServices;
  #traces: Promise<Traces> | undefined;

  constructor(services: TraceServices) {
    this.#services = services;
  }

  load(): Promise<Traces> {
    this.#traces ??= import('./traces').then(({ Traces: Loaded }) =>
      this.#store.add(new Loaded(this.#services)),
    );
    return this.#traces;
  }

  /** Ends all recordings; resolves when their files are closed. */
  async end(): Promise<void> {
    await (await this.#traces)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
