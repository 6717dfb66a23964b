import type * as vscode from 'vscode';

export class Disposable implements vscode.Disposable {
  static from(...all: readonly { readonly dispose: () => unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) {
        one.dispose();
      }
    });
  }

  #end: (() => unknown) | undefined;

  constructor(end: () => unknown) {
    this.#end = end;
  }

  dispose(): void {
    const end = this.#end;
    this.#end = undefined;
    end?.();
  }
}

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event: vscode.Event<T> = (listener, thisArgument, disposables) => {
    const own = (event: T): unknown => Reflect.apply(listener, thisArgument, [event]);
    this.#listeners.add(own);
    const end = new Disposable(() => this.#listeners.delete(own));
    disposables?.push(end);
    return end;
  };

  /**
   * Tells all listeners; as in VS Code, an error of one doesn't keep the others from hearing it; here it fails the
   * test.
   */
  fire(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
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

/** An event that never fires. */
export const never = (): Disposable => new Disposable(() => undefined);

export class CancellationError extends Error implements vscode.CancellationError {
  constructor() {
    super('Canceled');
    this.name = 'Canceled';
  }
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly #cancelled = new EventEmitter<unknown>();
  readonly token: vscode.CancellationToken = {
    isCancellationRequested: false,
    onCancellationRequested: (listener, thisArgument, disposables) =>
      this.token.isCancellationRequested
        ? new Disposable(() => queueMicrotask(() => void listener.call(thisArgument, undefined)))
        : this.#cancelled.event(listener, thisArgument, disposables),
  };

  cancel(): void {
    if (!this.token.isCancellationRequested) {
      this.token.isCancellationRequested = true;
      this.#cancelled.fire(undefined);
    }
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}
