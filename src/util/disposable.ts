/** Something that holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) {
        return;
      }
      done = true;
      dispose();
    },
  };
}

/**
 * Disposes its items together, in reverse order. An item that is added afterward is disposed
 * immediately.
 */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) {
      item.dispose();
    } else {
      this.#items.push(item);
    }
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) {
      item.dispose();
    }
  }
}
