import { type Disposable, DisposableStore } from '../util/disposable';

interface Service extends Disposable {
  end(): Promise<void>;
}

/** A service in a separate bundle, which is loaded when it is first needed. */
export class Late<S extends Service> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #make: () => Promise<S>;
  #service: Promise<S> | undefined;

  constructor(make: () => Promise<S>) {
    this.#make = make;
  }

  load(): Promise<S> {
    this.#service ??= this.#make().then((made) => this.#store.add(made));
    return this.#service;
  }

  /** Ends what was begun, if it was ever loaded; resolves when that is done. */
  async end(): Promise<void> {
    await (await this.#service)?.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
