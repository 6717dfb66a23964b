import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener until the returned disposable is disposed. Same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's side of an event. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own lets one function be subscribed twice.
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // Rethrown outside of this loop, where the host reports it as an uncaught error.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
