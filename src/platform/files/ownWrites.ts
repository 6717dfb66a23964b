/** The files that this extension is writing, so that their saves aren't taken for the user's. */
export class OwnWrites {
  readonly #files = new Map<string, number>();

  async during<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
    this.#count(files, 1);
    try {
      return await work();
    } finally {
      this.#count(files, -1);
    }
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  #count(files: readonly string[], by: number): void {
    for (const file of files) {
      const count = (this.#files.get(file) ?? 0) + by;
      if (count === 0) {
        this.#files.delete(file);
      } else {
        this.#files.set(file, count);
      }
    }
  }
}
