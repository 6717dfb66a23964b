import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { maxMentions } from '../../shared/transcript/validators';
import type { Ask } from './asking';

/** Requests are batched for this long, in milliseconds. */
const pause = 100;
/** Maximum number of texts that are looked up; the rest stays plain text: nobody reads that many. */
const maxTexts = 5000;

/** Knows which texts of the transcript name files of the session; the host looks them up. */
export class Mentions {
  readonly #ask: Ask;
  readonly #known = new Map<string, Signal<boolean>>();
  #asked: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** `true` once the host has found a file with that name in the session's folders. */
  isFile(text: string): ReadonlySignal<boolean> {
    let known = this.#known.get(text);
    if (known === undefined) {
      known = signal(false);
      if (this.#known.size < maxTexts) {
        this.#known.set(text, known);
        this.#asked.push(text);
        this.#timer ??= setTimeout(() => this.#askSome(), pause);
      }
    }
    return known;
  }

  #askSome(): void {
    this.#timer = undefined;
    void this.#find(this.#asked.splice(0, maxMentions));
    if (this.#asked.length > 0) {
      this.#timer = setTimeout(() => this.#askSome(), pause);
    }
  }

  async #find(texts: readonly string[]): Promise<void> {
    // Without a reply, they stay plain text.
    const files = await this.#ask({ type: 'findFiles', texts }).catch(() => []);
    batch(() => {
      for (const file of files) {
        const known = this.#known.get(file);
        if (known !== undefined) {
          known.value = true;
        }
      }
    });
  }
}
