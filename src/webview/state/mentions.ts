import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { maxMentions } from '../../shared/transcript/validators';
import type { FromWebview } from '../../shared/transcript/webviewMessages';

/** Requests are batched for this long, in milliseconds. */
const pause = 100;
/** Further texts are never looked up and stay plain text: nobody reads that many. */
const mostTexts = 5000;

/** Which texts of the transcript name files of the session; the host looks them up. */
export class Mentions {
  readonly #post: (message: FromWebview) => void;
  readonly #known = new Map<string, Signal<boolean>>();
  #asked: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: FromWebview) => void) {
    this.#post = post;
  }

  /** `true` once the host has found a file with that name in the session's folders. */
  isFile(text: string): ReadonlySignal<boolean> {
    let known = this.#known.get(text);
    if (known === undefined) {
      known = signal(false);
      if (this.#known.size < mostTexts) {
        this.#known.set(text, known);
        this.#asked.push(text);
        this.#timer ??= setTimeout(() => this.#ask(), pause);
      }
    }
    return known;
  }

  receive(files: readonly string[]): void {
    for (const file of files) {
      const known = this.#known.get(file);
      if (known !== undefined) {
        known.value = true;
      }
    }
  }

  #ask(): void {
    this.#timer = undefined;
    this.#post({ type: 'findFiles', texts: this.#asked.splice(0, maxMentions) });
    if (this.#asked.length > 0) {
      this.#timer = setTimeout(() => this.#ask(), pause);
    }
  }
}
