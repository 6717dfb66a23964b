import type { StoredTexts } from '../../../../src/model/ports';

/** Stored texts in memory; pass `texts` on to share them with a later window. */
export class FakeTexts implements StoredTexts {
  readonly texts: Map<string, string>;
  failing = false;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(texts = new Map<string, string>()) {
    this.texts = texts;
  }

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(name));
  }

  readAll(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(this.texts));
  }

  write(name: string, text: string): Promise<void> {
    if (this.failing) {
      return Promise.reject(new Error('the disk is full'));
    }
    this.texts.set(name, text);
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.texts.delete(name);
    return Promise.resolve();
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work);
    this.#busy = done.catch(() => undefined);
    return done;
  }
}
