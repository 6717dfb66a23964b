/** Something that holds on to a resource until told to let go. Disposing twice is harmless. */
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

/** Owns disposables and disposes them together, last added first. One that is added afterwards is disposed at once. */
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
