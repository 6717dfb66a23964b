import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionState } from '../../../shared/transcript/webviewMessages';

/** The agent's guesses at the next prompt (T-93), which are offered while nothing is written. */
export class SuggestedPrompts {
  readonly shown: ReadonlySignal<readonly string[]>;
  readonly #dismissed = signal('');

  constructor(session: ReadonlySignal<SessionState | undefined>, isNothingWritten: () => boolean) {
    this.shown = computed(() => {
      const prompts = session.value?.suggestedPrompts ?? [];
      return isNothingWritten() && keyOf(prompts) !== this.#dismissed.value ? prompts : [];
    });
  }

  /** Hides these prompts; returns `false` if there are none. */
  dismiss(): boolean {
    const prompts = this.shown.peek();
    if (prompts.length === 0) {
      return false;
    }
    this.#dismissed.value = keyOf(prompts);
    return true;
  }
}

function keyOf(prompts: readonly string[]): string {
  return prompts.length === 0 ? '' : JSON.stringify(prompts);
}
