import { type ReadonlySignal, signal } from '@preact/signals';
import { savableHistory } from '../../shared/prompt/parseDraft';

/** The prompts that were sent from this tab, brought back one by one. */
export class PromptHistory {
  readonly #texts = signal<readonly string[]>([]);
  /** The prompt that is shown; none while something else is being written. */
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

  /** The text to show instead of `current`; nothing when `current` is a person's own. */
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
