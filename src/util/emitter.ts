import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener until the returned disposable is disposed. The same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * The owner's side of an event. A listener that throws doesn't prevent the others from being
 * called. Subscribing or unsubscribing while an event is being fired takes effect with the next
 * one.
 */
export class Emitter<T> implements Disposable {
  // Replaced rather than mutated, because firing is far more frequent than subscribing.
  #listeners: readonly { readonly listener: (value: T) => void }[] = [];

  readonly event: Event<T> = (listener) => {
    // A new object each time, so that the same listener can be subscribed twice.
    const own = { listener };
    this.#listeners = [...this.#listeners, own];
    return toDisposable(() => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
    });
  };

  fire(value: T): void {
    for (const { listener } of this.#listeners) {
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
    this.#listeners = [];
  }
}
