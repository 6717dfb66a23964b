import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener until the returned disposable is disposed. Same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * The owner's side of an event. A listener that throws does not keep the others from being called. Subscribing or
 * unsubscribing while an event is being fired takes effect with the next one.
 */
export class Emitter<T> implements Disposable {
  // Replaced on change, never changed in place: firing is far more frequent than subscribing.
  #listeners: readonly ((value: T) => void)[] = [];

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own lets one function be subscribed twice.
    const own = (value: T): void => listener(value);
    this.#listeners = [...this.#listeners, own];
    return toDisposable(() => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
    });
  };

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        // Rethrown outside this loop, where the host reports it as an uncaught error.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}
