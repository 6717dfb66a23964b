/** The files that a question has just named as deleted for good, while what was agreed to is done. */
export class AgreedDeletions {
  readonly #sets = new Set<ReadonlySet<string>>();

  async during<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
    const agreed = new Set(files);
    this.#sets.add(agreed);
    try {
      return await work();
    } finally {
      this.#sets.delete(agreed);
    }
  }

  has(file: string): boolean {
    return [...this.#sets].some((files) => files.has(file));
  }
}
