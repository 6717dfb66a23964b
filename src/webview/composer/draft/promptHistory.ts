import { type ReadonlySignal, signal } from '@preact/signals';
import { savableHistory } from '../../../shared/transcript/parseDraft';

/** The prompts sent from this tab, recalled one at a time. */
export class PromptHistory {
  readonly #texts = signal<readonly string[]>([]);
  /** Index of the recalled prompt; `undefined` while the user writes another text. */
  #at: number | undefined;

  constructor(texts: readonly string[]) {
    this.#texts.value = savableHistory(texts);
  }

  get texts(): ReadonlySignal<readonly string[]> {
    return this.#texts;
  }

  add(text: string): void {
    this.#at = undefined;
    if (text !== '' && text !== this.#texts.peek().at(-1)) {
      this.#texts.value = savableHistory([...this.#texts.peek(), text]);
    }
  }

  /**
   * The text to show instead of `current`; `undefined` when `current` was written by the user, or
   * there is no such prompt.
   */
  step(current: string, direction: 'older' | 'newer'): string | undefined {
    const texts = this.#texts.peek();
    if (this.#at !== undefined && texts[this.#at] !== current) {
      this.#at = undefined;
    }
    if (this.#at === undefined && (current !== '' || direction === 'newer')) {
      return undefined;
    }
    const from = this.#at ?? texts.length;
    const to = from + (direction === 'older' ? -1 : 1);
    if (to < 0) {
      return undefined;
    }
    this.#at = to < texts.length ? to : undefined;
    return texts[to] ?? '';
  }
}
