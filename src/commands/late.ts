import { type Disposable, DisposableStore } from '../util/disposable';
import { Lazy } from '../util/lazy';

interface Service extends Disposable {
  end(): Promise<void>;
}

/** A service in a separate bundle, which is loaded when it is first needed. */
export class Late<S extends Service> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #service: Lazy<S>;

  constructor(make: () => Promise<S>) {
    this.#service = new Lazy(async () => this.#store.add(await make()));
  }

  load(): Promise<S> {
    return this.#service.get();
  }

  /** Ends what was begun, if it was ever loaded; resolves when that is done. */
  async end(): Promise<void> {
    await (await this.#service.made)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
