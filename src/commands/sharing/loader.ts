import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Sharing } from './sharing';
import type { SharingServices } from './sharingServices';

/** Loads the separate bundle for sharing agents when one is first shared. */
export class SharingLoader implements Disposable {
  readonly #store = new DisposableStore();
  readonly #services: SharingServices;
  #sharing: Promise<Sharing> | undefined;

  constructor(services: SharingServices) {
    this.#services = services;
  }

  load(): Promise<Sharing> {
    this.#sharing ??= import('./sharing').then(({ Sharing: Loaded }) =>
      this.#store.add(new Loaded(this.#services)),
    );
    return this.#sharing;
  }

  /** Ends all connections; resolves when their processes have ended. */
  async end(): Promise<void> {
    await (await this.#sharing)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
